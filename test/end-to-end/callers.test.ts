import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { eventually, useOwnService } from '../helpers/service.ts';
import { talk } from '../helpers/talk.ts';
import { useSite } from '../helpers/use-site.ts';

const SCRAPE = '/api/v1/scrape/';

describe('unusual and malformed requests', () => {
  const site = useSite();
  const service = useOwnService();
  const key = () => `Authorization: Api-Key ${service.key}\r\n`;
  const post = (more: string, body = '') =>
    `POST ${SCRAPE} HTTP/1.1\r\nHost: x\r\n${key()}Content-Type: application/json\r\n${more}\r\n${body}`;
  const scrapeOf = (path: string) => {
    const body = JSON.stringify({ url: site.url + path });
    return post(`Content-Length: ${body.length}\r\n`, body);
  };
  /** Asserts that a scrape works, and that no other request is in flight. */
  const well = async () => {
    await eventually(async () =>
      (await service.api('GET', SCRAPE)).headers.get('ratelimit')?.endsWith('=49'),
    );
    const { status, headers } = await service.scrape({ url: `${site.url}/text` });
    assert.equal(status, 200);
    assert.equal(headers.get('ratelimit'), '"concurrency";r=49');
  };

  const GET = (target: string, more = '', version = '1.1') =>
    `GET ${target} HTTP/${version}\r\nHost: x\r\n${more}\r\n`;
  const targets: [name: string, text: () => string, status: number, code: string | null][] = [
    ['HTTP/1.0', () => GET('/healthz', '', '1.0'), 200, null],
    ['HTTP/1.0 without Host', () => 'GET /healthz HTTP/1.0\r\n\r\n', 200, null],
    ['an absolute target', () => GET('http://other.example/healthz'), 200, null],
    ['an absolute target, upper case', () => GET('HTTP://other.example/healthz'), 200, null],
    ['a foreign Host', () => 'GET /healthz HTTP/1.1\r\nHost: evil.example:1\r\n\r\n', 200, null],
    ['no Host', () => 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'request.validation'],
    ['two Hosts', () => GET('/healthz', 'Host: y\r\n'), 400, 'request.validation'],
    ['nothing there', () => GET('/nothing', key()), 404, 'request.not_found'],
    ['two slashes', () => GET('//'), 404, 'request.not_found'],
    ['a back slash', () => GET('/\\'), 404, 'request.not_found'],
    ['an authority of slashes', () => GET('//evil.example/healthz'), 404, 'request.not_found'],
    ['a bad escape', () => GET('/%zz'), 404, 'request.not_found'],
    ['dots', () => GET('/docs/../healthz'), 404, 'request.not_found'],
    ['an asterisk', () => 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'request.not_found'],
    ['TRACE', () => 'TRACE /healthz HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'request.method'],
    ['QUERY', () => `QUERY ${SCRAPE} HTTP/1.1\r\nHost: x\r\n\r\n`, 405, 'request.method'],
    ['an unknown method', () => `FOO ${SCRAPE} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'request.validation'],
    ['NUL in the target', () => GET('/a\0b'), 400, 'request.validation'],
    ['HTTP/2 by prior knowledge', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'request.validation'],
    ['TLS', () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400, 'request.validation'],
    ['a head of 20 KB', () => GET('/healthz', `X: ${'x'.repeat(20_000)}\r\n`), 400, 'request.validation'],
    ['an upgrade', () => GET('/healthz', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'), 200, null],
  ];
  test('forms of requests', async (t) => {
    for (const [name, text, status, code] of targets) {
      await t.test(name, async () => {
        const { statuses, text: answer } = await talk(service.port, [text()], { ms: 600 });
        assert.deepEqual(statuses, [status], answer);
        assert.match(answer, /\r\nx-request-id: [\w-]+\r\n/i);
        if (code !== null) assert.ok(answer.includes(`"code":"${code}"`), answer);
      });
    }
  });

  test('keys in odd forms', async (t) => {
    const K = service.key;
    const rows: [name: string, fields: string, status: number, code: string | null][] = [
      ['many spaces', `Authorization: Api-Key      ${K}    \r\n`, 200, null],
      ['lower case', `authorization: api-key ${K}\r\n`, 200, null],
      ['Bearer', `Authorization: BEARER ${K}\r\n`, 200, null],
      ['a tab', `Authorization: Api-Key\t${K}\r\n`, 401, 'auth.malformed'],
      ['no scheme', `Authorization: ${K}\r\n`, 401, 'auth.malformed'],
      ['no token', 'Authorization: Api-Key\r\n', 401, 'auth.malformed'],
      ['empty', 'Authorization:\r\n', 401, 'auth.malformed'],
      ['two tokens', `Authorization: Api-Key ${K} ${K}\r\n`, 401, 'auth.malformed'],
      [
        'the same twice',
        `Authorization: Api-Key ${K}\r\nAuthorization: Api-Key ${K}\r\n`,
        401,
        'auth.malformed',
      ],
      [
        'a good one first',
        `Authorization: Api-Key ${K}\r\nAuthorization: Api-Key no\r\n`,
        401,
        'auth.malformed',
      ],
      [
        'a good one last',
        `Authorization: Api-Key no\r\nauthorization: Api-Key ${K}\r\n`,
        401,
        'auth.malformed',
      ],
      ['other letter case', `Authorization: Api-Key ${K.toUpperCase()}\r\n`, 401, 'auth.invalid'],
      ['a beginning', `Authorization: Api-Key ${K.slice(0, -1)}\r\n`, 401, 'auth.invalid'],
      ['more text after', `Authorization: Api-Key ${K}x\r\n`, 401, 'auth.invalid'],
      ['not ASCII', 'Authorization: Api-Key caf\xe9\xff\r\n', 401, 'auth.invalid'],
      ['10 KB', `Authorization: Api-Key ${'a'.repeat(10_000)}\r\n`, 401, 'auth.invalid'],
      ['a name of the prototype', 'Authorization: Api-Key __proto__\r\n', 401, 'auth.invalid'],
      ['Basic', `Authorization: Basic ${btoa(`${K}:`)}\r\n`, 401, 'auth.malformed'],
      ['X-API-Key', `X-API-Key: ${K}\r\n`, 200, null],
      ['X-API-Key with blanks', `x-api-key:   ${K}  \r\n`, 200, null],
      ['X-API-Key with a scheme', `X-API-Key: Api-Key ${K}\r\n`, 401, 'auth.malformed'],
      ['an empty X-API-Key', 'X-API-Key:\r\n', 401, 'auth.malformed'],
      ['X-API-Key twice', `X-API-Key: ${K}\r\nX-API-Key: ${K}\r\n`, 401, 'auth.malformed'],
      ['an unknown X-API-Key', 'X-API-Key: no\r\n', 401, 'auth.invalid'],
      ['both headers, one key', `X-API-Key: ${K}\r\nAuthorization: Bearer ${K}\r\n`, 200, null],
      ['both headers, two keys', `X-API-Key: no\r\nAuthorization: Bearer ${K}\r\n`, 401, 'auth.malformed'],
      [
        'X-API-Key and a scheme of others',
        `X-API-Key: ${K}\r\nAuthorization: Basic ${btoa('a:b')}\r\n`,
        401,
        'auth.malformed',
      ],
      ['in another header', `Api-Key: ${K}\r\n`, 401, 'auth.missing'],
    ];
    for (const [name, fields, status, code] of rows) {
      await t.test(name, async () => {
        const { statuses, text } = await talk(service.port, [GET('/api/v1/scrapers', fields)], { ms: 100 });
        assert.deepEqual(statuses, [status], text);
        if (code !== null) assert.ok(text.includes(`"code":"${code}"`), text);
        if (status === 401) assert.match(text, /\r\nwww-authenticate: Api-Key\r\n/i);
        assert.equal(text.includes(K), false, 'and the key is not told back');
      });
    }
    assert.equal((await service.output()).includes(K), false, 'nor written to the log');
  });

  test('a key in the query or in the body is not accepted', async () => {
    const { status, body } = await service.api<{ code: string }>('GET', `${SCRAPE}?api_key=${service.key}`, {
      key: null,
    });
    assert.deepEqual([status, body.code], [401, 'auth.missing']);
  });

  test('100 Continue invites only a body that is wanted', async () => {
    const body = JSON.stringify({ url: `${site.url}/text` });
    const length = `Content-Length: ${body.length}\r\n`;
    const wanted = await talk(service.port, [post(`${length}Expect: 100-continue\r\n`), body]);
    assert.deepEqual(wanted.statuses, [100, 200], wanted.text);
    const refused: [text: string, status: number][] = [
      [post(`${length}Expect: 100-continue\r\n`).replace(service.key, 'no-such-key'), 401],
      [post('Content-Length: 41943040\r\nExpect: 100-continue\r\n'), 413],
      [post(`${length}Expect: 100-continue\r\n`).replace('application/json', 'text/plain'), 415],
      [post(`${length}Expect: 100-continue\r\n`).replace('/scrape/', '/nothing/'), 404],
      [post(`${length}Expect: 100-continue\r\n`).replace('POST', 'PUT'), 405],
    ];
    for (const [text, status] of refused) {
      const answer = await talk(service.port, [text], { ms: 2000 });
      assert.deepEqual(answer.statuses, [status], answer.text);
      assert.match(answer.text, /\r\nconnection: close\r\n/i);
      assert.equal(answer.closed, true, 'the body that was not sent is not taken for a request');
    }
    const other = await talk(service.port, [post(`${length}Expect: tea\r\n`), body]);
    assert.deepEqual(other.statuses, [200], 'what else is expected is not known here');
    await well();
  });

  test('40 MB are refused before they were read', async () => {
    const chunk = Buffer.alloc(65_536, 'a');
    for (const [name, framing, prefix] of [
      ['with a length', `Content-Length: ${40 << 20}\r\n`, ''],
      ['chunked', 'Transfer-Encoding: chunked\r\n', `${(40 << 20).toString(16)}\r\n`],
    ] as const) {
      const socket = connect(service.port, '127.0.0.1');
      let text = '';
      let taken = 0;
      socket.setEncoding('latin1').on('data', (bytes: string) => {
        text += bytes;
      });
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(post(framing, prefix));
      // Respects backpressure, and stops at the refusal.
      while (taken < 40 << 20 && text === '' && !socket.destroyed) {
        taken += chunk.length;
        if (!socket.write(chunk)) await Promise.race([new Promise((go) => socket.once('drain', go)), closed]);
        else await new Promise((go) => setImmediate(go));
      }
      await eventually(() => text.includes('request.too_large'));
      assert.match(text, /^HTTP\/1\.1 413 /, name);
      assert.ok(taken < 20 << 20, `${name}: ${taken} bytes were taken`);
      await closed;
    }
    await well();
  });

  describe('pipelined', () => {
    test('each gets its answer, in order', async () => {
      const all = GET('/healthz') + scrapeOf('/text') + GET('/nothing') + scrapeOf('/json') + GET('/healthz');
      const { statuses, text } = await talk(service.port, [all], { ms: 600 });
      assert.deepEqual(statuses, [200, 200, 404, 200, 200]);
      assert.ok(text.indexOf('plain text') < text.indexOf('A fixture'));
      await well();
    });

    test('garbage after a request that is in progress never causes a response in its place', async () => {
      const { statuses, text, closed } = await talk(
        service.port,
        [scrapeOf('/delay/1000'), 'rubbish\r\n\r\n'],
        { ms: 2500 },
      );
      assert.deepEqual(statuses, [], text);
      assert.equal(closed, true);
      await well();
    });

    test('the response to garbage is never written into a large response', async () => {
      const socket = connect(service.port, '127.0.0.1');
      let length = 0;
      let foreign = false;
      socket.on('error', () => {});
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const begun = new Promise<void>((resolve) => {
        socket.on('data', (bytes: Buffer) => {
          if (length === 0) socket.pause();
          length += bytes.length;
          foreign ||= bytes.includes('HTTP/1.1 400');
          resolve();
        });
      });
      socket.write(scrapeOf('/html/6000000'));
      await begun;
      socket.write('rubbish\r\n\r\n');
      await new Promise((go) => setTimeout(go, 100));
      socket.resume();
      await closed;
      assert.ok(length > 0);
      assert.equal(foreign, false);
      await well();
    });

    test('garbage after a complete exchange gets an error response', async () => {
      const { statuses, closed } = await talk(service.port, [GET('/healthz'), 'rubbish\r\n\r\n']);
      assert.deepEqual(statuses, [200, 400]);
      assert.equal(closed, true);
    });
  });

  test('request smuggling: an ambiguous request is refused completely', async (t) => {
    const inner = GET('/healthz');
    const body = '{}';
    const rows: [name: string, fields: string, body: string][] = [
      ['length and chunked', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`],
      ['chunked and length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${inner}`],
      ['two lengths', `Content-Length: 2\r\nContent-Length: ${inner.length + 2}\r\n`, body + inner],
      ['a list of lengths', 'Content-Length: 2, 2\r\n', body + inner],
      ['a sign', 'Content-Length: +2\r\n', body + inner],
      ['negative', 'Content-Length: -2\r\n', body + inner],
      ['hexadecimal', 'Content-Length: 0x2\r\n', body + inner],
      ['no number', 'Content-Length: two\r\n', body + inner],
      ['beyond numbers', 'Content-Length: 99999999999999999999999\r\n', body + inner],
      ['space before the colon', `Content-Length : 2\r\n`, body + inner],
      ['xchunked', 'Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${inner}`],
      ['chunked not last', 'Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${inner}`],
      ['a vertical tab', 'Transfer-Encoding:\x0bchunked\r\n', `0\r\n\r\n${inner}`],
      ['folded', 'Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${inner}`],
      ['LF behind a chunk size', 'Transfer-Encoding: chunked\r\n', `0\n\n${inner}`],
      ['a size that is none', 'Transfer-Encoding: chunked\r\n', `zz\r\n\r\n${inner}`],
      ['a size beyond numbers', 'Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n${inner}`],
      ['a chunk longer than told', 'Transfer-Encoding: chunked\r\n', `1\r\n{}\r\n0\r\n\r\n${inner}`],
      ['CR in a field', 'X: a\rContent-Length: 2\r\n', body + inner],
      ['LF alone', 'X: a\nContent-Length: 2\r\n', body + inner],
      ['a field without colon', 'Content-Length 2\r\n', body + inner],
    ];
    for (const [name, fields, rest] of rows) {
      await t.test(name, async () => {
        const { statuses, text, closed } = await talk(service.port, [post(fields, rest)], { ms: 1500 });
        assert.equal(text.includes('{"status":"ok"}'), false, `the inner request was answered: ${text}`);
        assert.equal(statuses.length, 1, text);
        assert.ok(statuses[0] === 400 || statuses[0] === 413, text);
        assert.equal(closed, true);
      });
    }
    await well();
  });

  test('a caller that disconnects in the middle of its body causes no error', async () => {
    await talk(service.port, [post('Content-Length: 1000\r\n', '{"url":')], {
      ms: 50,
      waitForResponse: false,
    });
    await talk(service.port, [post('Transfer-Encoding: chunked\r\n', '5\r\n{"url')], {
      ms: 50,
      waitForResponse: false,
    });
    await well();
    const internal = (await service.log()).filter((line) => line.level === 'error');
    assert.deepEqual(internal, []);
  });
});
