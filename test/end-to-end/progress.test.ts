// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { listen } from '../helpers/free-port.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import type { Problem, ScrapeAnswer } from '../helpers/wire-types.ts';
import { type ScrapeEvent, streamScrape } from './stream-scrape.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** The data of each event `progress` without `elapsed_ms`. */
const steps = (events: readonly ScrapeEvent[]) =>
  events
    .filter(({ type }) => type === 'progress')
    .map(({ data }) => {
      const { elapsed_ms, ...step } = data;
      assert.ok(Number.isInteger(elapsed_ms) && (elapsed_ms as number) >= 0);
      return step;
    });
const last = ({ events }: { readonly events: readonly ScrapeEvent[] }) => events.at(-1)!;
const step = (phase: string, members: object = {}) => ({
  phase,
  waiting_for: null,
  attempt: { n: 1, of: 1, scraper: 'http', proxy_type: 'datacenter' },
  action: null,
  ...members,
});

describe('a scrape with Accept: text/event-stream', () => {
  const service = useOwnService({ SLUICE_SITE_CONCURRENCY: '1' });
  let server: Server;
  let url = '';
  /** Requests that wait for their response. */
  const held: ServerResponse[] = [];
  let failures = 0;
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/held') return void held.push(response);
      if (request.url === '/fails' && failures++ === 0) return void response.writeHead(503).end();
      const text = `<h1>Fox</h1><p>${request.url === '/large' ? 'é"\n'.repeat(200_000) : 'brown\u2028"'}</p>`;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text);
    });
    url = `http://127.0.0.1:${await listen(server)}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  test('says what it does, and ends with the body of the ordinary response', async () => {
    for (const path of ['/small', '/large']) {
      const request = {
        url: url + path,
        scraper: 'http',
        router: { max_attempts: 1 },
        scraper_options: { extract: { h: 'h1' } },
      };
      const { body } = await service.scrape(request);
      const stream = await streamScrape(service, request);
      assert.equal(stream.status, 200);
      assert.equal(stream.headers.get('content-type'), 'text/event-stream');
      assert.equal(stream.headers.get('cache-control'), 'no-store');
      assert.ok(stream.headers.get('ratelimit'));
      await stream.ended;
      assert.deepEqual(steps(stream.events), [step('fetching'), step('reading')]);
      const { type, data } = last(stream) as { type: string; data: ScrapeAnswer & Record<string, unknown> };
      assert.equal(type, 'result');
      assert.equal(data.content, body.content);
      assert.deepEqual(data.scraper_data, body.scraper_data);
      assert.deepEqual(Object.keys(data), Object.keys(body));
      // It is a scrape as any other.
      const record = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${data.id}/`);
      assert.equal(record.body.content, body.content);
    }
  });

  test('a wait for the site and a repeated attempt are reported when they happen', async () => {
    const first = await streamScrape(service, { url: `${url}/held`, scraper: 'http' });
    await eventually(async () => held.length === 1);
    const request = { url: `${url}/fails`, scraper: 'http', router: { max_attempts: 3 } };
    const second = await streamScrape(service, request);
    const attempt = { n: 1, of: 3, scraper: 'http', proxy_type: 'datacenter' };
    // The other scrape has the only slot of the site.
    await eventually(async () => steps(second.events).length === 1);
    assert.deepEqual(steps(second.events), [step('waiting', { waiting_for: 'site', attempt })]);
    for (const response of held.splice(0)) response.end('page');
    await Promise.all([first.ended, second.ended]);
    const again = { ...attempt, n: 2 };
    assert.deepEqual(steps(second.events), [
      step('waiting', { waiting_for: 'site', attempt }),
      step('fetching', { attempt }),
      step('reading', { attempt }),
      step('waiting', { waiting_for: 'retry', attempt: again }),
      step('fetching', { attempt: again }),
      step('reading', { attempt: again }),
    ]);
    assert.equal(last(second).type, 'result');
  });

  test('a failed scrape ends with its problem; a dry run has no steps', async () => {
    const failed = await streamScrape(service, {
      url: 'http://127.0.0.1:9/',
      scraper: 'http',
      router: { max_attempts: 1 },
    });
    await failed.ended;
    assert.equal(failed.status, 200);
    const { type, data } = last(failed);
    assert.equal(type, 'problem');
    assert.equal(data.status, 502);
    assert.equal(data.code, 'connect.refused');
    const planned = await streamScrape(service, { url, router: { dry_run: true } });
    await planned.ended;
    assert.deepEqual(
      planned.events.map(({ type }) => type),
      ['result'],
    );
    assert.equal((planned.events[0]!.data as unknown as ScrapeAnswer).router.outcome, 'planned');
  });

  test('a caller who hangs up cancels the scrape', async () => {
    const stream = await streamScrape(service, { url: `${url}/held`, scraper: 'http' });
    await eventually(async () => held.length === 1);
    stream.close();
    await eventually(async () => {
      const { body } = await service.api<{ items: { error_code: string | null }[] }>(
        'GET',
        '/api/v1/scrape/?limit=1',
      );
      return body.items[0]?.error_code === 'request.cancelled';
    });
    held.length = 0;
  });

  test('refusals are ordinary responses, and headers that ask for something else are refused', async () => {
    const accept = { accept: 'text/event-stream' };
    const invalid = await service.api<Problem>('POST', '/api/v1/scrape/', {
      headers: accept,
      body: { url: 1 },
    });
    assert.equal(invalid.status, 400);
    assert.equal(invalid.body.errors[0]!.pointer, '/url');
    for (const [name, value] of [
      ['idempotency-key', 'a'],
      ['prefer', 'respond-async'],
    ] as const) {
      const headers = { ...accept, [name]: value };
      const refused = await service.api<Problem>('POST', '/api/v1/scrape/', { headers, body: { url } });
      assert.equal(refused.status, 400, name);
      assert.match(refused.body.detail, /cannot be used together/);
    }
    // A caller who also takes JSON gets JSON.
    const both = { accept: 'application/json, text/event-stream' };
    const plain = await service.api('POST', '/api/v1/scrape/', {
      headers: both,
      body: { url, scraper: 'http' },
    });
    assert.equal(plain.headers.get('content-type'), 'application/json; charset=utf-8');
  });

  test('in a browser: the wait for it, and each page action', { skip }, async () => {
    const stream = await streamScrape(service, {
      url: `${url}/small`,
      scraper: 'browser',
      router: { max_attempts: 1 },
      page_actions: [
        { type: 'wait_for_selector', selector: 'h1' },
        { type: 'if', selector: 'p', then: [{ type: 'click', selector: 'p' }] },
      ],
    });
    await stream.ended;
    const attempt = { n: 1, of: 1, scraper: 'browser', proxy_type: 'datacenter' };
    const action = (n: number, type: string) => step('action', { attempt, action: { n, of: 2, type } });
    assert.deepEqual(steps(stream.events), [
      step('waiting', { waiting_for: 'browser', attempt }),
      step('fetching', { attempt }),
      action(1, 'wait_for_selector'),
      action(2, 'if'),
      action(2, 'click'),
      step('reading', { attempt }),
    ]);
  });
});
