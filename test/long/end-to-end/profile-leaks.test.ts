import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { browsersHome } from '../../../src/browser/engine/browser-folders.ts';
import { USER } from '../../adapters/browser/stage.ts';
import { endOf, startBatch } from '../../end-to-end/job-calls.ts';
import { makeMonitor, runNow } from '../../end-to-end/monitoring.ts';
import { makeSchedule, runScheduleNow } from '../../end-to-end/scheduling.ts';
import { type Collector, startCollector } from '../../helpers/collector.ts';
import { LeakSearch } from '../../helpers/leaks.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { eventually, type Service, type ServiceApi, startService } from '../../helpers/service.ts';
import { profileKey } from '../../helpers/visitor.ts';
import { CREDENTIALS, type LeakySite, MARKER, SECRETS, startLeakySite } from './leaky-site.ts';

const PROFILES = '/api/v1/profiles/';
const METRICS_TOKEN = 'to-see-the-metrics';
const HAS_BROWSER = SCRAPERS.includes('browser');
const cookie = (name: string, value: string) => ({ name, value, domain: '127.0.0.1', path: '/' });

describe('no secret of a profile is anywhere but in the profile', () => {
  const home = mkdtempSync(join(tmpdir(), 'sluice-leaks-'));
  const temporary = join(home, 'tmp');
  const dataDir = join(home, 'data');
  const { runDir } = browsersHome(dataDir, USER);
  let service: Service;
  /** With the key of the owner of the profiles. */
  let owner: ServiceApi;
  let site: LeakySite;
  let receiver: Receiver;
  let collector: Collector;
  /** All that callers got, by what it is. */
  const told: (readonly [what: string, text: string])[] = [];
  const scrapes = new Set<string>();

  before(async () => {
    mkdirSync(temporary);
    site = await startLeakySite();
    receiver = await startReceiver();
    collector = await startCollector();
    service = await startService(
      {
        TMPDIR: temporary,
        SLUICE_LOG_LEVEL: 'trace',
        SLUICE_METRICS_TOKEN: METRICS_TOKEN,
        SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
        SLUICE_TRACE_PATHS: 'true',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      },
      { dataDir },
    );
    const key = await profileKey(service);
    const api: ServiceApi['api'] = async (method, path, options) => {
      const reply = await service.api(method, path, { key, ...options });
      if (!path.endsWith('/export/')) told.push([`${method} ${path} → ${reply.status}`, reply.text]);
      return reply as never;
    };
    owner = {
      ...{ base: service.base, port: service.port, key, api },
      scrape: (body, options) => api('POST', '/api/v1/scrape/', { body, ...options }),
    };
  });
  after(async () => {
    await service?.end();
    for (const one of [site, receiver, collector]) await one?.[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  const scrape = async (path: string, profile: unknown, more: Record<string, unknown> = {}) => {
    const { scraper_options = {}, ...rest } = more;
    const reply = await owner.scrape({
      url: site.url + path,
      scraper: 'http',
      scraper_options: { profile, ...(scraper_options as object) },
      ...rest,
    });
    if (reply.body.id != null) scrapes.add(reply.body.id);
    return reply;
  };
  const found = (search: LeakSearch) => assert.deepEqual(search.leaks, []);
  const newSearch = () => new LeakSearch(SECRETS, site.codes);

  test('profiles by every way in', async () => {
    const create = async (body: object, status = 201) => {
      const made = await owner.api('POST', PROFILES, { body });
      assert.equal(made.status, status, made.text);
    };
    const state = { cookies: [cookie('state', SECRETS.state)], origins: [] };
    await create({ name: 'state', storage_state: state });
    const line = ['127.0.0.1', 'FALSE', '/', 'FALSE', '0', 'text', SECRETS.text].join('\t');
    await create({ name: 'text', cookies_txt: `${line}\n` });
    await create({ name: 'ann', sites: ['127.0.0.1'], credentials: CREDENTIALS });
    const input = JSON.stringify({ cookies: [cookie('command', SECRETS.command)] });
    const uploaded = await service.cli(['profile', 'upload', 'command', '--from', '-'], {
      input,
      env: { SLUICE_URL: service.base, SLUICE_KEY: owner.key },
    });
    assert.equal(uploaded.code, 0, uploaded.stderr);
    told.push(['the command line', uploaded.stdout + uploaded.stderr]);
    // What is refused is not repeated.
    for (const body of [
      { storage_state: { ...state, cookies: [{ ...state.cookies[0], path: 7 }] } },
      { storage_state: { ...state, more: SECRETS.state } },
      { storage_state: { cookies: [cookie('a', `${SECRETS.state};`)], origins: [] } },
      { cookies_txt: `${line}\nbroken ${SECRETS.text}\n` },
      { credentials: { ...CREDENTIALS, password: [SECRETS.password] } },
      { credentials: { ...CREDENTIALS, totp_seed: `${SECRETS.seed}189` } },
    ])
      await create({ name: 'refused', sites: ['127.0.0.1'], ...body }, 400);
  });

  for (const scraper of [...SCRAPERS, 'auto'])
    test(`${scraper}: cookies that are sent and renewed, also on redirects`, async () => {
      for (const profile of ['state', 'text', 'command', { name: 'state', save: 'never' }])
        for (const path of ['/hop', '/b']) {
          const done = await scrape(path, profile, {
            scraper,
            scraper_options: { formats: ['links', 'html'] },
          });
          assert.equal(done.body.status_code, 200, done.text);
          assert.match(done.body.content!, new RegExp(MARKER));
        }
      const broken = await scrape('/broken', 'state', { scraper, timeout_ms: 5_000 });
      assert.equal(broken.body.status_code, null, broken.text);
    });

  test('a log-in, scripts, captures, and a browser that runs', { skip: !HAS_BROWSER }, async () => {
    const capture = [{ url: '**', body: true }];
    const inBrowser = { scraper: 'browser', scraper_options: { capture, formats: ['html', 'text'] } };
    const failed = await scrape('/private', 'ann', inBrowser);
    assert.equal(failed.body.router.outcome, 'blocked', failed.text);
    const logged = await scrape('/login', 'ann', { ...inBrowser, page_actions: [{ login: 'ann' }] });
    assert.match(logged.body.content!, /private/, logged.text);
    const read = 'async () => [document.cookie, { ...localStorage }, (await (await fetch("/token")).json())]';
    for (const name of ['state', 'ann', 'ann']) {
      const done = await scrape('/stores', name, {
        ...inBrowser,
        page_actions: [
          { wait_for_function: 'state.textContent === "stored"' },
          { evaluate: read },
          {
            evaluate:
              '[JSON.parse(localStorage.auth), decodeURIComponent(document.cookie), btoa(document.cookie)]',
          },
          { evaluate: 'void setTimeout(() => fetch("/token"), 50)' },
          { type: 'wait_for_response', url: '**/token', capture: true },
        ],
      });
      assert.deepEqual(done.body.errors, [], done.text);
      assert.match(done.body.content!, /stored/);
    }
    // While it runs.
    const search = newSearch();
    const scraping = scrape('/stores', 'ann', { scraper: 'browser', wait_for_timeout_ms: 1_500 });
    await new Promise<void>((resolve) => (site.onToken = resolve));
    await new Promise((resolve) => setImmediate(resolve));
    const files = search.folder(runDir) + search.folder(home);
    await scraping;
    assert.ok(files > 20, `${files} files`);
    found(search);
    const hops = await scrape('/hop', 'ann', { ...inBrowser, page_actions: [{ evaluate: 'location.href' }] });
    assert.equal(hops.body.status_code, 200);
    const cookies = [...site.cookies].join('\n');
    for (const name of ['state', 'text', 'command', 'session', 'renewedByScript', 'renewedByHttp'] as const)
      assert.ok(cookies.includes(SECRETS[name]), `the site got no ${name}`);
    assert.equal(site.codes.length, 1);
  });

  test('jobs, monitors and schedules, with webhooks', async () => {
    const webhook = {
      url: receiver.url,
      events: ['started', 'page', 'item_failed', 'done'],
      include: 'full',
    };
    const profiles = ['state', 'text', HAS_BROWSER ? 'ann' : 'command'];
    const requests = profiles.flatMap((profile) =>
      [...SCRAPERS, 'auto'].flatMap((scraper) =>
        ['/hop', '/private', '/broken'].map((path) => ({
          ...{ url: site.url + path, scraper, timeout_ms: 10_000 },
          scraper_options: { profile },
        })),
      ),
    );
    const batch = await startBatch(owner, { requests, webhook, retries: 0 });
    await endOf(owner, batch);
    const crawl = await owner.api<{ id: string }>('POST', '/api/v1/crawls/', {
      body: { url: site.url, webhook, request: { scraper: 'http', scraper_options: { profile: 'text' } } },
    });
    assert.equal(crawl.status, 202, crawl.text);
    await endOf(owner, crawl.body.id);
    for (const id of [batch, crawl.body.id])
      await owner.api('GET', `/api/v1/jobs/${id}/results/?include=full`);
    const request = { url: `${site.url}/hop`, scraper: 'http', scraper_options: { profile: 'state' } };
    const monitor = await makeMonitor(owner, { request, webhook: { url: receiver.url } });
    await runNow(owner, monitor);
    await runNow(owner, monitor);
    const job = { kind: 'scrape', ...request };
    await runScheduleNow(owner, await makeSchedule(owner, { job }));
    const later = await owner.scrape(
      { ...request, router: { webhook } },
      { headers: { prefer: 'respond-async', 'idempotency-key': 'once' } },
    );
    assert.equal(later.status, 202, later.text);
    await endOf(owner, (later.body as unknown as { job_id?: string; id: string }).id).catch(() => {});
    await eventually(() =>
      receiver.messages.some(({ body }) => body.type === 'crawl.done' || body.type === 'job.done'),
    );
  });

  test('answers, records, messages, metrics, traces, the log, files and backups have none', async () => {
    const search = newSearch();
    const ask = async (path: string) => {
      const headers = { authorization: `Api-Key ${path === '/metrics' ? METRICS_TOKEN : owner.key}` };
      if (path === '/metrics') headers.authorization = `Bearer ${METRICS_TOKEN}`;
      const reply = await fetch(service.base + path, { headers });
      const text = await reply.text();
      assert.ok(reply.status < 300, `${path} ${reply.status} ${text}`);
      search.text(path, text);
    };
    for (const id of scrapes) for (const end of ['', 'request/']) await ask(`/api/v1/scrape/${id}/${end}`);
    for (const path of [
      'scrape/?limit=200',
      'scrape/export/?format=jsonl',
      'jobs/',
      'profiles/',
      'webhooks/',
      'stats/?window=1h',
    ])
      await ask(`/api/v1/${path}`);
    await ask('/metrics');
    for (const [what, text] of told) search.text(what, text);
    for (const { text } of receiver.messages) search.text('a webhook', text);
    assert.ok(receiver.messages.length > 5);
    assert.ok(collector.exports.length > 0);
    for (const { body } of collector.exports) search.buffer('a trace', body);
    const backup = join(temporary, 'backup.db');
    const backedUp = await service.cli(['backup', backup]);
    assert.equal(backedUp.code, 0, backedUp.stderr);
    search.text('the log', await service.output());
    const running = search.folder(dataDir) + search.folder(temporary) + search.folder(runDir);
    assert.ok(search.database(join(dataDir, 'sluice.db')) > 100);
    await service.stop();
    const stopped = search.folder(dataDir) + search.folder(runDir);
    assert.ok(running > 5 && stopped > 1, `${running} files, then ${stopped}`);
    search.text('the log', await service.output());
    found(search);
    // The same search finds what is no secret.
    const control = new LeakSearch({ marker: MARKER });
    control.folder(dataDir);
    control.folder(temporary);
    assert.ok(control.leaks.length > 0);
  });
});
