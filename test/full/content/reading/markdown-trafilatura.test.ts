import { testRealPages } from './real-pages.ts';

testRealPages('trafilatura/html');
