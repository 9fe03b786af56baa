import './source-workerd.js';
import { warmUp } from './warm-up.js';

warmUp();

export * from './api.js';
