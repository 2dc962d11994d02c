import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { findChromium } from '../../dashboard/chromium.ts';
import { runChild } from '../../helpers/child.ts';
import { listen } from '../../helpers/free-port.ts';
import { ROOT } from '../../helpers/repository.ts';
import { useOwnService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

/** What the page does with the SDK. A page over http has fewer APIs than one over https. */
const PROGRAM = `async ([baseUrl, apiKey, url]) => {
  const { Sluice, SluiceError } = await import('/sluice.js');
  const sluice = new Sluice({ baseUrl, apiKey });
  const page = await sluice.scrape({ url, scraper: 'http' });
  const { id } = await sluice.batch({ requests: [{ url, scraper: 'http' }] });
  const states = [];
  for await (const { state } of sluice.jobs.results(id)) states.push(state);
  const events = [];
  for await (const { type } of sluice.jobs.events(id)) events.push(type);
  const error = await sluice.jobs.get('x').catch((reason) => reason);
  return [isSecureContext, page.status_code, states, events, error instanceof SluiceError, error.code];
}`;

describe('the TypeScript SDK in a page', () => {
  const site = useSite();
  const service = useOwnService({ SLUICE_CORS_ORIGINS: '*' });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sdk-'));
  let server: Server;

  before(async () => {
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const project = join(ROOT, 'clients/typescript/tsconfig.pack.json');
    const args = [compiler, '-p', project, '--outDir', folder];
    const { code, stdout } = await runChild(process.execPath, args);
    assert.equal(code, 0, stdout);
    server = createServer(({ url }, response) => {
      if (url === '/') return void response.setHeader('content-type', 'text/html').end('<p>A page');
      response.setHeader('content-type', 'text/javascript');
      response.end(/^\/[\w.-]+\.js$/.test(url!) ? readFileSync(join(folder, url!)) : '');
    });
    await listen(server);
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });

  test('scrapes, and follows a job', async () => {
    const { executablePath, env } = await findChromium();
    const browser = await chromium.launch({
      executablePath,
      env: { ...process.env, ...env },
      args: ['--no-sandbox', '--host-resolver-rules=MAP app.test 127.0.0.1'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(`http://app.test:${(server.address() as AddressInfo).port}/`);
      const given = JSON.stringify([service.base, service.key, `${site.url}/text`]);
      assert.deepEqual(await page.evaluate(`(${PROGRAM})(${given})`), [
        ...[false, 200, ['ok'], ['started', 'page', 'done'], true, 'request.not_found'],
      ]);
    } finally {
      await browser.close();
    }
  });
});
