import { testRealPages } from './real-pages.ts';

testRealPages('wcxb/html');
