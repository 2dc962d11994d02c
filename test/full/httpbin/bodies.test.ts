import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Echo, NO_HTTPBIN, useStage } from '../../httpbin/stage.ts';

describe('httpbin: methods, query and bodies', { skip: NO_HTTPBIN }, () => {
  const stage = useStage();

  async function echo(request: Record<string, unknown>, path = '/anything') {
    const { status, body } = await stage.service.scrape({ url: stage.bin + path, ...request });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.status_code, 200);
    return { answer: body, seen: JSON.parse(body.content!) as Echo };
  }

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const written of [method, method.toLowerCase()])
      test(`${written} reaches the target as ${method}`, async () => {
        const { seen, answer } = await echo({ method: written });
        assert.equal(seen.method, method);
        assert.equal(answer.router.body_type, null);
        assert.deepEqual(answer.errors, []);
      });
  }

  test('HEAD: status and headers, an empty text', async () => {
    const { status, body } = await stage.service.scrape({ url: `${stage.bin}/anything`, method: 'HEAD' });
    assert.equal(status, 200);
    assert.equal(body.status_code, 200);
    assert.equal(body.content, '');
    assert.equal(body.content_encoding, 'utf-8');
    assert.ok(Number(body.headers['content-length']) > 100, 'the length of the body that GET would give');
    assert.equal(body.router.verdict?.kind, 'ok');
    assert.equal(body.router.outcome, 'ok');
  });

  test('OPTIONS', async () => {
    const { body } = await stage.service.scrape({ url: `${stage.bin}/anything`, method: 'OPTIONS' });
    assert.equal(body.status_code, 200);
    assert.match(body.headers.allow ?? '', /POST/);
  });

  test('each of the method routes', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { body } = await stage.service.scrape({ url: `${stage.bin}/${method.toLowerCase()}`, method });
      assert.equal(body.status_code, 200, method);
    }
    const { body } = await stage.service.scrape({ url: `${stage.bin}/get`, method: 'POST', data: { a: 1 } });
    assert.equal(body.status_code, 405);
    assert.equal(body.router.outcome, 'target_error');
    assert.deepEqual(body.errors, []);
  });

  const queries: [unknown, string][] = [
    [{ a: 'x y', b: 1, c: true, d: null }, 'a=x%20y&b=1&c=true'],
    [{ a: ['1', 2, false] }, 'a=1&a=2&a=false'],
    [
      [
        ['b', '2'],
        ['a', '1'],
        ['b', '3'],
      ],
      'b=2&a=1&b=3',
    ],
    [[{ name: 'q', value: 'ü&=' }], 'q=%C3%BC%26%3D'],
  ];
  for (const [query, expected] of queries)
    test(`query ${JSON.stringify(query)} → ${expected}`, async () => {
      const { answer } = await echo({ query });
      assert.equal(answer.final_url, `${stage.bin}/anything?${expected}`);
    });

  test('query is appended to what the URL has, before its fragment', async () => {
    const { answer, seen } = await echo({ query: { b: '2' } }, '/anything?a=1#part');
    assert.equal(answer.final_url, `${stage.bin}/anything?a=1&b=2#part`);
    assert.deepEqual(seen.args, { a: '1', b: '2' });
  });

  const json: [string, unknown, unknown][] = [
    ['an object', { a: [1, 'ü', null], b: { c: false } }, { a: [1, 'ü', null], b: { c: false } }],
    ['an array', [1, 2], [1, 2]],
    ['a number', 42.5, 42.5],
    ['false', false, false],
    ['a string that holds an object', '{"a": 1}', { a: 1 }],
    ['a string that holds an array', ' [1, 2]', [1, 2]],
    ['$json of a string', { $json: 'text' }, 'text'],
    ['$json of null', { $json: null }, null],
  ];
  for (const [name, data, expected] of json)
    test(`JSON: ${name}`, async () => {
      const { seen, answer } = await echo({ method: 'POST', data });
      assert.equal(answer.router.body_type, 'json');
      assert.match(seen.headers['Content-Type'] ?? '', /^application\/json/);
      assert.deepEqual(seen.json, expected);
      assert.deepEqual(JSON.parse(seen.data), expected);
    });

  test('JSON in a string is sent unchanged', async () => {
    const text = '{"b" : 1,  "a":2}';
    assert.equal((await echo({ method: 'POST', data: text })).seen.data, text);
  });

  const forms: [string, Record<string, unknown>, Echo['form']][] = [
    ['a string k=v&k=v', { data: 'a=1&a=2&b=x%20y' }, { a: ['1', '2'], b: 'x y' }],
    ['$form of an object', { data: { $form: { a: 'x y', b: 'ü&=' } } }, { a: 'x y', b: 'ü&=' }],
    [
      '$form of pairs',
      {
        data: {
          $form: [
            ['a', '1'],
            ['a', '2'],
          ],
        },
      },
      { a: ['1', '2'] },
    ],
    [
      'an object under a form content-type',
      { data: { a: '1' }, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      { a: '1' },
    ],
  ];
  for (const [name, request, expected] of forms)
    test(`form: ${name}`, async () => {
      const { seen, answer } = await echo({ method: 'POST', ...request });
      assert.equal(answer.router.body_type, 'form');
      assert.match(seen.headers['Content-Type'] ?? '', /^application\/x-www-form-urlencoded/);
      assert.deepEqual(seen.form, expected);
    });

  const raws: [string, unknown, string][] = [
    ['text', 'hello wörld', 'hello wörld'],
    ['base64-looking text', 'dGVzdA==', 'dGVzdA=='],
    ['text with white space around =', 'a = b', 'a = b'],
    ['$raw of what looks like a form', { $raw: 'a=1&b=2' }, 'a=1&b=2'],
    ['$raw of what looks like JSON', { $raw: '{"a":1}' }, '{"a":1}'],
  ];
  for (const [name, data, expected] of raws)
    test(`raw: ${name}`, async () => {
      const { seen, answer } = await echo({ method: 'POST', data });
      assert.equal(answer.router.body_type, 'raw');
      assert.equal(seen.data, expected);
      assert.deepEqual(seen.form, {});
    });

  test('raw text says its type', async () => {
    const { seen } = await echo({ method: 'POST', data: 'hello' });
    assert.equal(seen.headers['Content-Type'], 'text/plain; charset=utf-8');
  });

  test("the caller's content-type wins over the form's own", async () => {
    const headers = { 'content-type': 'application/vnd.own+xml' };
    const { seen } = await echo({ method: 'PUT', data: { $raw: '<a/>' }, headers });
    assert.equal(seen.headers['Content-Type'], 'application/vnd.own+xml');
    assert.equal(seen.data, '<a/>');
  });

  test('binary: exact bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const data = { $base64: bytes.toString('base64'), content_type: 'application/x-own' };
    const { seen, answer } = await echo({ method: 'POST', data });
    assert.equal(answer.router.body_type, 'binary');
    assert.equal(seen.headers['Content-Type'], 'application/x-own');
    assert.equal(seen.data, `data:application/octet-stream;base64,${bytes.toString('base64')}`);
  });

  test('multipart: fields, files, base64, names that need quoting', async () => {
    const data = {
      $multipart: [
        { name: 'a', value: '1' },
        { name: 'a', value: 'ü' },
        {
          name: 'file',
          base64: Buffer.from('\x00\xff\r\n--x', 'latin1').toString('base64'),
          filename: 'b.bin',
        },
        { name: 'text', value: 'in a file', filename: 'a "quoted" name.txt', content_type: 'text/x-own' },
      ],
    };
    const { seen, answer } = await echo({ method: 'POST', data });
    assert.equal(answer.router.body_type, 'multipart');
    assert.match(seen.headers['Content-Type'] ?? '', /^multipart\/form-data; ?boundary=/);
    assert.deepEqual(seen.form, { a: ['1', 'ü'] });
    assert.equal(seen.files.text, 'in a file');
    assert.equal(
      seen.files.file,
      `data:application/octet-stream;base64,${Buffer.from('\x00\xff\r\n--x', 'latin1').toString('base64')}`,
    );
  });

  test('multipart with a content-type of the caller is refused', async () => {
    const { status, body } = await stage.service.scrape({
      url: `${stage.bin}/anything`,
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data' },
      data: { $multipart: [{ name: 'a', value: '1' }] },
    });
    assert.equal(status, 400);
    assert.equal(body.code, 'request.validation');
  });

  test('an object under a text content-type is refused', async () => {
    const { status, body } = await stage.service.scrape({
      url: `${stage.bin}/anything`,
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      data: { a: 1 },
    });
    assert.equal(status, 400);
    assert.equal(body.errors?.[0]?.pointer, '/data');
  });

  test('a body on GET is sent, with a warning', async () => {
    const { seen, answer } = await echo({ data: { a: 1 } });
    assert.equal(seen.method, 'GET');
    assert.deepEqual(seen.json, { a: 1 });
    assert.ok(answer.router.warnings.some((warning) => warning.code === 'data.on_get'));
    assert.deepEqual(answer.errors, []);
  });

  test('a megabyte of JSON', async () => {
    const { seen } = await echo({ method: 'POST', data: { text: 'é'.repeat(500_000) } });
    assert.equal((seen.json as { text: string }).text.length, 500_000);
  });
});
