import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { runChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import {
  type RemoteProcess,
  startChromium,
  startPlaywrightServer,
  startRunServer,
} from '../../helpers/remote-browser.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

interface RemoteState {
  readonly name: string;
  readonly state: string;
  readonly trouble: string | null;
}

describe('remote browsers that cannot be used', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-remote-test-'));
  const file = join(folder, 'browsers.json');
  const old = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  let service: Service;
  let target: Target;
  let chromium: RemoteProcess;
  let otherVersion: RemoteProcess;

  const write = (browsers: unknown) => writeFileSync(file, JSON.stringify(browsers));
  const states = async () =>
    (await service.api<{ browsers: { remote: RemoteState[] } }>('GET', '/api/v1/system/')).body.browsers
      .remote;
  const troubleOf = async (name: string) => (await states()).find((one) => one.name === name)?.trouble ?? '';

  before(async () => {
    old.on('connection', (socket) => {
      socket.on('message', (data) => {
        const { id } = JSON.parse(String(data)) as { id: number };
        const result = {
          product: 'HeadlessChrome/98.0.4758.0',
          userAgent: 'HeadlessChrome/98',
          protocolVersion: '1.3',
        };
        socket.send(JSON.stringify({ id, result }));
      });
    });
    target = await startTarget({ '/page': html('<p>Here it is.</p>') });
    [chromium, otherVersion] = await Promise.all([
      startChromium(),
      startPlaywrightServer({ version: '1.40.0' }),
    ]);
    const nobody = `http://127.0.0.1:${await freePort()}/?token=geheim`;
    write([
      { name: 'other-version', kind: 'playwright', url: otherVersion.url },
      { name: 'too-old', kind: 'cdp', url: `ws://127.0.0.1:${(old.address() as AddressInfo).port}/` },
      { name: 'nobody', kind: 'cdp', url: nobody, headers: { Authorization: 'Bearer geheim' } },
      { name: 'no-guard', kind: 'cdp', url: chromium.url },
    ]);
    service = await startService({
      SLUICE_BROWSERS: file,
      // Nobody listens there.
      SLUICE_GUARD_URL: `http://127.0.0.1:${await freePort()}`,
      SLUICE_GUARD_PORT: String(await freePort()),
    });
  });
  after(async () => {
    await service?.end();
    await Promise.all([chromium?.kill(), otherVersion?.kill()]);
    await target?.[Symbol.asyncDispose]();
    old.close();
    rmSync(folder, { recursive: true });
  });

  test('say why, with both versions, and without credentials', async () => {
    await eventually(async () => (await states()).every(({ state }) => state === 'down'), 40_000);
    assert.match(await troubleOf('other-version'), /Playwright is version 1\.40, but Sluice has 1\.\d+:/);
    assert.match(await troubleOf('too-old'), /HeadlessChrome\/98\.0\.4758\.0, but Chromium 120 or later/);
    assert.match(await troubleOf('nobody'), /ECONNREFUSED/);
    assert.match(await troubleOf('no-guard'), /do not reach the guard .*ERR_PROXY_CONNECTION_FAILED/);
    const all = JSON.stringify(await states()) + (await service.output());
    assert.doesNotMatch(all, /geheim/);
  });

  test('are replaced by a browser of this machine; a caller who needs a remote one is told why', async () => {
    const { status, text } = await service.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    assert.equal(status, 200, text);
    const headed = { url: `${target.url}/page`, scraper: 'browser', browser_type: 'msedge' };
    const { body } = await service.scrape(headed);
    assert.match(JSON.stringify(body), /browser\.(unavailable|down)/);
  });

  test('a changed file with a problem changes nothing', async () => {
    write([{ name: 'x', kind: 'cdp', url: 'nowhere' }]);
    process.kill(service.pid, 'SIGHUP');
    await eventually(
      async () => (await service.output()).includes('the previous browsers stay in use'),
      10_000,
    );
    assert.match(await service.output(), /\/0\/url` must be a URL/);
    assert.equal((await states()).length, 4);
    write([
      {
        name: 'own',
        kind: 'cdp',
        url: chromium.url,
        network: 'direct',
        allow_unguarded: true,
        users: 'admins',
      },
    ]);
    await eventually(async () => (await states())[0]?.state === 'ready');
    assert.equal((await states()).length, 1);
  });

  test('run-server of Playwright, with a browser for each connection', async () => {
    await using server = await startRunServer();
    const { url, headers } = server;
    const own = { network: 'direct', allow_unguarded: true, users: 'admins' };
    write([{ name: 'run-server', kind: 'playwright', url, headers, ...own }]);
    await eventually(async () => {
      const [one] = await states();
      return one?.name === 'run-server' && one.state === 'ready';
    });
    const { body, text } = await service.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    assert.match(body.content!, /Here it is/, text);
    assert.match(text, /egress\.remote/);
  });

  test('a file with a problem, and a guard without a file, are refused at the start', async () => {
    const bad = join(folder, 'bad.yaml');
    writeFileSync(bad, '- {name: x, kind: cdp, url: "http://a:1", network: direct}');
    const start = (env: NodeJS.ProcessEnv) =>
      runChild(SLUICE, ['serve'], {
        cwd: folder,
        env: {
          ...cleanEnvironment(),
          SLUICE_DATA_DIR: join(folder, 'data'),
          SLUICE_API_KEY: 'x'.repeat(30),
          ...env,
        },
      });
    const withFile = await start({ SLUICE_BROWSERS: bad });
    assert.notEqual(withFile.code, 0);
    assert.match(withFile.stderr, /SLUICE_BROWSERS .*bad\.yaml/);
    assert.match(withFile.stderr, /\/0\/allow_unguarded` must be true/);
    const withoutFile = await start({ SLUICE_GUARD_URL: 'http://127.0.0.1:9999' });
    assert.notEqual(withoutFile.code, 0);
    assert.match(withoutFile.stderr, /SLUICE_GUARD_URL needs SLUICE_BROWSERS/);
  });
});
