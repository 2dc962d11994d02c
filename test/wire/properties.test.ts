// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import { answerJson } from '../../src/wire/answer/answer-json.ts';
import { base64Pieces, replyBody, replyPieces, utf8Json, utf8Pieces } from '../../src/wire/answer/reply.ts';
import { LIST_QUERY } from '../../src/wire/record/record-query.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';
import { ScrapeRequest } from '../../src/wire/request/scrape-request-schema.ts';
import { parseQuery } from '../../src/wire/schema/query-reader.ts';
import fc from '../helpers/fast-check.ts';
import { jobOf } from './job-of.ts';
import { delivered, sampleScrape, textContent } from './sample-scrape.ts';

const MEMBERS = Object.keys(ScrapeRequest.properties);
const anyText = fc.string({ unit: 'binary', maxLength: 40 });
/** Also halves of surrogate pairs, which JSON can carry. */
const brokenText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
  .map((units) => String.fromCharCode(...units));

/** Values that are similar to those of valid requests. */
const similar = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(
    'http://u:p@site.test/?a#b',
    'auto',
    'http',
    'datacenter',
    { type: 'mobile', password: 'x' },
    [{ click: '#a' }, { if: { selector: 'a', then: [{ wait: 5 }] } }],
    { $form: { a: [1] } },
    { $multipart: [{ name: 'a', value: 'b' }] },
    ['a=b', { name: 'c', value: 'd', sameSite: 'Lax' }],
    { accept: { status: [200] }, tags: { a: 'b' }, only: ['http/mobile'] },
    { extract: { a: { selector: 'b', output: { c: 'd' } } } },
    { locale: 'de', viewport: { width: 5 } },
    { Cookie: 'a=b', 'X-A': ['1', '2'], 'content-type': 'application/json' },
    5000,
    true,
    null,
  ),
);
const similarRequest = fc.dictionary(
  fc.oneof(fc.constantFrom(...MEMBERS), fc.string({ maxLength: 5 })),
  similar,
  {
    maxKeys: 8,
  },
);

describe('parseJob', () => {
  test('returns for every JSON value: a job, or one to ten problems with pointers', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          similarRequest,
          similarRequest.map((request) => ({ url: 'http://a.test/', ...request })),
        ),
        (body) => {
          const { task, problems } = parseTask(body);
          if (task !== null) {
            JSON.parse(task.requestJson());
            assert.ok(Object.keys(body as object).every((name) => MEMBERS.includes(name)));
          } else {
            assert.ok(problems.length >= 1 && problems.length <= 10);
            assert.ok(
              problems.every(
                (problem) => problem.code === 'request.validation' && problem.pointer !== undefined,
              ),
            );
          }
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('a valid request with an unknown member is refused with its pointer', () => {
    fc.assert(
      fc.property(anyText, fc.jsonValue(), (name, value) => {
        fc.pre(!MEMBERS.includes(name));
        const body = JSON.parse(`{"url":"http://a.test/",${JSON.stringify(name)}:${JSON.stringify(value)}}`);
        const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        assert.deepEqual(
          parseTask(body).problems?.map((problem) => problem.pointer),
          [pointer],
        );
      }),
    );
  });

  test('no header or cookie can begin a new line', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (name, value, cookie) => {
        const { task } = parseTask({
          url: 'http://a.test/',
          headers: { [name]: value, Cookie: cookie },
          cookies: { [name]: cookie },
          scraper_options: { user_agent: value },
        });
        if (task === null) return;
        const texts = [
          ...task.headers.flat(),
          ...task.cookies.flatMap(({ name, value }) => [name, value]),
          task.options.userAgent ?? '',
        ];
        for (const text of texts) assert.doesNotMatch(text, /[\r\n\0]|[^\x00-\xff]/);
      }),
    );
  });

  test('query round trip', () => {
    const pairs = fc.array(
      fc.tuple(brokenText, fc.oneof(brokenText, fc.integer(), fc.boolean(), fc.constant(null))),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pairs, (query) => {
        const { url } = jobOf({ url: 'http://a.test/p#f', query });
        const found = [...new URL(url).searchParams];
        const kept = query.filter(([, value]) => value !== null);
        assert.deepEqual(
          found,
          kept.map(([name, value]) => [name.toWellFormed(), String(value).toWellFormed()]),
        );
        assert.equal(new URL(url).href, url);
        assert.ok(url.endsWith('#f'));
      }),
    );
  });

  test('cookie round trip', () => {
    const token = fc
      .string({ minLength: 1, maxLength: 20 })
      .filter((text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text));
    const value = fc.string({ maxLength: 40 }).filter((text) => !text.includes(';') && text === text.trim());
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(token, value), { selector: ([name]) => name, maxLength: 10 }),
        (pairs) => {
          const asObject = jobOf({ cookies: Object.fromEntries(pairs) }).cookies.map(({ name, value }) => [
            name,
            value,
          ]);
          const asText = jobOf({ cookies: pairs.map(([n, v]) => `${n}=${v}`) }).cookies.map(
            ({ name, value }) => [name, value],
          );
          const asHeader = jobOf({
            headers: { cookie: pairs.map(([n, v]) => `${n}=${v}`).join('; ') },
          }).cookies;
          assert.deepEqual(asText, pairs);
          assert.deepEqual(new Map(asObject as [string, string][]), new Map(pairs));
          assert.deepEqual(
            asHeader.map(({ name, value }) => [name, value]),
            pairs,
          );
        },
      ),
    );
  });

  test('data round trip', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const { body } = jobOf({ data: { $json: data } });
        assert.deepEqual(JSON.parse(Buffer.from(body!.bytes).toString()), JSON.parse(JSON.stringify(data)));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(brokenText, brokenText)), (pairs) => {
        const { body } = jobOf({ data: { $form: pairs } });
        assert.deepEqual(
          [...new URLSearchParams(Buffer.from(body!.bytes).toString())],
          pairs.map((pair) => pair.map((text) => text.toWellFormed())),
        );
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { body } = jobOf({ data: { $base64: Buffer.from(bytes).toString('base64') } });
        assert.deepEqual(new Uint8Array(body!.bytes), bytes);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(Buffer.from(jobOf({ data: text }).body!.bytes).toString(), text.toWellFormed());
      }),
    );
  });
});

