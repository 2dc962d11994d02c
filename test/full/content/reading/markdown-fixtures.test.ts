import { testRealPages } from './real-pages.ts';

testRealPages('markdown/tests/fixtures');
