import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DATA, WITHOUT_DATA } from '../egress/conformance.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';
import type { Problem } from '../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';
const JSON_TYPE = { 'content-type': 'application/json' };

interface Echo {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

describe('bodies of callers', () => {
  const site = useSite();
  const service = useOwnService({ SLUICE_DIALECTS: 'firecrawl,scrapingbee,zyte' });
  const send = (raw: string | Uint8Array<ArrayBuffer>) =>
    service.api<Problem>('POST', SCRAPE, { raw, headers: JSON_TYPE });
  /** `text` has the target in place of `URL`. */
  const ask = (text: string) => send(text.replace('URL', `${site.url}/echo`));
  const pointerOf = (body: Problem) => body.errors[0]?.pointer;

  test('bodies of JSONTestSuite: only those that are not JSON are refused as invalid JSON', {
    skip: WITHOUT_DATA,
  }, async (t) => {
    const folder = join(DATA!, 'json/test_parsing');
    const counts = { y: 0, n: 0, i: 0 };
    for (const file of readdirSync(folder)) {
      const { status, body } = await send(Uint8Array.from(readFileSync(join(folder, file))));
      const kind = file[0] as keyof typeof counts;
      const told = `${file}: ${status} ${body.code}`;
      assert.equal(status, 400, told);
      // None of them is a scrape request, so valid JSON is refused by the schema.
      if (kind === 'y') assert.equal(body.code, 'request.validation', told);
      if (kind === 'n') assert.equal(body.code, 'request.invalid_json', told);
      counts[kind]++;
    }
    t.diagnostic(`${counts.y} must parse, ${counts.n} must not, ${counts.i} either: no 5xx`);
    assert.deepEqual(counts, { y: 95, n: 188, i: 35 });
  });

  test('deeply nested JSON is refused, and does not end the service', async () => {
    const deep = (open: string, shut: string, levels: number) =>
      `{"url":"URL","data":${open.repeat(levels)}1${shut.repeat(levels)}}`;
    assert.equal((await ask(deep('[', ']', 900))).status, 200);
    for (const levels of [1_100, 100_000, 2_000_000]) {
      const { status, body } = await ask(deep('[', ']', levels));
      assert.equal(status, 400, String(levels));
      assert.ok(body.code === 'request.validation' || body.code === 'request.invalid_json');
    }
    for (const member of [
      'headers',
      'query',
      'cookies',
      'scraper_options',
      'router',
      'proxy',
      'page_actions',
    ]) {
      for (const [open, shut] of [
        ['[', ']'],
        ['{"a":', '}'],
        ['{"then":[', ']}'],
        ['{"extract":', '}'],
      ] as const) {
        const text = `{"url":"URL","${member}":${open.repeat(20_000)}1${shut.repeat(20_000)}}`;
        const { status, body } = await ask(text);
        assert.equal(status, 400, member);
        assert.match(pointerOf(body) ?? '', new RegExp(`^/${member}|^$`), member);
      }
    }
  });

  /** By path: a body of it, in which `FREE` stands for a free value. */
  const BODIES = {
    [SCRAPE]: '{"url":"URL","data":FREE}',
    '/api/v1/batches/': '{"requests":[{"url":"URL","data":FREE}]}',
    '/api/v1/crawls/': '{"url":"URL","request":{"data":FREE}}',
    '/api/v1/maps/': '{"url":"URL","request":FREE}',
    '/api/v1/monitors/': '{"name":"m","request":{"url":"URL","data":FREE}}',
    '/api/v1/schedules/': '{"name":"m","job":{"kind":"scrape","url":"URL","data":FREE}}',
    '/api/v1/saved-requests/': '{"name":"s","request":{"url":"URL","data":FREE}}',
    '/api/v1/templates/': '{"name":"t","rules":FREE}',
    '/api/v1/import/': '{"har":FREE}',
    '/api/v1/proxies/pools/': '{"name":"p","proxies":FREE}',
    '/v2/scrape': '{"url":"URL","formats":FREE}',
    '/v2/crawl': '{"url":"URL","scrapeOptions":FREE}',
    '/v1/extract': '{"url":"URL","httpResponseBody":true,"customHttpRequestHeaders":FREE}',
    '/mcp': '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":FREE}',
  };
  const members = (count: number, join: string) =>
    Array.from({ length: count }, (_, n) => `"a${n}":1`).join(join);
  /** More than a body may have. */
  const EXCESS = {
    'levels of arrays': '['.repeat(2_000) + ']'.repeat(2_000),
    'levels of objects': '{"a":'.repeat(2_000) + 1 + '}'.repeat(2_000),
    'levels that are not closed': '['.repeat(2_000_000),
    'different names of one object': `{${members(25_001, ',')}}`,
    'different names of many objects': `[{${members(25_001, '},{')}}]`,
    'objects of many names': `[${Array.from({ length: 25_001 }, (_, n) => `{"a${n % 301}":1}`).join(',')}]`,
    'many names after as many objects': `[${'{"a":1},'.repeat(25_000)}{${members(301, ',')}}]`,
    values: `[${'1,'.repeat(300_001)}1]`,
    objects: `[${'{},'.repeat(100_001)}1]`,
    'empty lists': `[${'[],'.repeat(100_001)}1]`,
    'repeated members of objects': `{${'"a":1,'.repeat(1_001)}"a":1}`,
  };
  const postTo = (path: string, text: string) =>
    service.api<Problem & { type: string; detail?: string; error?: string }>('POST', path, {
      raw: text.replace('URL', `${site.url}/echo`),
      headers: {
        ...JSON_TYPE,
        accept: 'application/json, text/event-stream',
        ...(path.startsWith('/v2/') && { authorization: `Bearer ${service.key}` }),
        ...(path === '/v1/extract' && { authorization: `Basic ${btoa(`${service.key}:`)}` }),
      },
    });

  for (const [path, body] of Object.entries(BODIES))
    test(`${path}: JSON that has too much, or a member twice, is refused before it is read`, async () => {
      for (const [what, free] of Object.entries(EXCESS)) {
        if (path !== SCRAPE && !/arrays|objects$/.test(what)) continue;
        const { status, text } = await postTo(path, body.replace('FREE', free));
        assert.equal(status, 400, what);
        assert.match(
          text,
          /nested deeper than|different names|members and elements|arrays and objects|already has/,
          what,
        );
      }
      const { status, text } = await postTo(path, body.replace('FREE', '{"a":1,"a":1}'));
      assert.equal(status, 400);
      assert.match(text, /a`? is given more than once/);
    });

  test('an archive in a text has the limits of a body', async () => {
    const har = (text: string) => service.api<Problem>('POST', '/api/v1/import/', { body: { har: text } });
    for (const [what, free] of Object.entries(EXCESS)) {
      const { status, body } = await har(free);
      assert.equal(status, 400, what);
      assert.equal(pointerOf(body), '/har', what);
    }
    assert.equal(pointerOf((await har('{"log":{"a":1,"a":1}}')).body), '/har/log/a');
  });

  test('a text for the target has no limits, but only JSON within them is sent as JSON', async () => {
    for (const [what, free] of Object.entries(EXCESS)) {
      const reply = await service.api<{ content: string }>('POST', SCRAPE, {
        body: { url: `${site.url}/echo`, method: 'POST', data: free },
      });
      assert.equal(reply.status, 200, what);
      assert.equal(site.log.at(-1)?.body.length, free.length, what);
    }
  });

  test('a member that stands twice in an object is named by its pointer', async () => {
    const cases: [text: string, ...pointers: string[]][] = [
      ['{"url":"URL","url":"URL"}', '/url'],
      ['{"url":"URL","\\u0075rl":"URL"}', '/url'],
      ['{"url":"URL","timeout_ms":1,"timeout_ms":1,"timeout_ms":1}', '/timeout_ms'],
      ['{"url":"URL","headers":{"a":"1","b":"2","a":"1"}}', '/headers/a'],
      ['{"url":"URL","data":[{"a":1},{"a":1},{"b":{"a":1},"c":[1,{"a":1}],"b":2}]}', '/data/2/b'],
      ['{"url":"URL","data":{"a":{"a":{"a":1},"x":1},"b":{"a":{"a":1,"a":2}}}}', '/data/b/a/a'],
      ['{"url":"URL","cookies":[{"name":"a","value":"b","name":"c"}]}', '/cookies/0/name'],
      ['{"url":"URL","data":{"~/":1,"~/":2,"":1,"":2}}', '/data/~0~1', '/data/'],
      ['{"url":"URL","data":{"__proto__":1,"__proto__":2}}', '/data/__proto__'],
      ['{"url":"URL","data":{"\ud83d\ude00":1,"😀":2}}', '/data/😀'],
      ['{"url":"URL","data":{"a\\"b":1,"a\\"b":2}}', '/data/a"b'],
      ['\ufeff{"url" : "URL" ,\n"url"\t:"URL"}', '/url'],
      ['{"url":"URL","data":12345678901234567890,"data":1}', '/data'],
    ];
    for (const [text, ...pointers] of cases) {
      const { status, body } = await ask(text);
      assert.equal(status, 400, text);
      assert.equal(body.code, 'request.validation', text);
      assert.deepEqual(
        body.errors.map(({ pointer }) => pointer),
        pointers,
        text,
      );
    }
    // Not twice in one object.
    for (const text of [
      '{"url":"URL","data":{"a":{"a":"a"},"b":["a","a",{"a":1},{"a":1}],"A":1,"a ":1}}',
      '{"url":"URL","data":"{\\"a\\":1,\\"a\\":2}"}',
    ])
      assert.equal((await ask(text)).status, 200, text);
    // The syntax goes first.
    assert.equal((await ask('{"url":"URL","url":"URL"')).body.code, 'request.invalid_json');
  });

  test('a body as large as honest ones is read', async () => {
    const data = {
      form: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field_${n}`, n])),
      rows: Array.from({ length: 15_000 }, (_, id) => ({ id, name: 'n', tags: [] })),
      points: Array.from({ length: 150_000 }, (_, n) => n / 8),
    };
    const { status } = await service.scrape({ url: `${site.url}/echo`, method: 'POST', data });
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(String(site.log.at(-1)?.body)), data);
  });

  test('names of Object.prototype are treated as any other name', async (t) => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'];
    for (const name of names) {
      await t.test(`${name} as an unknown member`, async () => {
        const places: [text: string, pointer: string][] = [
          [`{"url":"URL","${name}":1}`, `/${name}`],
          [`{"url":"URL","${name}":{"url":"x"}}`, `/${name}`],
          [`{"url":"URL","${name}":null}`, `/${name}`],
          [`{"url":"URL","router":{"${name}":{"dry_run":true}}}`, `/router/${name}`],
          [`{"url":"URL","scraper_options":{"${name}":null}}`, `/scraper_options/${name}`],
          [`{"url":"URL","router":{"accept":{"${name}":{}}}}`, `/router/accept/${name}`],
          [`{"url":"URL","cookies":[{"name":"a","value":"b","${name}":1}]}`, `/cookies/0/${name}`],
          [`{"url":"URL","page_actions":[{"type":"wait","ms":1,"${name}":{}}]}`, `/page_actions/0/${name}`],
        ];
        for (const [text, pointer] of places) {
          const { status, body } = await ask(text);
          assert.equal(status, 400, text);
          assert.equal(pointerOf(body), pointer, `${text}: ${JSON.stringify(body.errors)}`);
        }
        const { status } = await ask(`{"url":"URL","page_actions":[{"${name}":"#a"}]}`);
        assert.equal(status, 400);
        const scraper = await ask(`{"url":"URL","scraper":"${name}"}`);
        assert.equal(scraper.status, 400);
        assert.equal(pointerOf(scraper.body), '/scraper');
      });

      await t.test(`${name} where names are free`, async () => {
        const text = `{"url":"URL","query":{"${name}":"1"},"headers":{"${name}":"2"},"cookies":{"${name}":"3"},
          "data":{"${name}":{"a":4}},"method":"POST","router":{"tags":{"${name}":"5"}}}`;
        const reply = await service.api<Problem & { content: string; id: string }>('POST', SCRAPE, {
          raw: text.replace('URL', `${site.url}/echo`),
          headers: JSON_TYPE,
        });
        assert.equal(reply.status, 200, reply.text);
        const seen: Echo = JSON.parse(reply.body.content);
        assert.match(seen.url, new RegExp(`\\?${name}=1$`));
        assert.deepEqual(
          seen.headers.filter(([field]) => field === name),
          [[name, '2']],
        );
        assert.ok(seen.headers.some(([field, value]) => field === 'Cookie' && value === `${name}=3`));
        assert.equal(site.log.at(-1)?.body.toString(), `{"${name}":{"a":4}}`);
        const kept = await service.api('GET', `${SCRAPE}${reply.body.id}/request/`);
        for (const part of [`"${name}":"1"`, `"${name}":{"a":4}`, `"${name}":"5"`])
          assert.ok(kept.text.replaceAll(' ', '').includes(part), `${part} in ${kept.text}`);
      });
    }
    const clean = await service.scrape({ url: `${site.url}/text` });
    assert.equal(clean.status, 200, 'nothing of it stays behind');
    assert.equal(clean.body.router.outcome, 'ok');
  });

  for (const [path, status] of [
    [SCRAPE, 401],
    ['/api/v1/nothing/', 404],
    ['/api/v1/?api_key=wrong&url=http://localhost/', 401],
    ['/api/v1/?api_key=KEY&url=http://localhost/', 413],
    ['/v2/scrape', 401],
    ['/v1/extract', 401],
  ] as const)
    test(`${path}: a caller that still sends its body receives the refusal (${status})`, async () => {
      const { port } = new URL(service.base);
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      const errors: Error[] = [];
      socket.on('error', (error) => errors.push(error));
      let received = '';
      socket.setEncoding('latin1').on('data', (text) => {
        received += text;
      });
      socket.write(
        `POST ${path.replace('KEY', service.key)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n`,
      );
      socket.write(Buffer.alloc(100_000, ' '));
      await eventually(() => received.includes('\r\n\r\n'));
      assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} [^]*?connection: close\\r\\n`, 'i'));
      // To a socket that was closed at once, the second of these writes would fail.
      for (let n = 0; n < 5; n++) {
        socket.write(Buffer.alloc(10_000, ' '));
        await setTimeout(20);
      }
      assert.deepEqual(errors, []);
      socket.destroy();
    });

  test('header injection: no value of the caller can end a header line', async () => {
    const url = `${site.url}/echo`;
    const evil = ['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'a\rX-Evil: 1', 'a\0b', '\r\n\r\nGET /evil HTTP/1.1\r\n'];
    for (const bad of evil) {
      const rows: [ask: Record<string, unknown>, pointer: string][] = [
        [{ headers: { a: bad } }, '/headers/a'],
        [{ headers: { a: ['b', bad] } }, '/headers/a'],
        [{ headers: { [bad]: 'a' } }, `/headers/${bad.replaceAll('/', '~1')}`],
        [{ headers: { 'user-agent': bad } }, '/headers/user-agent'],
        [{ headers: { cookie: bad } }, '/headers/cookie'],
        [{ scraper_options: { user_agent: bad } }, '/scraper_options/user_agent'],
        [{ cookies: { a: bad } }, '/cookies/a'],
        [{ cookies: { [bad]: 'a' } }, `/cookies/${bad.replaceAll('/', '~1')}`],
        [{ cookies: [`a=${bad}`] }, '/cookies/0'],
        [{ cookies: [{ name: 'a', value: bad }] }, '/cookies/0'],
        [{ method: bad }, '/method'],
        [{ data: { $base64: 'YQ==', content_type: bad } }, '/data'],
      ];
      for (const [more, pointer] of rows) {
        const { status, body } = await service.scrape({ url, ...more });
        const told = `${JSON.stringify(more)}: ${status} ${JSON.stringify(body.errors)}`;
        assert.equal(status, 400, told);
        assert.ok(
          body.errors.some((one) => one.pointer?.startsWith(pointer)),
          told,
        );
      }
    }
    site.log.length = 0;
    const quiet: [ask: Record<string, unknown>][] = [
      [{ url: `${url}?a=b\r\nX-Evil:1` }],
      [{ url: `${url}/a\nb\tc` }],
      [{ url, query: { 'a\r\nX-Evil: 1': 'b\r\nX-Evil: 1' } }],
      [{ url: `http://user\r\nX-Evil%0d%0a:pass@${new URL(url).host}/echo` }],
      [{ url: `${url}#\r\nX-Evil: 1` }],
      [{ url, data: { $form: { 'a\r\nb': 'c\r\nd' } } }],
    ];
    for (const [request] of quiet) {
      const { status, text } = await service.scrape(request);
      assert.equal(status, 200, text);
    }
    const multipart = {
      name: 'a"\r\nX-Evil: 1',
      value: 'v',
      filename: 'f"\r\nX-Evil: 2',
      content_type: 'text/plain',
    };
    const made = await service.scrape({ url, method: 'POST', data: { $multipart: [multipart] } });
    assert.ok(made.status === 200 || made.status === 400);
    const badType = { ...multipart, name: 'a', filename: 'f', content_type: 'a/b\r\nX-Evil: 1' };
    assert.equal((await service.scrape({ url, data: { $multipart: [badType] } })).status, 400);
    for (const { headers, body } of site.log) {
      assert.equal(
        headers.some(([name]) => /evil/i.test(name)),
        false,
      );
      assert.doesNotMatch(body.toString('latin1'), /\r\nX-Evil/);
    }
    assert.ok(site.log.length >= quiet.length);
  });

  test('no value of the request becomes a response header', async () => {
    for (const id of ['a\tb', 'x'.repeat(65), 'ä', '"', '<b>', '']) {
      const reply = await service.api('GET', '/api/v1/scrapers/', {
        headers: { 'x-request-id': Buffer.from(id).toString('latin1') },
      });
      assert.notEqual(reply.headers.get('x-request-id'), id);
      assert.match(reply.headers.get('x-request-id')!, /^[0-9a-f]{12}-[0-9a-z]+$/);
    }
  });

  test('the response for a record of another user equals that for an unknown record', async () => {
    const { key } = await createUser(service);
    const mine = await service.scrape({ url: `${site.url}/text` });
    const unknown = mine.body.id!.replace(/.{12}$/, '000000000000');
    for (const [method, part] of [
      ['GET', ''],
      ['GET', 'request/'],
      ['DELETE', ''],
    ] as const) {
      const answers = [];
      for (const id of [mine.body.id!, mine.body.id!.toUpperCase(), unknown, 'no-id']) {
        const { status, body } = await service.api<Problem>(method, `${SCRAPE}${id}/${part}`, { key });
        assert.equal(status, 404);
        answers.push(JSON.stringify({ ...body, request_id: '' }));
      }
      assert.equal(new Set(answers).size, 1, answers.join('\n'));
    }
    assert.equal((await service.api('GET', `${SCRAPE}${mine.body.id}/`)).status, 200);
  });

  test('a Content-Type without a body is accepted by endpoints that take no body', async () => {
    const { body: user } = await service.api<{ id: string }>('POST', '/api/v1/users/', {
      body: { email: 'typed@example.com' },
    });
    for (const type of ['application/json', 'text/plain', 'none/']) {
      const headers = { 'content-type': type };
      const { body } = await service.scrape({ url: `${site.url}/echo`, scraper: 'http' });
      assert.equal((await service.api('DELETE', `${SCRAPE}${body.id}/`, { headers })).status, 204, type);
      const made = await service.api<{ id: string }>('POST', '/api/v1/keys/', { body: { name: 'typed' } });
      const key = `/api/v1/keys/${made.body.id}/`;
      assert.equal((await service.api('DELETE', key, { headers })).status, 204, type);
      const link = await service.api('POST', `/api/v1/users/${user.id}/link/`, { headers });
      assert.equal(link.status, 201, type);
    }
  });

  test('an empty body is no body, whatever its type and however it is sent', async () => {
    const missing = '01890a5d-ac96-774b-bcce-b302099a8057';
    const calls: [method: string, path: string, status: number][] = [
      ['DELETE', `/v2/crawl/${missing}`, 404],
      ['DELETE', `/v2/batch/scrape/${missing}`, 404],
      ['DELETE', `/v2/monitor/${missing}`, 404],
      ['DELETE', `/v1/crawl/${missing}`, 404],
      ['POST', `/v2/monitor/${missing}/run`, 404],
      ['DELETE', `/api/v1/jobs/${missing}/`, 404],
      ['POST', `/api/v1/jobs/${missing}/pause/`, 404],
      ['DELETE', `${SCRAPE}${missing}/`, 404],
      ['POST', `/api/v1/monitors/${missing}/run/`, 404],
      // These need a body.
      ['POST', SCRAPE, 400],
      ['POST', '/api/v1/keys/', 400],
      ['POST', '/api/v1/batches/', 400],
      ['POST', '/v2/scrape', 400],
    ];
    const send = (method: string, path: string, fields: string[]) =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(service.base);
        const socket = connect({ port: Number(port), host: hostname });
        const head = [
          `${method} ${path} HTTP/1.1`,
          `Host: ${hostname}:${port}`,
          `Authorization: Bearer ${service.key}`,
          ...fields,
        ];
        let text = '';
        socket.on('data', (piece) => {
          text += piece;
        });
        socket.on('end', () => resolve(text)).on('error', reject);
        const body = fields.includes('Transfer-Encoding: chunked') ? '0\r\n\r\n' : '';
        socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
      });
    for (const [method, path, status] of calls)
      for (const type of ['application/json', 'application/json; charset=utf-8', 'text/plain', null])
        for (const length of ['Content-Length: 0', 'Transfer-Encoding: chunked']) {
          const fields = [...(type === null ? [] : [`Content-Type: ${type}`]), length];
          const reply = await send(method, path, fields);
          const told = `${method} ${path} ${fields}: ${reply}`;
          const got = Number(reply.split(' ')[1]);
          if (status === 400 && !/json/.test(type ?? '')) assert.ok(got === 400 || got === 415, told);
          else assert.equal(got, status, told);
        }
  });

  test('a body of another type is refused, also where none is needed', async () => {
    const path = '/v2/crawl/01890a5d-ac96-774b-bcce-b302099a8057';
    const { status } = await service.api('DELETE', path, {
      raw: 'a=1',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Bearer ${service.key}`,
      },
    });
    assert.equal(status, 415);
  });
});
