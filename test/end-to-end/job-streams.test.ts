import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { eventually, type ServiceApi, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { endOf, jobOf, startBatch } from './job-calls.ts';

interface Stream {
  readonly status: number;
  readonly type: string;
  /** What has arrived so far. */
  text(): string;
  /** Resolves when the service has closed the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

async function open(
  service: ServiceApi,
  path: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const closing = new AbortController();
  const response = await fetch(service.base + path, {
    headers: { authorization: `Api-Key ${service.key}`, ...headers },
    signal: closing.signal,
  });
  let received = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) received += decoder.decode(chunk, { stream: true });
  };
  const ended = read().catch(() => {});
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: () => received,
    ended,
    close: () => closing.abort(),
  };
}

const LINES = { accept: 'application/x-ndjson' };
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const eventsOf = (text: string) =>
  [...text.matchAll(/id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/g)].map(([, id, event, data]) => ({
    id: Number(id),
    event,
    data: JSON.parse(data!),
  }));

describe('streams and exports of a job', () => {
  const site = useSite();
  const service = useService();
  const streams: Stream[] = [];
  after(() => {
    for (const stream of streams) stream.close();
  });
  const opened = async (path: string, headers?: Record<string, string>) => {
    const stream = await open(service, path, headers);
    streams.push(stream);
    return stream;
  };

  test('results as lines; `follow` goes on until the end', async () => {
    const id = await startBatch(service, {
      requests: Array.from({ length: 25 }, (_, n) => ({ url: `${site.url}/slow?n=${n}`, ref: String(n) })),
      defaults: { scraper: 'http' },
      concurrency: 5,
    });
    const follow = await opened(`/api/v1/jobs/${id}/results/?follow=1&include=none`, LINES);
    assert.equal(follow.type, 'application/x-ndjson');
    await eventually(() => linesOf(follow.text()).length > 0);
    await follow.ended;
    assert.deepEqual(
      linesOf(follow.text()).map(({ n }) => n),
      Array.from({ length: 25 }, (_, n) => n + 1),
    );
    assert.equal((await jobOf(service, id)).state, 'done');
    const rest = await opened(`/api/v1/jobs/${id}/results/?cursor=20&include=full`, LINES);
    await rest.ended;
    const lines = linesOf(rest.text());
    assert.equal(lines.length, 5);
    assert.equal(typeof lines[0].scrape.status_code, 'number');
    assert.equal(lines[0].gone, null);
  });

  test('events with their numbers; `Last-Event-ID` continues; 204 after the last', async () => {
    const id = await startBatch(service, {
      requests: [{ url: `${site.url}/text`, ref: 'a' }, { url: 'http://127.0.0.1:1/' }],
      defaults: { scraper: 'http' },
      retries: 0,
    });
    const path = `/api/v1/jobs/${id}/events/`;
    const all = await opened(path);
    assert.equal(all.type, 'text/event-stream');
    await all.ended;
    const events = eventsOf(all.text());
    assert.deepEqual(
      events.map(({ id: number }) => number),
      [1, 2, 3, 4],
    );
    assert.equal(events[0]!.event, 'started');
    assert.partialDeepStrictEqual(events[3]!, {
      event: 'done',
      data: { counts: { ok: 1, failed: 1 }, item: null },
    });
    const page = events.find(({ event }) => event === 'page')!;
    assert.partialDeepStrictEqual(page.data, { item: { ref: 'a', state: 'ok' } });
    const rest = await opened(path, { 'last-event-id': '3' });
    await rest.ended;
    assert.deepEqual(
      eventsOf(rest.text()).map(({ event }) => event),
      ['done'],
    );
    assert.equal((await opened(path, { 'last-event-id': '4' })).status, 204);
  });

  test('open streams are limited, and hold a place for requests', async () => {
    const id = await startBatch(service, {
      requests: [{ url: `${site.url}/hang`, scraper: 'http', timeout_ms: 60_000 }],
    });
    const held = [];
    for (let n = 0; n < 20; n++) held.push(await opened(`/api/v1/jobs/${id}/events/`));
    const refused = await service.api('GET', `/api/v1/jobs/${id}/results/?follow=1`, { headers: LINES });
    assert.equal(refused.status, 429);
    assert.equal((refused.body as { code: string }).code, 'limit.streams');
    const { headers } = await service.api('GET', '/api/v1/scrapers/');
    assert.equal(headers.get('ratelimit'), '"concurrency";r=29');
    for (const stream of held) stream.close();
    await eventually(async () => {
      const reply = await opened(`/api/v1/jobs/${id}/events/`);
      return reply.status === 200;
    });
    await service.api('DELETE', `/api/v1/jobs/${id}/`);
  });

  test('exports: lines, a table, and Markdown in folders', async () => {
    const id = await startBatch(service, {
      requests: [
        { url: `${site.url}/html`, ref: '=a' },
        { url: `${site.url}/html?page=2&x=../..` },
        { url: 'http://127.0.0.1:1/' },
      ],
      defaults: { scraper: 'http', scraper_options: { formats: ['markdown'] } },
      retries: 0,
    });
    await endOf(service, id);
    const path = `/api/v1/jobs/${id}/export/`;
    const jsonl = await service.api('GET', path);
    assert.equal(linesOf(jsonl.text).length, 3);
    const csv = await service.api('GET', `${path}?format=csv`);
    assert.match(csv.headers.get('content-disposition')!, new RegExp(`job-${id}\\.csv`));
    const [head, ...rows] = csv.text.trim().split('\r\n');
    assert.match(head!, /^n,ref,url,/);
    assert.equal(rows.length, 3);
    assert.ok(
      rows.some((row) => row.includes("'=a")),
      'no formulas',
    );
    const response = await fetch(`${service.base}${path}?format=zip`, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const host = new URL(site.url).host.replace(':', '_');
    assert.deepEqual(
      Object.keys(files).toSorted(),
      [`${host}/html.md`, `${host}/html_page_2_x_.._...md`, 'index.jsonl'].toSorted(),
    );
    const index = linesOf(strFromU8(files['index.jsonl']!));
    assert.deepEqual(index.map(({ file, state }) => [state, file === null]).toSorted(), [
      ['failed', true],
      ['ok', false],
      ['ok', false],
    ]);
    assert.ok(strFromU8(files[`${host}/html.md`]!).length > 0);
  });

  test('a table has the data of each item', async () => {
    const id = await startBatch(service, {
      requests: [
        {
          url: `${site.url}/html`,
          scraper_options: { extract: { title: 'title', all: { selector: 'p', type: 'list' } } },
        },
        { url: `${site.url}/html?b`, scraper_options: { extract: { other: 'title', none: '.none' } } },
        {
          url: `${site.url}/html?c`,
          scraper_options: { json: { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
        },
        { url: 'http://127.0.0.1:1/' },
      ],
      defaults: { scraper: 'http' },
      concurrency: 1,
      retries: 0,
    });
    await endOf(service, id);
    const path = `/api/v1/jobs/${id}/export/`;
    const lines = linesOf((await service.api('GET', path)).text) as unknown as readonly {
      readonly url: string;
      readonly scraper_data: { readonly extract?: Readonly<Record<string, unknown>> } | null;
    }[];
    const dataOf = (end: string) => lines.find(({ url }) => url.endsWith(end))!.scraper_data!.extract!;
    const { headers, text } = await service.api('GET', `${path}?format=csv`);
    assert.match(headers.get('content-type')!, /^text\/csv/);
    const [head, ...rows] = text.trim().split('\r\n');
    const columns = head!.split(',');
    assert.deepEqual(columns.filter((name) => name.startsWith('extract.')).sort(), [
      'extract.all',
      'extract.none',
      'extract.other',
      'extract.title',
    ]);
    assert.ok(
      columns.some((name) => name.startsWith('json')),
      head!,
    );
    assert.equal(rows.length, 4);
    const title = String(dataOf('/html').title);
    assert.ok(title.length > 0);
    assert.equal(dataOf('?b').other, title);
    assert.equal(rows.filter((row) => row.includes(title)).length >= 2, true, text);
    const quoted = JSON.stringify(dataOf('/html').all).replaceAll('"', '""');
    assert.ok(text.includes(quoted), text);
  });

  test('results whose record is gone say so', async () => {
    const id = await startBatch(service, { requests: [{ url: `${site.url}/text`, scraper: 'http' }] });
    await endOf(service, id);
    const first = async () =>
      (
        (await service.api('GET', `/api/v1/jobs/${id}/results/`)).body as {
          items: { scrape: string; gone: string | null }[];
        }
      ).items[0]!;
    const { scrape, gone } = await first();
    assert.equal(gone, null);
    await service.api('DELETE', `/api/v1/scrape/${scrape}/`);
    assert.equal((await first()).gone, 'storage');
  });
});
