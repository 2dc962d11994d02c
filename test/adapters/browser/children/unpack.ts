import { packageChromium } from '../../../../src/adapters/scrapers/browser/binary/package-chromium.ts';
import { unpackChromium } from '../../../../src/adapters/scrapers/browser/binary/unpack-chromium.ts';

/** Unpacks into the folder that is named, and prints where the program is. */
const { path } = await unpackChromium((await packageChromium())!, process.argv[2]!);
console.log(path);
