import assert from 'node:assert/strict';
import { pageOf } from './fetch-order.ts';
import { type AddRule, bodyOf, field, json } from './scraper-rule.ts';

/** Requests as they arrive, answers as they are told. */
export function messageRules(rule: AddRule): void {
  rule('statuses are pages', async (scraper, site) => {
    for (const status of [200, 201, 304, 400, 404, 429, 500, 503]) {
      const { page } = await pageOf(scraper, `${site.url}/status/${status}`);
      assert.equal(page.statusCode, status);
      assert.equal(page.cut, null);
    }
  });

  rule('a redirect without a location is a page', async (scraper, site) => {
    const { page } = await pageOf(scraper, `${site.url}/status/302`);
    assert.deepEqual([page.statusCode, page.cut], [302, null]);
  });

  rule('answers without a body are whole and empty', async (scraper, site, { methods }) => {
    for (const [path, method] of [
      ['status/204', 'GET'],
      ['status/304', 'GET'],
      ['gzip', 'HEAD'],
      ['bytes/0', 'GET'],
    ] as const) {
      if (!methods.includes(method)) continue;
      const { page } = await pageOf(scraper, `${site.url}/${path}`, { method });
      assert.deepEqual([page.body.length, page.cut, page.undecoded], [0, null, false], path);
    }
  });

  rule('methods and bodies arrive as given', async (scraper, site, { methods }) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      if (!methods.includes(method)) continue;
      const seen = json(await pageOf(scraper, `${site.url}/echo`, { method, body: bodyOf('bödy') }));
      assert.equal(seen.method, method);
      assert.equal(Buffer.from(seen.body, 'base64').toString(), 'bödy');
      assert.deepEqual(field(seen.headers, 'content-type'), ['text/plain']);
      assert.deepEqual(field(seen.headers, 'content-length'), ['5']);
    }
    const bare = json(await pageOf(scraper, `${site.url}/echo`, { method: 'POST' }));
    assert.deepEqual(field(bare.headers, 'content-length'), ['0']);
  });

  rule('a body on GET is sent, with a warning', async (scraper, site) => {
    const fetched = await pageOf(scraper, `${site.url}/echo`, { body: bodyOf('get') });
    assert.deepEqual(
      fetched.warnings.map(({ code }) => code),
      ['data.on_get'],
    );
    await pageOf(scraper, `${site.url}/html`, { method: 'HEAD', body: bodyOf('head') });
    assert.equal(site.log.at(-1)?.body.toString(), 'head');
  });

  rule(
    "the caller's fields go out in their order, as written, repeated where they repeat",
    async (scraper, site) => {
      const headers = [
        ['X-Zed', '1'],
        ['x-lower', '2'],
        ['X-Twice', 'a'],
        ['X-Twice', 'b'],
        ['X-Far', '\u010d'],
      ] as const;
      const fetched = await pageOf(scraper, `${site.url}/headers`, { headers });
      const seen = site.log[0]!;
      const own = seen.headers.filter(([name]) => name.toLowerCase().startsWith('x-'));
      const second = seen.httpVersion.startsWith('2');
      const names = headers.map(([name]) => (second ? name.toLowerCase() : name));
      assert.deepEqual(
        own.map(([name]) => name),
        names,
      );
      assert.deepEqual(
        own.map(([, value]) => value),
        ['1', '2', 'a', 'b', '\xc4\x8d'],
      );
      if (!second) assert.equal(seen.headers[0]![0].toLowerCase(), 'host');
      assert.ok(fetched.requestHeaders!.some(([name, value]) => name === 'x-zed' && value === '1'));
      assert.ok(fetched.requestHeaders!.every(([name]) => name === name.toLowerCase()));
    },
  );

  rule("the caller's fields may hold any byte", async (scraper, site) => {
    await pageOf(scraper, `${site.url}/headers`, { headers: [['X-Latin', 'caf\xe9']] });
    assert.deepEqual(field(site.log[0]!.headers, 'x-latin'), ['caf\xe9']);
  });

  rule('fields of the answer keep bytes beyond ASCII', async (scraper, site) => {
    const { page } = await pageOf(scraper, `${site.url}/with-headers?x-latin=caf%C3%A9`);
    assert.deepEqual(field(page.headers, 'x-latin'), ['caf\xe9']);
  });

  rule('defaults stand only where the caller gives nothing', async (scraper, site) => {
    await pageOf(scraper, `${site.url}/headers`);
    const names = site.log[0]!.headers.map(([name]) => name.toLowerCase());
    for (const name of ['user-agent', 'accept', 'accept-encoding']) assert.ok(names.includes(name), name);
    const headers = [
      ['user-agent', 'mine'],
      ['ACCEPT', 'a/b'],
      ['accept-encoding', 'identity'],
    ] as const;
    await pageOf(scraper, `${site.url}/headers`, { headers, options: { userAgent: 'other' } });
    const sent = site.log[1]!.headers;
    assert.deepEqual(
      [field(sent, 'user-agent'), field(sent, 'accept'), field(sent, 'accept-encoding')],
      [['mine'], ['a/b'], ['identity']],
    );
    await pageOf(scraper, `${site.url}/headers`, { options: { userAgent: 'an option' } });
    assert.deepEqual(field(site.log[2]!.headers, 'user-agent'), ['an option']);
  });

  rule('field lines of the answer keep their order and number', async (scraper, site) => {
    const { page } = await pageOf(
      scraper,
      `${site.url}/with-headers?x-b=1&x-a=2&x-b=3&set-cookie=a%3D1&set-cookie=b%3D2`,
    );
    const own = page.headers.filter(([name]) => name.startsWith('x-') || name === 'set-cookie');
    assert.deepEqual(
      own.filter(([name]) => name === 'x-b').map(([, value]) => value),
      ['1', '3'],
    );
    assert.deepEqual(
      own.filter(([name]) => name === 'set-cookie').map(([, value]) => value),
      ['a=1', 'b=2'],
    );
    assert.ok(page.headers.every(([name]) => name === name.toLowerCase()));
  });

  rule('codings are undone', async (scraper, site) => {
    const plain = await pageOf(scraper, `${site.url}/`);
    for (const path of ['gzip', 'deflate', 'deflate-raw', 'br', 'zstd', 'gzip-br']) {
      const { page } = await pageOf(scraper, `${site.url}/${path}`);
      assert.ok(Buffer.from(page.body).equals(plain.page.body), path);
      assert.equal(page.cut, null);
    }
  });

  rule('a coded body that ends too early is told', async (scraper, site) => {
    const broken = await pageOf(scraper, `${site.url}/gzip-broken`);
    assert.equal(broken.page.cut?.code, 'content.decode_failed');
  });
}
