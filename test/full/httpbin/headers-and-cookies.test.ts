import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_HTTPBIN, useStage } from '../../httpbin/stage.ts';

describe('httpbin: headers, credentials and cookies', { skip: NO_HTTPBIN }, () => {
  const stage = useStage();
  const scrape = async (path: string, more: Record<string, unknown> = {}) => {
    const { status, body } = await stage.service.scrape({ url: stage.bin + path, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const seenHeaders = async (request: Record<string, unknown>): Promise<Record<string, string>> =>
    JSON.parse((await scrape('/headers', request)).content!).headers;
  const seenCookies = (content: string | null): Record<string, string> => JSON.parse(content!).cookies;

  test('headers of the caller reach the target; Host is its own', async () => {
    const seen = await seenHeaders({ headers: { 'X-One': 'a', 'x-two': ['b', 'c'], Accept: 'text/x-own' } });
    assert.equal(seen['X-One'], 'a');
    assert.equal(seen['X-Two']?.replaceAll(' ', ''), 'b,c');
    assert.equal(seen.Accept, 'text/x-own');
    assert.equal(seen.Host, new URL(stage.bin).host);
  });

  test('what was sent is told, lower-case, in the order of the caller', async () => {
    const body = await scrape('/headers', { headers: { 'X-Zebra': '1', 'X-Apple': '2', 'X-Mango': '3' } });
    const names = Object.keys(body.router.request_headers).filter((name) => name.startsWith('x-'));
    assert.deepEqual(names, ['x-zebra', 'x-apple', 'x-mango']);
    assert.equal(body.router.request_headers['x-zebra'], '1');
    const sent: Record<string, string> = JSON.parse(body.content!).headers;
    for (const [name, value] of Object.entries(body.router.request_headers)) {
      const seen = Object.entries(sent).find(([other]) => other.toLowerCase() === name);
      if (name !== 'connection') assert.equal(seen?.[1], value, name);
    }
  });

  test('User-Agent: the own one, that of the option, that of the headers', async () => {
    assert.match((await seenHeaders({}))['User-Agent'] ?? '', /^Sluice\/\d+\.\d+\.\d+/);
    const option = { scraper_options: { user_agent: 'Own/1' } };
    assert.equal((await seenHeaders(option))['User-Agent'], 'Own/1');
    assert.equal((await seenHeaders({ headers: { 'user-agent': 'Head/1' } }))['User-Agent'], 'Head/1');
  });

  for (const name of [
    'Host',
    'Content-Length',
    'Connection',
    'TE',
    'Upgrade',
    'Transfer-Encoding',
    'Proxy-Foo',
  ])
    test(`the header ${name} is refused`, async () => {
      const request = { url: `${stage.bin}/headers`, headers: { [name]: 'x' } };
      const { status, body } = await stage.service.scrape(request);
      assert.equal(status, 400);
      assert.equal(body.errors?.[0]?.pointer, `/headers/${name}`);
    });

  test('duplicate answer headers are joined', async () => {
    const body = await scrape('/response-headers?X-Many=1&X-Many=2&X-Single=one');
    assert.equal(body.headers['x-many'], '1, 2');
    assert.equal(body.headers['x-single'], 'one');
    assert.ok(Object.keys(body.headers).every((name) => name === name.toLowerCase()));
  });

  test('credentials in the URL become Basic, and are told nowhere', async () => {
    const url = `${stage.bin.replace('http://', 'http://user:p%40ss@')}/basic-auth/user/p@ss`;
    const body = await scrape('', { url });
    assert.equal(body.status_code, 200);
    assert.deepEqual(JSON.parse(body.content!), { authenticated: true, user: 'user' });
    assert.equal(body.final_url, `${stage.bin}/basic-auth/user/p@ss`);
    const text = JSON.stringify(body.router);
    assert.doesNotMatch(text, new RegExp(Buffer.from('user:p@ss').toString('base64')));
    assert.doesNotMatch(text, /user:p/);
    for (const path of ['', 'request/']) {
      const record = await stage.service.api('GET', `/api/v1/scrape/${body.id}/${path}`);
      assert.doesNotMatch(record.text, /user:p|p%40ss@|dXNlcjpwQHNz/);
    }
    assert.doesNotMatch(await stage.service.output(), /p%40ss@|dXNlcjpwQHNz/);
  });

  test('an Authorization header wins over them; a 401 is honest', async () => {
    const url = `${stage.bin.replace('http://', 'http://user:wrong@')}/basic-auth/user/right`;
    const wrong = await scrape('', { url });
    assert.equal(wrong.status_code, 401);
    assert.equal(wrong.router.outcome, 'target_error');
    assert.equal(wrong.router.verdict?.kind, 'ok');
    assert.deepEqual(wrong.errors, []);
    const authorization = `Basic ${Buffer.from('user:right').toString('base64')}`;
    const right = await scrape('', { url, headers: { Authorization: authorization } });
    assert.equal(right.status_code, 200);
  });

  test('/hidden-basic-auth, /bearer', async () => {
    assert.equal((await scrape('/hidden-basic-auth/a/b')).status_code, 404);
    const bearer = await scrape('/bearer', { headers: { authorization: 'Bearer t0ken' } });
    assert.equal(JSON.parse(bearer.content!).token, 't0ken');
    assert.doesNotMatch(JSON.stringify(bearer.router), /t0ken/);
  });

  const given: [string, Record<string, unknown>, Record<string, string>][] = [
    ['an object', { cookies: { a: '1', B: '2' } }, { a: '1', B: '2' }],
    ['an array of objects', { cookies: [{ name: 'a', value: '1' }] }, { a: '1' }],
    ['strings', { cookies: ['a=1', 'b=2=3'] }, { a: '1', b: '2=3' }],
    ['a Cookie header', { headers: { Cookie: 'a=1; b=2' } }, { a: '1', b: '2' }],
    ['both; the field wins', { headers: { cookie: 'a=1; b=2' }, cookies: { b: '3' } }, { a: '1', b: '3' }],
    [
      'camelCase members',
      { cookies: [{ name: 'a', value: '1', httpOnly: true, sameSite: 'Lax' }] },
      { a: '1' },
    ],
    ['another path', { cookies: [{ name: 'a', value: '1', path: '/elsewhere' }] }, {}],
    ['another domain', { cookies: [{ name: 'a', value: '1', domain: 'example.com' }] }, {}],
  ];
  for (const [name, request, expected] of given)
    test(`cookies given as ${name}`, async () => {
      const body = await scrape('/cookies', request);
      assert.deepEqual(seenCookies(body.content), expected);
      assert.deepEqual(body.cookies, [], 'only what the target set');
    });

  test('cookies that the target sets go along, and are told in their last state', async () => {
    const body = await scrape('/cookies/set?a=1&b=2', { cookies: { own: 'x', b: 'old' } });
    assert.equal(body.final_url, `${stage.bin}/cookies`);
    assert.deepEqual(seenCookies(body.content), { a: '1', b: '2', own: 'x' });
    const told = body.cookies.map(({ name, value, domain, path, expires }) => ({
      name,
      value,
      domain,
      path,
      expires,
    }));
    told.sort((x, y) => x.name.localeCompare(y.name));
    const rest = { domain: '127.0.0.1', path: '/', expires: null };
    assert.deepEqual(told, [
      { name: 'a', value: '1', ...rest },
      { name: 'b', value: '2', ...rest },
    ]);
    assert.ok(
      body.cookies.every((cookie) => !cookie.secure && !cookie.http_only && cookie.same_site === null),
    );
  });

  test('a cookie that the target deletes is gone', async () => {
    const body = await scrape('/cookies/delete?a', { cookies: { a: '1', b: '2' } });
    assert.deepEqual(seenCookies(body.content), { b: '2' });
    assert.deepEqual(body.cookies, []);
  });

  test('two cookies of one answer stand in one header with a newline', async () => {
    const body = await scrape('/cookies/set?a=1&b=2', { allow_redirects: false });
    assert.equal(body.headers['set-cookie']?.split('\n').length, 2);
    assert.equal(body.cookies.length, 2);
  });

  test('no cookie outlives its scrape', async () => {
    await scrape('/cookies/set/stays/1');
    assert.deepEqual(seenCookies((await scrape('/cookies')).content), {});
  });
});
