export { decode, decodeFirst, decodeSequence, Decoder } from './decoder.js';
export { encode, encodeSequence, Encoder } from './encoder.js';
export { CborError } from './errors.js';
export { scanLinks } from './links.js';
export { stats } from './instance.js';
export { DecoderStream, EncoderStream } from './streams.js';
export { EncodedCbor, Simple, Tagged } from './values.js';
export { CborWriter } from './writer.js';
