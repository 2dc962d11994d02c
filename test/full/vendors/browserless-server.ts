// Starts a real browserless with the Chromium of `CHROMIUM` alone. It is installed in the working directory.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const main = join(process.cwd(), 'node_modules/@browserless.io/browserless/build/exports.js');
// It knows no other way to name a browser.
createRequire(main)('playwright-core').chromium.executablePath = () => process.env.CHROMIUM;
const { Browserless, BrowserlessRoutes } = await import(pathToFileURL(main).href);
const server = new Browserless();
const others = /^(Chrome(?!.*ium)|Edge|Firefox|WebKit)/i;
server.disableRoutes(...Object.values<string>(BrowserlessRoutes).filter((name) => others.test(name)));
process.once('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});
await server.start();