test('parseQuery returns for every query', () => {
  const value = fc.oneof(anyText, fc.array(anyText, { maxLength: 3 }));
  const name = fc.oneof(fc.constantFrom('limit', 'from', 'to', 'tag', 'status', 'cursor'), anyText);
  fc.assert(
    fc.property(fc.dictionary(name, value), (query) => {
      const { value, problems } = parseQuery(LIST_QUERY, query, { userId: 'u', role: 'user', keyId: null });
      assert.notEqual(value === null, problems === null);
    }),
  );
});

describe('answers', () => {
  test('the pieces joined are the whole response, and parsing it returns the values', () => {
    fc.assert(
      fc.property(brokenText, brokenText, brokenText, (broken, header, message) => {
        // What was decoded is well-formed, and stored as UTF-8.
        const text = broken.toWellFormed();
        const scrape = sampleScrape({
          delivered: delivered(textContent(text), [['x', header]]),
          errors: [failure('content.incomplete', message, { pointer: header, details: { message } })],
        });
        const answer = answerJson(scrape);
        const whole = replyBody(scrape, answer, 'https://b.test');
        assert.equal([...replyPieces(scrape, answer, 'https://b.test')].join(''), whole);
        const body = JSON.parse(Buffer.from(whole, 'latin1').toString());
        assert.equal(body.content, text);
        assert.deepEqual(body.headers, { x: header });
        assert.equal(body.errors[0].message, message);
        assert.equal(body.errors[0].details.message, message);
      }),
    );
  });

  test('UTF-8 and bytes in pieces', () => {
    const long = fc
      .tuple(brokenText, fc.integer({ min: 1, max: 2000 }), brokenText)
      .map(([a, n, b]) => a.repeat(n) + b);
    fc.assert(
      fc.property(long, (text) => {
        const wellFormed = text.toWellFormed();
        const json = Buffer.from(JSON.stringify(wellFormed)).toString('latin1');
        assert.equal([...utf8Pieces(Buffer.from(wellFormed))].join(''), json);
        assert.equal(utf8Json(Buffer.from(wellFormed)), json);
        const bytes = Buffer.from(text);
        assert.equal([...base64Pieces(bytes)].join(''), `"${bytes.toString('base64')}"`);
      }),
      { numRuns: 60 },
    );
  });
});
