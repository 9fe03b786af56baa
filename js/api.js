export { encode } from './encoder.js';
export { CborError } from './errors.js';
export { stats } from './instance.js';
export { CborWriter } from './writer.js';
