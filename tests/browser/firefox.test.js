import { testPage } from './page.js';

testPage('firefox-esr');
