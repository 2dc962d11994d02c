import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobOf, refused } from './job-of.ts';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const TEXT = 'text/plain; charset=utf-8';

/** @param type the caller's Content-Type */
function body(data: unknown, type?: string) {
  const task = jobOf({
    method: 'POST',
    data,
    ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
  });
  if (task.body === null) return null;
  return [task.body.type, Buffer.from(task.body.bytes).toString('utf8'), task.body.contentType];
}

describe('a body whose type is detected', () => {
  const cases: readonly (readonly [data: unknown, expected: readonly unknown[] | null])[] = [
    [null, null],
    [{ a: 1 }, ['json', '{"a":1}', JSON_TYPE]],
    [
      [1, null],
      ['json', '[1,null]', JSON_TYPE],
    ],
    [5, ['json', '5', JSON_TYPE]],
    [false, ['json', 'false', JSON_TYPE]],
    [{}, ['json', '{}', JSON_TYPE]],
    ['{"a": 1.0 }', ['json', '{"a": 1.0 }', JSON_TYPE]],
    [' \n[1] ', ['json', ' \n[1] ', JSON_TYPE]],
    ['{broken', ['raw', '{broken', TEXT]],
    ['"text"', ['raw', '"text"', TEXT]],
    ['5', ['raw', '5', TEXT]],
    ['null', ['raw', 'null', TEXT]],
    ['a=1', ['form', 'a=1', FORM]],
    ['a=1&b=2', ['form', 'a=1&b=2', FORM]],
    ['a=&b=', ['form', 'a=&b=', FORM]],
    ['%41=%20', ['form', '%41=%20', FORM]],
    ['dGVzdA==', ['raw', 'dGVzdA==', TEXT]],
    ['dGVz_-A=', ['raw', 'dGVz_-A=', TEXT]],
    ['key=', ['form', 'key=', FORM]],
    ['a=1&', ['form', 'a=1&', FORM]],
    ['a=1&submit', ['form', 'a=1&submit', FORM]],
    [
      '__VIEWSTATE=/wEPDwUKMTY3NzQ0==&__EVENTTARGET=grid&page=2',
      ['form', '__VIEWSTATE=/wEPDwUKMTY3NzQ0==&__EVENTTARGET=grid&page=2', FORM],
    ],
    ['submit&a=1', ['raw', 'submit&a=1', TEXT]],
    ['=1', ['raw', '=1', TEXT]],
    ['%=1', ['raw', '%=1', TEXT]],
    ['a=1&=2', ['form', 'a=1&=2', FORM]],
    ['a=1&b', ['form', 'a=1&b', FORM]],
    ['a=1 2', ['raw', 'a=1 2', TEXT]],
    ['a=1\n', ['raw', 'a=1\n', TEXT]],
    ['a=b=c', ['form', 'a=b=c', FORM]],
    ['', ['raw', '', TEXT]],
    ['grüße', ['raw', 'grüße', TEXT]],
    [{ content_type: 'x' }, ['json', '{"content_type":"x"}', JSON_TYPE]],
  ];
  for (const [data, expected] of cases) {
    test(JSON.stringify(data), () => assert.deepEqual(body(data), expected));
  }
  test('absent', () => assert.equal(jobOf({ method: 'POST' }).body, null));
  test('the method stays GET', () => assert.equal(jobOf({ data: 'x' }).method, 'GET'));
});

describe('a Content-Type decides', () => {
  const cases: readonly (readonly [type: string, data: unknown, expected: readonly unknown[]])[] = [
    ['application/json', { a: 1 }, ['json', '{"a":1}', null]],
    ['Application/JSON; charset=utf-8', 'plain', ['json', 'plain', null]],
    ['application/ld+json', [1], ['json', '[1]', null]],
    ['text/json', 5, ['json', '5', null]],
    [FORM, { a: ['1', 2], b: true, c: null, 'd e': 'ü&' }, ['form', 'a=1&a=2&b=true&d+e=%C3%BC%26', null]],
    [
      `${FORM};charset=UTF-8`,
      [
        ['b', 1],
        ['a', 'x'],
      ],
      ['form', 'b=1&a=x', null],
    ],
    [FORM, 'unchanged', ['form', 'unchanged', null]],
    ['text/xml', '<a/>', ['raw', '<a/>', null]],
    ['text/plain', '{"a":1}', ['raw', '{"a":1}', null]],
    ['text/xml', { $raw: '<a/>' }, ['raw', '<a/>', null]],
    ['text/xml', { $json: 1 }, ['json', '1', null]],
    ['image/png', { $base64: 'AAEC' }, ['binary', '\0\u0001\u0002', null]],
    ['application/json', { $form: { a: 1 } }, ['form', 'a=1', null]],
  ];
  for (const [type, data, expected] of cases) {
    test(`${type} and ${JSON.stringify(data)}`, () => assert.deepEqual(body(data, type), expected));
  }
  test('refused', () => {
    const headers = { 'content-type': 'text/xml' };
    for (const data of [{ a: 1 }, [1], 5, true])
      refused({ headers, data }, '/data', /must be a string or one of/);
    const form = { 'Content-Type': FORM };
    refused({ headers: form, data: { a: { b: 1 } } }, '/data/a', /string, number or boolean/);
    refused({ headers: form, data: { a: [[1]] } }, '/data/a/0');
    refused({ headers: form, data: [['a']] }, '/data/0', /pair/);
    refused({ headers: form, data: 5 }, '/data');
  });
});

