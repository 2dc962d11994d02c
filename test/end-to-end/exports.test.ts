import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { xlsxFile } from '../../src/http/operations/xlsx-file.ts';
import { listen } from '../helpers/free-port.ts';
import { S3_BUCKET, S3_KEY, s3Port } from '../helpers/s3.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn } from '../helpers/visitor.ts';
import { endOf, startBatch } from './job-calls.ts';
import { useChangingSite } from './monitoring.ts';
import { makeSchedule, runScheduleNow, SCHEDULES } from './scheduling.ts';

interface Export {
  readonly id: string;
  readonly state: string;
  readonly tries: number;
  readonly status: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly bytes: number | null;
  readonly sent_to: string | null;
  readonly url: string | null;
  readonly target: Readonly<Record<string, unknown>>;
}

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A target that keeps what it gets, and answers by path. */
function useTarget() {
  const received: Received[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks) });
      const answer = answers.get(new URL(path, 'http://x').pathname);
      if (answer === undefined) response.writeHead(201).end();
      else answer(response);
    });
  });
  const target = { url: '', received, answers };
  before(async () => {
    await listen(server);
    target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  return target;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A way to the S3 server at `port`, at which the parts of uploads are counted. */
async function s3Counter(port: number) {
  const parts = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const part = new URL(url, 'http://x').searchParams.get('partNumber');
    if (method === 'PUT' && part !== null) parts.add(part);
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await listen(server);
  return {
    parts,
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

describe('exports', () => {
  const site = useChangingSite();
  const target = useTarget();
  const service = useOwnService({ SLUICE_EXPORT_ALLOW: '127.0.0.1' });
  const FORMULAS = ['=cmd|calc', '+1+1', '-2+3', '@SUM(A1)'];
  let job = '';
  before(async () => {
    const cells = FORMULAS.map((text, n) => `<p class="c${n}">${text}</p>`).join('');
    site.set('/formulas', `<title>=title</title>${cells}<b>12.5</b><i>Zoë &lt;x&gt;</i>`);
    job = await startBatch(service, {
      name: '=HYPERLINK("http://x")',
      requests: [{ url: `${site.url}/formulas`, ref: '=ref' }, { url: `${site.url}/missing` }],
      defaults: {
        scraper: 'http',
        scraper_options: {
          extract: { c0: '.c0', c1: '.c1', c2: '.c2', c3: '.c3', price: 'b', name: 'i' },
        },
      },
    });
    await endOf(service, job);
  });

  const exportTo = async (body: object, status = 202): Promise<Export> => {
    const made = await service.api('POST', `/api/v1/jobs/${job}/export/`, { body });
    assert.equal(made.status, status, JSON.stringify(made.body));
    return made.body as Export;
  };
  const exportOf = async (id: string) => (await service.api('GET', `/api/v1/exports/${id}/`)).body as Export;
  const ended = async (id: string) => {
    await eventually(async () => ['done', 'failed'].includes((await exportOf(id)).state));
    return await exportOf(id);
  };

  test('CSV and XLSX have the data as columns, and no formula runs', async () => {
    const csv = (await service.api('GET', `/api/v1/jobs/${job}/export/?format=csv`)).text;
    const [head, ...lines] = csv.trim().split('\r\n');
    assert.match(head!, /,extract\.c0,extract\.c1,extract\.c2,extract\.c3,extract\.price,extract\.name$/);
    const line = lines.find((one) => one.includes('/formulas'))!;
    assert.match(line, /,'=ref,/);
    assert.match(line, /,'=cmd\|calc,'\+1\+1,'-2\+3,'@SUM\(A1\),/);
    assert.match(line, /,Zoë <x>$/);

    const response = await fetch(`${service.base}/api/v1/jobs/${job}/export/?format=xlsx`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    assert.match(response.headers.get('content-type')!, /spreadsheetml\.sheet/);
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()), { readStyles: false });
    const [names, ...rows] = sheets[0]!.rows as unknown[][];
    const at = (name: string) =>
      rows.find((row) => String(row[names!.indexOf('url')]).includes('/formulas'))![names!.indexOf(name)];
    assert.deepEqual(
      FORMULAS.map((_, n) => at(`extract.c${n}`)),
      FORMULAS,
      'texts, as they are',
    );
    assert.equal(at('ref'), '=ref');
    assert.equal(at('extract.name'), 'Zoë <x>');
    assert.equal(sheets[0]!.cells?.size ?? 0, 0, 'no cell has a formula');
  });

  test('a sheet holds what Excel can read', async () => {
    async function* rows() {
      yield ['a', 'b'];
      yield ['x'.repeat(40_000), `lone \ud800, control \u0001\u0000, escape _x0041_, pair 😀`];
      yield [Number.NaN, { deep: [1, 'two'] }];
      for (let n = 0; n < 5; n++) yield [n, null];
      yield Array.from({ length: 17_000 }, (_, n) => n);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of xlsxFile('Rows', rows(), 4)) chunks.push(chunk);
    const { sheets } = await readXlsx(new Uint8Array(Buffer.concat(chunks)));
    assert.deepEqual(
      sheets.map(({ name }) => name),
      ['Rows', 'Rows_2', 'Rows_3'],
    );
    const [, first, second] = sheets[0]!.rows as unknown[][];
    assert.equal(String(first![0]).length, 32_767);
    assert.match(String(first![0]), /x…$/);
    assert.match(String(first![1]), /^lone \ufffd, control , escape _x(?:005F_x)?0041_, pair 😀$/);
    assert.deepEqual(second, ['NaN', '{"deep":[1,"two"]}']);
    const all = sheets.flatMap((sheet) => sheet.rows as unknown[][]);
    assert.equal(Math.max(...all.map((row) => row.length)), 16_384);
    assert.deepEqual(sheets[1]!.rows[0], ['a', 'b'], 'the names are on each sheet');
  });

  test('a link works without a key, until it expires, and only as it was signed', async () => {
    const made = await exportTo({ format: 'csv', target: { kind: 'link', expires_in_s: 3_600 } });
    assert.partialDeepStrictEqual(made, { state: 'done', target: { kind: 'link', expires_in_s: 3_600 } });
    const response = await fetch(made.url!);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-disposition')!, /\.csv"$/);
    assert.match(await response.text(), /extract\.price/);
    for (const wrong of [
      made.url!.replace(/expires=\d+/, 'expires=9999999999'),
      made.url!.replace('signature=', 'signature=x'),
      made.url!.split('?')[0]!,
    ])
      assert.notEqual((await fetch(wrong)).status, 200, wrong);
    const { key } = await createUser(service);
    assert.equal((await service.api('GET', `/api/v1/exports/${made.id}/`, { key })).status, 404);
    const listed = await service.api('GET', `/api/v1/jobs/${job}/exports/`);
    assert.ok((listed.body as { items: Export[] }).items.some(({ id }) => id === made.id));
  });

  test('PUT and webhook get the file; a webhook is signed', async () => {
    const put = await exportTo({
      format: 'jsonl',
      target: {
        kind: 'put',
        url: `${target.url}/{name}/{date}.jsonl?sig=hidden`,
        headers: { 'x-auth': 'hidden' },
      },
    });
    assert.deepEqual(put.target, {
      kind: 'put',
      url: `${target.url}/{name}/{date}.jsonl?***`,
      headers: { 'x-auth': '***' },
    });
    const sent = await ended(put.id);
    assert.partialDeepStrictEqual(sent, { state: 'done', status: 201, tries: 1, error: null });
    const day = new Date().toISOString().slice(0, 4);
    assert.match(sent.sent_to!, new RegExp(`^${target.url}/HYPERLINK-http-x/${day}-\\d\\d-\\d\\d\\.jsonl$`));
    const got = target.received.find(({ method }) => method === 'PUT')!;
    assert.equal(got.headers['x-auth'], 'hidden');
    assert.match(got.path, /\?sig=hidden$/);
    assert.equal(got.body.length, sent.bytes);
    assert.equal(got.body.toString().trim().split('\n').length, 2);

    const visitor = await signIn(service, (await newUser(service)).email);
    const { secret } = (await visitor.call<{ secret: string }>('GET', '/api/v1/webhooks/secret/')).body;
    const batch = { requests: [{ url: `${site.url}/formulas` }], defaults: { scraper: 'http' } };
    const own = (await visitor.call<{ id: string }>('POST', '/api/v1/batches/', { body: batch })).body.id;
    await eventually(async () => {
      const { body } = await visitor.call<{ state: string }>('GET', `/api/v1/jobs/${own}/`);
      return body.state === 'done';
    });
    const hook = await visitor.call<Export>('POST', `/api/v1/jobs/${own}/export/`, {
      body: { format: 'csv', target: { kind: 'webhook', url: `${target.url}/hook` } },
    });
    assert.equal(hook.status, 202, hook.text);
    await eventually(async () => {
      const { body } = await visitor.call<Export>('GET', `/api/v1/exports/${hook.body.id}/`);
      return body.state === 'done';
    });
    const message = target.received.find(({ path }) => path === '/hook')!;
    assert.equal(message.method, 'POST');
    assert.match(message.headers['content-type']!, /^text\/csv/);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = message.headers;
    assert.equal(id, `exp_${hook.body.id}`);
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${at}.`).update(message.body).digest('base64');
    assert.equal(signature, `v1,${mac}`);
  });

  test('S3 gets an object', async () => {
    const endpoint = `http://127.0.0.1:${await s3Port()}`;
    const s3 = {
      kind: 's3',
      endpoint,
      bucket: S3_BUCKET,
      key: 'exports/{run}.xlsx',
      access_key_id: S3_KEY,
      secret_access_key: S3_KEY,
      path_style: true,
    };
    const made = await exportTo({ format: 'xlsx', target: s3 });
    assert.equal(made.target.secret_access_key, '***');
    const sent = await ended(made.id);
    assert.partialDeepStrictEqual(sent, { state: 'done', sent_to: `exports/${job}.xlsx` });
    const wrong = await exportTo({ format: 'csv', target: { ...s3, access_key_id: 'nobody' } });
    const refused = await ended(wrong.id);
    assert.deepEqual([refused.state, refused.error!.code, refused.status], ['failed', 'export.failed', 403]);
  });

  test('a full target is tried again; a redirect and a refusal are not', async () => {
    let full = 0;
    target.answers.set(
      '/full',
      (response) => void response.writeHead(full++ === 0 ? 507 : 204).end('disk full'),
    );
    target.answers.set(
      '/moved',
      (response) => void response.writeHead(302, { location: `${target.url}/hook` }).end(),
    );
    target.answers.set('/no', (response) => void response.writeHead(403).end('go away'));
    const start = async (path: string) =>
      (await exportTo({ format: 'csv', target: { kind: 'put', url: `${target.url}${path}` } })).id;
    const ids = await Promise.all(['/full', '/moved', '/no'].map(start));
    await eventually(async () => (await exportOf(ids[0]!)).status === 507);
    assert.partialDeepStrictEqual(await exportOf(ids[0]!), {
      state: 'pending',
      error: { code: 'export.failed' },
    });
    const [again, moved, no] = await Promise.all(ids.map(ended));
    assert.partialDeepStrictEqual(again, { state: 'done', tries: 2, status: 204, error: null });
    assert.partialDeepStrictEqual(moved, { state: 'failed', tries: 1, status: 302 });
    assert.match(moved!.error!.message, /Redirects are not followed/);
    assert.partialDeepStrictEqual(no, { state: 'failed', tries: 1, status: 403 });
    assert.match(no!.error!.message, /go away/);
  });

  test('S3 gets a large file in parts, whole and in order', async () => {
    const text = Array.from({ length: 60_000 }, (_, n) => `line ${n} of a long page.`).join(' ');
    site.set('/long', `<title>Long</title><body><p>${text}</p></body>`);
    const id = await startBatch(service, {
      requests: Array.from({ length: 12 }, (_, n) => ({ url: `${site.url}/long`, ref: `page ${n}` })),
      defaults: { scraper: 'http', scraper_options: { extract: { text: 'p' } } },
    });
    await endOf(service, id);
    const key = `exports/${id}.jsonl`;
    const port = await s3Port();
    const counting = await s3Counter(port);
    const made = await service.api<Export>('POST', `/api/v1/jobs/${id}/export/`, {
      body: {
        format: 'jsonl',
        target: {
          ...{ kind: 's3', endpoint: `http://127.0.0.1:${counting.port}`, bucket: S3_BUCKET, key },
          ...{ access_key_id: S3_KEY, secret_access_key: S3_KEY, path_style: true },
        },
      },
    });
    const sent = await ended(made.body.id);
    assert.partialDeepStrictEqual(sent, { state: 'done', sent_to: key, error: null });
    assert.ok(sent.bytes! > 2 * 8 * 2 ** 20, `${sent.bytes} bytes`);
    assert.ok(counting.parts.size >= 3, `${counting.parts.size} parts`);
    const { text: direct } = await service.api('GET', `/api/v1/jobs/${id}/export/?format=jsonl`);
    const object = await fetch(`http://127.0.0.1:${port}/${S3_BUCKET}/${key}`);
    assert.equal(object.status, 200, await object.clone().text());
    assert.equal(digest(await object.text()), digest(direct));
    await counting.close();
  });

  test('a slow target gets all; one that is too small, or refuses connections, is shown with why', async () => {
    target.answers.set('/slow', (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      let left = 20;
      const drip = () => (left-- > 0 ? void response.write('.', () => setImmediate(drip)) : response.end());
      drip();
    });
    target.answers.set('/small', (response) => void response.writeHead(413).end('Too large for me'));
    target.answers.set('/busy', (response) => void response.writeHead(429).end());
    const start = async (url: string) => (await exportTo({ format: 'csv', target: { kind: 'put', url } })).id;
    const [slow, small, busy, closed] = [
      await start(`${target.url}/slow`),
      await start(`${target.url}/small`),
      await start(`${target.url}/busy`),
      await start('http://127.0.0.1:1/'),
    ];
    assert.partialDeepStrictEqual(await ended(slow), { state: 'done', status: 200, error: null });
    const refused = await ended(small);
    assert.partialDeepStrictEqual(refused, { state: 'failed', tries: 1, status: 413 });
    assert.match(refused.error!.message, /413\. It said: Too large for me/);
    await eventually(async () => (await exportOf(closed)).error !== null);
    assert.partialDeepStrictEqual(await exportOf(closed), {
      state: 'pending',
      status: null,
      error: { code: 'connect.refused' },
    });
    await eventually(async () => (await exportOf(busy)).status === 429);
    assert.equal((await exportOf(busy)).state, 'pending', 'who is busy is asked again');
  });

  test('a column of a dataset with the name of a formula does not run', async () => {
    const made = await service.api<{ id: string }>('POST', '/api/v1/datasets/', {
      body: { name: '=cmd|calc', columns: [{ name: '=cmd', type: 'text' }] },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const path = `/api/v1/datasets/${made.body.id}/export/`;
    const csv = (await service.api('GET', `${path}?format=csv`)).text;
    assert.match(csv.split('\r\n')[0]!, /(?:^|,)'=cmd(?:,|$)/);
    const response = await fetch(`${service.base}${path}?format=xlsx`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()), { readStyles: false });
    assert.ok((sheets[0]!.rows[0] as unknown[]).includes('=cmd'));
    assert.equal(sheets[0]!.cells?.size ?? 0, 0, 'no cell has a formula');
    await service.api('DELETE', `/api/v1/datasets/${made.body.id}/`);
  });

  test('what is no target, or not a public one, is refused', async () => {
    const cases: readonly [target: object, pointer: string][] = [
      [{ kind: 'put', url: 'http://10.0.0.1/a' }, '/target/url'],
      [{ kind: 'put', url: 'http://127.0.0.2:1/a' }, '/target/url'],
      [{ kind: 'put', url: 'http://169.254.169.254/latest' }, '/target/url'],
      [{ kind: 'webhook', url: 'ftp://a.test/' }, '/target/url'],
      [{ kind: 'put', url: 'https://u:p@a.test/' }, '/target/url'],
      [{ kind: 'put', url: 'https://{name}.a.test/' }, '/target/url'],
      [{ kind: 'put', url: 'https://a.test/{user}' }, '/target/url'],
      [{ kind: 'put' }, '/target/url'],
      [{ kind: 'link', url: 'https://a.test/' }, '/target/url'],
      [{ kind: 'put', url: 'https://a.test/', headers: { host: 'b.test' } }, '/target/headers/host'],
      [{ kind: 'put', url: 'https://a.test/', headers: { a: '***' } }, '/target/headers/a'],
      [
        {
          kind: 's3',
          endpoint: 'http://192.168.0.1',
          bucket: 'b',
          key: 'k',
          access_key_id: 'i',
          secret_access_key: 's',
          path_style: true,
        },
        '/target/endpoint',
      ],
      [
        {
          kind: 's3',
          endpoint: 'https://a.test',
          bucket: 'b',
          key: '../k',
          access_key_id: 'i',
          secret_access_key: 's',
        },
        '/target/key',
      ],
    ];
    for (const [body, pointer] of cases) {
      const refused = await service.api('POST', `/api/v1/jobs/${job}/export/`, {
        body: { format: 'csv', target: body },
      });
      assert.equal(refused.status, 400, JSON.stringify(body));
      const { errors } = refused.body as { errors: { pointer: string }[] };
      assert.equal(errors[0]!.pointer, pointer, JSON.stringify(refused.body));
    }
  });

  test('each run of a schedule is exported; its secrets stay when they are not given again', async () => {
    const url = `${target.url}/runs/{name}-{run}.csv?key=hidden`;
    const put = { kind: 'put', url, headers: { 'x-auth': 'of-schedule' } };
    const id = await makeSchedule(service, {
      name: 'nightly/../x',
      job: { kind: 'scrape', url: `${site.url}/formulas`, scraper: 'http' },
      export: { format: 'csv', target: put },
    });
    const shown = (await service.api('GET', `${SCHEDULES}${id}/`)).body as { export: { target: object } };
    assert.deepEqual(shown.export.target, {
      ...put,
      url: url.replace('key=hidden', '***'),
      headers: { 'x-auth': '***' },
    });
    const changed = await service.api('PATCH', `${SCHEDULES}${id}/`, {
      body: { export: { format: 'jsonl', target: { ...shown.export.target } } },
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const stolen = await service.api('PATCH', `${SCHEDULES}${id}/`, {
      body: {
        export: { format: 'csv', target: { ...shown.export.target, url: 'https://other.test/{name}' } },
      },
    });
    const { errors = [] } = stolen.body as { errors?: { pointer: string }[] };
    assert.deepEqual(
      [stolen.status, errors[0]?.pointer],
      [400, '/export/target/headers/x-auth'],
      'a secret goes to the origin that it was given for',
    );
    const run = (await runScheduleNow(service, id)) as unknown as { n: number; export: Export };
    const sent = await ended(run.export.id);
    assert.partialDeepStrictEqual(sent, {
      state: 'done',
      sent_to: `${target.url}/runs/nightly-..-x-${run.n}.csv`,
    });
    const got = target.received.find(({ path }) => path.startsWith('/runs/'))!;
    assert.deepEqual([got.headers['x-auth'], got.path.split('?')[1]], ['of-schedule', 'key=hidden']);
    const refusing = { kind: 'put', url: `${target.url}/refuses` };
    target.answers.set('/refuses', (response) => response.writeHead(403).end());
    const refused = await service.api('PATCH', `${SCHEDULES}${id}/`, {
      body: { export: { format: 'csv', target: refusing } },
    });
    assert.equal(refused.status, 200, JSON.stringify(refused.body));
    const failed = (await runScheduleNow(service, id)) as unknown as { n: number; export: Export };
    const { error } = await ended(failed.export.id);
    const afterwards = await service.api('GET', `${SCHEDULES}${id}/`);
    assert.partialDeepStrictEqual(afterwards.body, { last_run: { n: failed.n, export_state: 'failed' } });
    const { items } = (await service.api('GET', '/api/v1/notifications/')).body as {
      items: { source_id: string; type: string; sequence: number; text: string }[];
    };
    const told = items.filter(({ source_id, type }) => source_id === id && type === 'schedule.failed');
    assert.deepEqual(
      told.map(({ sequence, text }) => [sequence, text.includes(error!.message)]),
      [[failed.n, true]],
      JSON.stringify(items),
    );
    const ended0 = await service.api('PATCH', `${SCHEDULES}${id}/`, { body: { export: null } });
    assert.equal((ended0.body as { export: null }).export, null);
    assert.equal(((await runScheduleNow(service, id)) as unknown as { export: null }).export, null);
    const without = await service.api('GET', `${SCHEDULES}${id}/`);
    assert.partialDeepStrictEqual(without.body, { last_run: { export_state: null } });
  });
});
