import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chromium } from 'playwright';
import { readBrowserCookies } from '../../../src/cli/browsers/read-browser.ts';
import { findChromium } from '../../dashboard/chromium.ts';
import { listen } from '../../helpers/free-port.ts';

test('cookies are read from a database that Chromium has written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-test-chromium-'));
  const site = createServer((_, response) => {
    response.setHeader('set-cookie', [
      'sid=the secret; Max-Age=3600; HttpOnly',
      'theme=dark; Max-Age=60; SameSite=Strict',
    ]);
    response.end('logged in');
  });
  const port = await listen(site);
  try {
    const { executablePath, env } = await findChromium();
    const browser = await chromium.launchPersistentContext(folder, {
      executablePath,
      env: { ...process.env, ...env } as Record<string, string>,
      args: ['--no-sandbox', '--password-store=basic'],
    });
    await browser.pages()[0]!.goto(`http://127.0.0.1:${port}/`);
    await browser.close();
    const { cookies, unreadable } = await readBrowserCookies({
      browser: 'chromium',
      profile: join(folder, 'Default'),
      domains: ['127.0.0.1'],
    });
    const seen = cookies.map(({ expires, ...cookie }) => ({
      ...cookie,
      lasts: expires > Date.now() / 1_000,
    }));
    const common = { domain: '127.0.0.1', path: '/', secure: false, lasts: true };
    assert.deepEqual(
      seen.toSorted((a, b) => a.name.localeCompare(b.name)),
      [
        { ...common, name: 'sid', value: 'the secret', httpOnly: true, sameSite: 'Lax' },
        { ...common, name: 'theme', value: 'dark', httpOnly: false, sameSite: 'Strict' },
      ],
    );
    assert.equal(unreadable, 0);
  } finally {
    site.close();
    site.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
});
