import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { S3BlobOptions } from '../../../src/adapters/blobs/s3-blob-store.ts';
import { browsersHome } from '../../../src/browser/engine/browser-folders.ts';
import { USER } from '../../adapters/browser/stage.ts';
import { endOf, startBatch } from '../../end-to-end/job-calls.ts';
import { makeMonitor, runNow } from '../../end-to-end/monitoring.ts';
import { makeSchedule, runScheduleNow } from '../../end-to-end/scheduling.ts';
import { streamScrape } from '../../end-to-end/stream-scrape.ts';
import { runChild } from '../../helpers/child.ts';
import { type Collector, startCollector } from '../../helpers/collector.ts';
import { LeakSearch, searchDump } from '../../helpers/leaks.ts';
import { postgresProgram } from '../../helpers/postgres.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { S3_BUCKET, S3_KEY, s3Folder, s3Options } from '../../helpers/s3.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import {
  databaseUrlOf,
  eventually,
  type Service,
  type ServiceApi,
  startService,
} from '../../helpers/service.ts';
import { profileKey } from '../../helpers/visitor.ts';
import { CREDENTIALS, type LeakySite, MARKER, SECRETS, startLeakySite } from './leaky-site.ts';

const PROFILES = '/api/v1/profiles/';
const METRICS_TOKEN = 'to-see-the-metrics';
const HAS_BROWSER = SCRAPERS.includes('browser');
const cookie = (name: string, value: string) => ({ name, value, domain: '127.0.0.1', path: '/' });

const inS3 = ({ endpoint, prefix }: S3BlobOptions) => ({
  SLUICE_S3_ENDPOINT: endpoint,
  SLUICE_S3_BUCKET: S3_BUCKET,
  SLUICE_S3_ACCESS_KEY_ID: S3_KEY,
  SLUICE_S3_SECRET_ACCESS_KEY: S3_KEY,
  SLUICE_S3_PREFIX: prefix,
});
const targetInS3 = ({ endpoint }: S3BlobOptions, key: string) => ({
  ...{ kind: 's3', endpoint, bucket: S3_BUCKET, key, path_style: true },
  ...{ access_key_id: S3_KEY, secret_access_key: S3_KEY },
});

/**
 * Uses profiles with known secrets in every way, and searches every place for them.
 * @param contents where large contents are stored: the database with its files, or S3
 */
