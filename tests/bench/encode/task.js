// What is measured: encoding. `npm run bench -- --decode` puts decoders.js in its place.
export * from './contenders.js';
