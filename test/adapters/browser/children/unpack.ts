import { unpackChromium } from '../../../../src/browser/engine/unpack-chromium.ts';

/** Unpacks the archives of one folder into another one, and prints where the program is. */
const [binDir, home] = process.argv.slice(2);
const { path } = await unpackChromium({ version: '1.2.3', binDir: binDir! }, home!);
console.log(path);