export function profileLeaks(contents: 'the store' | 'S3'): void {
  describe(`large contents in ${contents}: no secret of a profile is anywhere but in the profile`, () => {
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
    /** Paths of what else callers may read. */
    const paths: string[] = [];

    before(async () => {
      mkdirSync(temporary);
      site = await startLeakySite();
      receiver = await startReceiver();
      collector = await startCollector();
      const s3 = await s3Options();
      service = await startService(
        {
          ...(contents === 'S3' ? inS3(s3) : {}),
          TMPDIR: temporary,
          SLUICE_LOG_LEVEL: 'trace',
          SLUICE_METRICS_TOKEN: METRICS_TOKEN,
          SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8',
          SLUICE_EXPORT_ALLOW: '127.0.0.0/8',
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
      // Of which no page asks to log in: crawls, monitors and schedules would do nothing then.
      await create({ name: 'lasting', storage_state: state });
      const line = ['127.0.0.1', 'FALSE', '/', 'FALSE', '0', 'text', SECRETS.text].join('\t');
      await create({ name: 'text', cookies_txt: `${line}\n` });
      for (const name of ['ann', 'again'])
        await create({ name, sites: ['127.0.0.1'], credentials: CREDENTIALS });
      const input = JSON.stringify({ cookies: [cookie('command', SECRETS.command)] });
      const uploaded = await service.cli(['profile', 'upload', 'command', '--from', '-'], {
        input,
        env: { SLUICE_URL: service.base, SLUICE_KEY: owner.key },
      });
      assert.equal(uploaded.code, 0, uploaded.stderr);
      told.push(['the command line', uploaded.stdout + uploaded.stderr]);
      const changed = await owner.api('PATCH', `${PROFILES}text/`, {
        body: { storage_state: { cookies: [cookie('text', SECRETS.text)], origins: [] } },
      });
      assert.equal(changed.status, 200, changed.text);
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
        const stream = await streamScrape(owner, {
          ...{ url: `${site.url}/hop`, scraper, scraper_options: { profile: 'state' } },
        });
        await stream.ended;
        assert.equal(stream.events.at(-1)?.type, 'result');
        told.push(['a stream', JSON.stringify(stream.events)]);
        const broken = await scrape('/broken', 'state', { scraper, timeout_ms: 5_000 });
        assert.equal(broken.body.status_code, null, broken.text);
      });

    test('a log-in, scripts, captures, and a browser that runs', { skip: !HAS_BROWSER }, async () => {
      const capture = [{ url: '**', body: true }];
      const inBrowser = { scraper: 'browser', scraper_options: { capture, formats: ['html', 'text'] } };
      const failed = await scrape('/private', 'ann', inBrowser);
      assert.equal(failed.body.router.outcome, 'blocked', failed.text);
      const logged = await scrape('/login', 'ann', { ...inBrowser, page_actions: [{ login: 'ann' }] });
      assert.match(logged.body.content!, /private/);
      assert.ok(logged.body.content!.length > 262_144);
      const read =
        'async () => [document.cookie, { ...localStorage }, (await (await fetch("/token")).json())]';
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
      const hops = await scrape('/hop', 'ann', {
        ...inBrowser,
        page_actions: [{ evaluate: 'location.href' }],
      });
      assert.equal(hops.body.status_code, 200);
      const cookies = [...site.cookies].join('\n');
      for (const name of ['state', 'text', 'command', 'session', 'renewedByScript', 'renewedByHttp'] as const)
        assert.ok(cookies.includes(SECRETS[name]), `the site got no ${name}`);
      assert.equal(site.codes.length, 1);
    });

    test('a scrape that logs in again', { skip: !HAS_BROWSER }, async () => {
      for (const scraper of ['browser', 'http']) {
        const done = await scrape('/private', { name: 'again', relogin: true }, { scraper });
        assert.match(done.body.content!, /private/, done.text);
      }
      assert.equal(site.codes.length, 2);
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
            scraper_options: { profile, formats: ['markdown'] },
          })),
        ),
      );
      const batch = await startBatch(owner, { requests, webhook, retries: 0, on_logged_out: 'continue' });
      await endOf(owner, batch);
      const crawl = await owner.api<{ id: string }>('POST', '/api/v1/crawls/', {
        body: {
          url: site.url,
          webhook,
          request: { scraper: 'http', scraper_options: { profile: 'lasting', formats: ['markdown'] } },
        },
      });
      assert.equal(crawl.status, 202, crawl.text);
      assert.equal((await endOf(owner, crawl.body.id)).counts.ok, 3);
      for (const id of [batch, crawl.body.id]) {
        const path = `/api/v1/jobs/${id}`;
        paths.push(`${path}/results/?include=full`, `${path}/events/`);
        for (const format of ['jsonl', 'csv', 'xlsx', 'zip']) paths.push(`${path}/export/?format=${format}`);
      }
      const target = targetInS3(await s3Options(), `${batch}.xlsx`);
      const exporting = await owner.api<{ id: string }>('POST', `/api/v1/jobs/${batch}/export/`, {
        body: { format: 'xlsx', target },
      });
      assert.equal(exporting.status, 202, exporting.text);
      const request = { url: `${site.url}/hop`, scraper: 'http', scraper_options: { profile: 'lasting' } };
      const monitor = await makeMonitor(owner, { request, webhook });
      paths.push(`/api/v1/monitors/${monitor}/runs/`);
      const compared = [await runNow(owner, monitor), await runNow(owner, monitor)];
      assert.deepEqual(
        compared.map(({ state }) => state),
        ['first', 'same'],
      );
      const dataset = await owner.api<{ id: string }>('POST', '/api/v1/datasets/', {
        body: { name: 'rows' },
      });
      assert.equal(dataset.status, 201, dataset.text);
      const options = {
        ...request.scraper_options,
        extract: { text: 'body', page: { selector: 'html', output: 'html' } },
      };
      const job = { kind: 'scrape', ...request, scraper_options: options };
      await runScheduleNow(owner, await makeSchedule(owner, { job, dataset: dataset.body.id }));
      const rows = `/api/v1/datasets/${dataset.body.id}/rows/`;
      await eventually(async () => (await owner.api('GET', rows)).text.includes(MARKER));
      paths.push(rows);
      const later = await owner.scrape(
        { ...request, router: { webhook } },
        { headers: { prefer: 'respond-async', 'idempotency-key': 'once' } },
      );
      assert.equal(later.status, 202, later.text);
      const ends = [batch, crawl.body.id, later.body.id, monitor];
      await eventually(async () => {
        type Deliveries = { readonly items: readonly Record<'source_id' | 'type' | 'state', string>[] };
        const { items } = (await owner.api<Deliveries>('GET', '/api/v1/webhooks/?limit=200')).body;
        const isDone = (id: unknown) =>
          items.some(({ source_id, type }) => source_id === id && type.endsWith('.done'));
        return ends.every(isDone) && items.every(({ state }) => state === 'delivered');
      });
      await eventually(async () => {
        const { body } = await owner.api<{ state: string }>('GET', `/api/v1/exports/${exporting.body.id}/`);
        return body.state === 'done';
      });
    });

    test('answers, records, messages, metrics, traces, the log, files and backups have none', async () => {
      const search = newSearch();
      const control = (search: (control: LeakSearch) => unknown) => {
        const one = new LeakSearch({ marker: MARKER });
        search(one);
        assert.ok(one.leaks.length > 0, 'the same search does not find what is no secret');
      };
      const ask = async (path: string, authorization = `Api-Key ${owner.key}`) => {
        const reply = await fetch(service.base + path, { headers: { authorization } });
        const bytes = Buffer.from(await reply.arrayBuffer());
        assert.ok(reply.status < 300, `${path} ${reply.status} ${bytes}`);
        search.buffer(path, bytes);
        return bytes;
      };
      for (const id of scrapes) for (const end of ['', 'request/']) await ask(`/api/v1/scrape/${id}/${end}`);
      for (const path of [
        'scrape/?limit=200',
        'scrape/export/?format=jsonl',
        'jobs/',
        'profiles/',
        'webhooks/',
        'notifications/',
        'stats/?window=1h',
      ])
        await ask(`/api/v1/${path}`);
      await ask('/api/v1/audit/?limit=200', `Api-Key ${service.key}`);
      for (const path of paths) {
        const bytes = await ask(path);
        if (path.endsWith('zip')) control((one) => one.buffer(path, bytes));
      }
      await ask('/metrics', `Bearer ${METRICS_TOKEN}`);
      for (const [what, text] of told) search.text(what, text);
      for (const { text } of receiver.messages) search.text('a webhook', text);
      assert.ok(receiver.messages.length > 5);
      assert.ok(collector.exports.length > 0);
      for (const { body } of collector.exports) search.buffer('a trace', body);
      const databaseUrl = databaseUrlOf(dataDir);
      if (databaseUrl === undefined) {
        const backedUp = await service.cli(['backup', join(temporary, 'backup.db')]);
        assert.equal(backedUp.code, 0, backedUp.stderr);
        assert.ok(search.database(join(dataDir, 'sluice.db')) > 100);
        control((one) => one.folder(temporary));
        control((one) => one.folder(dataDir));
      } else {
        const dump = await runChild(postgresProgram('pg_dump'), [databaseUrl], {});
        assert.equal(dump.code, 0, dump.stderr);
        searchDump(search, dump.stdout);
        control((one) => searchDump(one, dump.stdout));
      }
      const inBucket = await s3Folder();
      assert.ok(search.folder(inBucket) > 0);
      if (contents === 'S3') control((one) => one.folder(inBucket));
      search.text('the log', await service.output());
      const running = search.folder(dataDir) + search.folder(temporary) + search.folder(runDir);
      await service.stop();
      const stopped = search.folder(dataDir) + search.folder(runDir);
      assert.ok(running > 2 && stopped > 0, `${running} files, then ${stopped}`);
      search.text('the log', await service.output());
      found(search);
    });
  });
}
