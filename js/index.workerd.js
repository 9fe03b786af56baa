import './source-workerd.js';

export * from './api.js';
