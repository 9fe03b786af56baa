import { testPage } from './page.js';

testPage('chromium');
