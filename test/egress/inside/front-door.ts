import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { ALLOWED, ALLOWED_OUTSIDE, applies, CANARY, type Mode, nameOf, portOf } from './site.ts';
import { openStage, type Stage } from './stage.ts';
import { VECTORS } from './vectors.ts';

/** How long pages are open. A busy machine needs the longer times. */
const WATCH_MS = [3_000, 8_000, 20_000];
const SECRET = 'what no page may read';

const STRANGE = [
  'file:///etc/hostname',
  'chrome://version/',
  'devtools://devtools/bundled/inspector.html',
  'about:blank',
  'view-source:http://127.0.0.1/',
  'javascript:1',
  'data:text/html,a',
  'blob:null/a',
  'ftp://127.0.0.1/',
  'chrome-extension://a/b',
  'filesystem:http://127.0.0.1/temporary/a',
  'ws://127.0.0.1/',
];

const types = [...new Set((await chromiums()).map(({ type }) => type))];
let stage: Stage;
let service: Service;
let folder: string;
let secretUrl: string;
before(async () => {
  stage = await openStage();
  folder = mkdtempSync(join(tmpdir(), 'sluice-canary-'));
  const file = join(folder, 'secret.html');
  writeFileSync(file, SECRET, { mode: 0o644 });
  secretUrl = `file://${file}`;
  service = await startService({
    SLUICE_ALLOW_ADDRESSES: `${ALLOWED}/32,${ALLOWED_OUTSIDE}/32`,
    SLUICE_DNS_SERVERS: stage.ownDns.address,
  });
});
after(async () => {
  await service?.end();
  await stage?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const scrape = (url: string, browser_type: string, more: object = {}) =>
  service.scrape({ url, browser_type, scraper: 'browser', timeout_ms: 30_000, ...more });

function nobodyCame(): void {
  assert.deepEqual([...stage.canary.hits], [], 'somebody came to the canary');
  assert.deepEqual(stage.systemDns.questions, [], 'somebody asked the name server of the system');
}

type Body = Awaited<ReturnType<typeof scrape>>['body'];
interface Refusals {
  readonly count: number;
  readonly hosts: readonly { readonly host: string; readonly count: number }[];
}

function refusals({ router }: Body): Refusals {
  const told = router.warnings.find(({ code }) => code === 'egress.blocked');
  return (told?.details as Refusals | undefined) ?? { count: 0, hosts: [] };
}

/** Scrapes with longer times until `isComplete`. Browsers leave out what is only ahead of need when the machine is busy. */
async function watch(url: string, type: string, isComplete: (body: Body) => boolean): Promise<Body> {
  let last: Body | undefined;
  for (const wait_for_timeout_ms of WATCH_MS) {
    const { status, body } = await scrape(url, type, { wait_for_timeout_ms });
    assert.equal(status, 200, JSON.stringify(body.errors));
    last = body;
    if (isComplete(body)) break;
  }
  return last!;
}

const page = (html: string) => `${stage.site.url}/page/${Buffer.from(html).toString('base64url')}.html`;

for (const type of types) {
  for (const mode of ['direct', 'redirect', 'name', 'popup'] as const satisfies readonly Mode[]) {
    test(`${type}, ${mode}: nothing of a page gets out, and what it tried is counted`, async () => {
      stage.reset();
      const [first] = stage.site.pages(mode);
      const url = mode === 'popup' ? `${first}?at-once` : first!;
      // Popups are closed as soon as they open, and browsers with windows open none.
      const body = await watch(url, type, (body) => mode === 'popup' || refusals(body).count >= 24);
      nobodyCame();
      if (mode === 'popup') return;
      const told = body.router.warnings.find(({ code }) => code === 'egress.blocked');
      const { count, hosts } = refusals(body);
      assert.ok(count >= 24, `${count} refusals`);
      assert.ok(told!.message.startsWith(`${count} × `));
      const expected = mode === 'name' ? /^v\d+\.canary\.test$/ : new RegExp(`^(${CANARY}|10\\.99\\.0\\.2)$`);
      for (const { host } of hosts) assert.match(host, expected);
    });
  }

  test(`${type}: documents of the main frame that may not be reached end the scrape`, async () => {
    stage.reset();
    const at = VECTORS.findIndex(({ name }) => name === 'document');
    const refresh = VECTORS.findIndex(({ name }) => name === 'meta-refresh');
    const port = portOf('direct', at);
    for (const url of [
      `http://${CANARY}:${port}/x`,
      `https://${CANARY}:${port}/x`,
      `http://${nameOf(at)}:${port}/x`,
      `${stage.site.url}/to/${port}`,
      `${stage.site.url}/vector/direct/${at}`,
      `${stage.site.url}/vector/redirect/${at}`,
      `${stage.site.url}/vector/name/${at}`,
      `${stage.site.url}/vector/direct/${refresh}`,
    ]) {
      const { status, body } = await scrape(url, type, { wait_for_timeout_ms: 1_000 });
      assert.deepEqual([status, body.code], [403, 'policy.address'], url);
      assert.deepEqual([body.content, body.status_code, body.final_url], [null, null, null], url);
    }
    nobodyCame();
  });

  test(`${type}: the same ways lead to where one may go`, async () => {
    stage.reset();
    const missing = () => {
      const seen = stage.reached(stage.allowed, 'allowed');
      return VECTORS.filter(
        ({ name, top, shy, only, neverGuarded }, at) =>
          !top && (shy ?? only ?? neverGuarded) === undefined && applies('allowed', at) && !seen.has(name),
      ).map(({ name }) => name);
    };
    const body = await watch(`${stage.site.url}/frames/allowed`, type, () => missing().length === 0);
    assert.deepEqual(missing(), [], JSON.stringify(body.errors));
  });

  test(`${type}: a page is never made of anything but http`, async () => {
    for (const url of STRANGE) {
      const { status, body } = await scrape(url, type);
      assert.deepEqual([status, body.code], [400, 'request.validation'], url);
    }
    const hostile = [secretUrl, ...STRANGE];
    const everywhere = hostile
      .map((url) => JSON.stringify(url))
      .map(
        (url) =>
          `<iframe src=${url}></iframe><object data=${url}></object><embed src=${url}><script>window.open(${url})</script>`,
      );
    const reader = `<p id=p>here</p><script>
      const say = (text) => { p.textContent += ' ' + text };
      fetch(${JSON.stringify(secretUrl)}).then((r) => r.text()).then(say, () => say('fetch no'));
      const x = new XMLHttpRequest(); x.onloadend = () => say('xhr ' + x.responseText);
      x.open('GET', ${JSON.stringify(secretUrl)}); try { x.send() } catch { say('xhr no') }
      import(${JSON.stringify(secretUrl)}).catch(() => say('import no'));
      </script>${everywhere.join('')}`;
    const { status, body } = await scrape(page(reader), type, { wait_for_timeout_ms: 500 });
    assert.equal(status, 200);
    assert.match(body.content!, /fetch no/);
    assert.match(body.content!, /import no/);
    assert.ok(!JSON.stringify(body).includes(SECRET));

    for (const url of [secretUrl, 'chrome://version/', `view-source:${stage.site.url}/page/YQ.html`]) {
      const to = await scrape(`${stage.site.url}/go/${Buffer.from(url).toString('base64url')}`, type);
      assert.deepEqual([to.status, to.body.code], [502, 'redirect.invalid'], url);
      const words = JSON.stringify(url);
      const ways = [
        `<script>setTimeout(() => { location.href = ${words} }, 50)</script>`,
        `<a id=a href=${words}>a</a><script>setTimeout(() => document.getElementById('a').click(), 50)</script>`,
        `<form id=f action=${words}></form><script>setTimeout(() => document.getElementById('f').submit(), 50)</script>`,
        `<meta http-equiv=refresh content=${JSON.stringify(`0;url=${url}`)}>`,
      ];
      const scraped = ways.map(async (html) => {
        const { status, body } = await scrape(page(`<p>here</p>${html}`), type, { wait_for_timeout_ms: 400 });
        assert.ok(!JSON.stringify(body).includes(SECRET), html);
        if (status !== 200) return;
        assert.match(body.final_url!, /^http:\/\/127\.0\.0\.1:/, html);
        assert.match(body.content!, /here/, html);
      });
      await Promise.all(scraped);
    }
  });
}
