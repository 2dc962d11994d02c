/**
 * The service `@browserless.io/browserless` as its image starts it, on the port in `PORT`. It takes its browser from
 * where its Playwright would have put it: there the browser of the others is put.
 */
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = import.meta.resolve('@browserless.io/browserless');
// It looks for its own package.json, and for packages beside it, in the folder where it is started.
const folder = mkdtempSync(join(tmpdir(), 'browserless-'));
symlinkSync(fileURLToPath(new URL('../package.json', entry)), join(folder, 'package.json'));
symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
process.chdir(folder);
const { chromium } = createRequire(entry)('playwright-core');
const place = chromium.executablePath();
mkdirSync(dirname(place), { recursive: true });
symlinkSync(JSON.parse(process.env.BENCH_BROWSER)[0], place);

// It logs the name of its user; the one of browsers has none.
os.userInfo = () => ({ username: 'bench' });
syncBuiltinESMExports();
const { Browserless, BrowserlessRoutes } = await import(entry);
const browserless = new Browserless();
// It does not start with routes whose browsers are not there.
browserless.disableRoutes(
  ...Object.values(BrowserlessRoutes).filter((name) => /^(Chrome|Edge|Firefox|WebKit)[A-Z]/.test(name)),
);
process.once('SIGTERM', async () => {
  await browserless.stop();
  process.exit();
});
await browserless.start();
