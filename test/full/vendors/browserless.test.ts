import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromiums } from '../../adapters/browser/stage.ts';
import { type Child, startChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { cleanEnvironment } from '../../helpers/repository.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

/**
 * The real browserless, which the stand-in of the other tests imitates. It is not a dependency, because its license is not free and it has
 * 500 packages: `npm install --ignore-scripts --prefix FOLDER @browserless.io/browserless@2.42.0`, and `BROWSERLESS_DIR=FOLDER`.
 */
const FOLDER = process.env.BROWSERLESS_DIR;
const KEY = 'browserless-key-0123456789';
const SCRIPT = fileURLToPath(new URL('./browserless-server.ts', import.meta.url));

describe('a real browserless', { skip: FOLDER === undefined && 'BROWSERLESS_DIR is not set' }, () => {
  const site = useSite();
  let browserless: Child;
  let service: Service;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-browserless-'));
  before(async () => {
    const [chromium] = await chromiums();
    const port = await freePort();
    browserless = startChild(process.execPath, [SCRIPT], {
      cwd: FOLDER!,
      env: {
        ...cleanEnvironment(),
        HOST: '127.0.0.1',
        PORT: String(port),
        TOKEN: KEY,
        CHROMIUM: chromium!.path,
        ...chromium!.env,
        // It refuses work on a busy machine.
        MAX_CPU_PERCENT: '10000',
        MAX_MEMORY_PERCENT: '100',
      },
    });
    const base = `http://127.0.0.1:${port}`;
    const answers = () =>
      fetch(`${base}/active?token=${KEY}`)
        .then(({ ok }) => ok)
        .catch(() => false);
    await eventually(answers, 60_000).catch(() => assert.fail(browserless.stdout() + browserless.stderr()));
    const vendors = [
      { name: 'own', kind: 'browserless', key: KEY, base_url: base },
      { name: 'wrong', kind: 'browserless', key: 'another-key', base_url: base },
    ];
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors }));
    service = await startService({ SLUICE_VENDORS: join(dir, 'vendors.json') });
  });
  after(async () => {
    await service?.end();
    browserless?.kill('SIGTERM');
    await browserless?.exited;
    rmSync(dir, { recursive: true, force: true });
  });
  const scrape = (path: string, more: object = {}, vendor = 'own') =>
    service.scrape({ url: new URL(path, site.url).href, scraper: `vendor:${vendor}`, ...more });
  const reasonOf = ({ body }: Awaited<ReturnType<typeof scrape>>) => [
    body.code,
    body.errors[0]!.details?.reason,
  ];

  test('a page, after a redirect, with its status', async () => {
    const { status, body } = await scrape('/redirect/1');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.status_code, body.router.outcome], [200, 'ok']);
    assert.equal(body.final_url, `${site.url}/redirect/0`);
    const missing = await scrape('/status/404');
    assert.equal(missing.body.status_code, 404, JSON.stringify(missing.body));
  });

  test('cookies, a wait and a screenshot', async () => {
    const sent = await scrape('/cookies', {
      cookies: [
        { name: 'mine', value: 'yes' },
        { name: 'theirs', value: 'no', domain: 'other.test' },
      ],
      wait_for_timeout_ms: 100,
      router: { forward_credentials: true },
    });
    assert.match(String(sent.body.content), /mine=yes/, JSON.stringify(sent.body));
    assert.doesNotMatch(String(sent.body.content), /theirs/);
    const shot = await scrape('/html/2000', { screenshot: true });
    assert.ok(shot.body.screenshot_url !== null, JSON.stringify(shot.body));
    assert.match(String(shot.body.content), /<html/);
  });

  test('its failures', async () => {
    assert.deepEqual(reasonOf(await scrape('/text', {}, 'wrong')), ['vendor.failed', 'auth']);
    assert.deepEqual(reasonOf(await scrape('http://127.0.0.1:1/')), ['vendor.failed', 'unsupported']);
    assert.deepEqual(reasonOf(await scrape('/hang', { timeout_ms: 5_000 })), ['vendor.failed', 'timeout']);
  });
});