describe('a body whose type is given', () => {
  test('$json, $form, $raw', () => {
    assert.deepEqual(body({ $json: 'text' }), ['json', '"text"', JSON_TYPE]);
    assert.deepEqual(body({ $json: null }), ['json', 'null', JSON_TYPE]);
    assert.deepEqual(body({ $json: { $form: 1 } }), ['json', '{"$form":1}', JSON_TYPE]);
    assert.deepEqual(body({ $form: { a: 'x y' } }), ['form', 'a=x+y', FORM]);
    assert.deepEqual(
      body({
        $form: [
          ['a', 1],
          ['a', 2],
        ],
      }),
      ['form', 'a=1&a=2', FORM],
    );
    assert.deepEqual(body({ $raw: '{"a":1}' }), ['raw', '{"a":1}', TEXT]);
    refused({ data: { $form: 'a=b' } }, '/data/$form');
    refused({ data: { $form: { a: {} } } }, '/data/$form/a');
    refused({ data: { $raw: 5 } }, '/data/$raw');
    refused({ data: { $json: 1, $form: {} } }, '/data/$form', /wrap it in \$json/);
    refused({ data: { $raw: 'x', other: 1 } }, '/data/other');
  });

  test('$base64 is strict', () => {
    assert.deepEqual(body({ $base64: 'aGk=' }), ['binary', 'hi', 'application/octet-stream']);
    assert.deepEqual(body({ $base64: '', content_type: 'image/png' }), ['binary', '', 'image/png']);
    for (const bad of ['aGk', 'aG k=', 'aGk=\n', '_-8=', 'aGl=', '====', 5, null]) {
      refused({ data: { $base64: bad } }, '/data/$base64');
    }
    refused({ data: { $base64: 'aGk=', content_type: 'a\r\nb: c' } }, '/data/content_type');
    refused({ data: { $base64: 'aGk=', content_type: 5 } }, '/data/content_type');
  });

  test('$multipart', () => {
    const parts = [
      { name: 'a"b\n', value: 'x\ny' },
      { name: 'f', base64: 'AP8=', filename: 'n"\r\n.bin' },
      { name: 'g', value: '{}', content_type: 'application/json', filename: null },
    ];
    const { body: parsed } = jobOf({ data: { $multipart: parts } });
    assert.equal(parsed?.type, 'multipart');
    const boundary = /^multipart\/form-data; boundary=(----sluice-[A-Za-z0-9_-]{24})$/.exec(
      parsed.contentType ?? '',
    )?.[1];
    assert.ok(boundary);
    const text = Buffer.from(parsed.bytes).toString('latin1').replaceAll(boundary, 'B');
    assert.equal(
      text,
      [
        '--B\r\nContent-Disposition: form-data; name="a%22b%0D%0A"\r\n\r\nx\ny\r\n',
        '--B\r\nContent-Disposition: form-data; name="f"; filename="n%22%0D%0A.bin"\r\n',
        'Content-Type: application/octet-stream\r\n\r\n\x00\xff\r\n',
        '--B\r\nContent-Disposition: form-data; name="g"\r\nContent-Type: application/json\r\n\r\n{}\r\n',
        '--B--\r\n',
      ].join(''),
    );
    const other = jobOf({ data: { $multipart: parts } });
    assert.notEqual(other.body?.contentType, parsed.contentType);
  });

  test('$multipart is a form that Node can read', async () => {
    const parts = [
      { name: 'grüße', value: 'ä' },
      { name: 'f', base64: 'AP8=', filename: 'bücher.bin', content_type: 'image/png' },
    ];
    const { body: parsed } = jobOf({ data: { $multipart: parts } });
    const form = await new Response(Buffer.from(parsed!.bytes), {
      headers: { 'content-type': parsed!.contentType! },
    }).formData();
    assert.equal(form.get('grüße'), 'ä');
    const file = form.get('f') as File;
    assert.equal(file.name, 'bücher.bin');
    assert.equal(file.type, 'image/png');
    assert.deepEqual([...new Uint8Array(await file.arrayBuffer())], [0, 255]);
  });

  test('$multipart refused', () => {
    const part = { name: 'a', value: 'b' };
    refused(
      { headers: { 'Content-type': 'multipart/form-data' }, data: { $multipart: [part] } },
      '/headers/Content-type',
      /boundary/,
    );
    refused({ data: { $multipart: {} } }, '/data/$multipart');
    refused({ data: { $multipart: [{ name: 'a' }] } }, '/data/$multipart/0', /either/);
    refused({ data: { $multipart: [{ ...part, base64: '' }] } }, '/data/$multipart/0', /either/);
    refused({ data: { $multipart: [{ value: 'b' }] } }, '/data/$multipart/0/name');
    refused({ data: { $multipart: [{ ...part, x: 1 }] } }, '/data/$multipart/0/x');
    refused({ data: { $multipart: [{ name: 'a', base64: '*' }] } }, '/data/$multipart/0/base64');
    refused({ data: { $multipart: [{ ...part, content_type: 'a\nb' }] } }, '/data/$multipart/0/content_type');
  });
});

test('data nested very deeply is refused without a stack overflow', () => {
  refused({ data: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) }, '/data', /nested deeper/);
  const deep = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  refused({ page_actions: [{ type: 'evaluate', script: '1', arg: deep }] }, '/page_actions/0/arg');
  refused({ scraper_options: { storage_state: deep } }, '/scraper_options/storage_state/a');
  assert.equal(jobOf({ data: JSON.parse('['.repeat(900) + ']'.repeat(900)) }).body?.type, 'json');
});
