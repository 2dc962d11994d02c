import { findBundledChromium, unpackChromium } from '../../../../src/browser/engine/unpack-chromium.ts';

/** Unpacks into the folder that is named, and prints where the program is. */
const { path } = await unpackChromium((await findBundledChromium())!, process.argv[2]!);
console.log(path);
