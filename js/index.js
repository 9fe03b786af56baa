import './source-inline.js';

export * from './api.js';
