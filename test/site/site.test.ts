import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { get as httpsGet } from 'node:https';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startSite } from './site.ts';

const answer = (site: { readonly url: string }, path: string, init?: RequestInit) =>
  fetch(`${site.url}${path}`, { redirect: 'manual', ...init });

test('pages have exactly the length asked for', async () => {
  await using site = await startSite();
  for (const length of [200, 1024, 30_000, 200_000]) {
    assert.equal((await (await answer(site, `/html/${length}`)).arrayBuffer()).byteLength, length);
    assert.equal((await (await answer(site, `/bytes/${length}`)).arrayBuffer()).byteLength, length);
  }
  assert.equal((await answer(site, '/nowhere')).status, 404);
});

test('echo gives back method, headers in order and body', async () => {
  await using site = await startSite();
  const headers = { 'X-Zebra': '1', 'x-apple': '2' };
  const seen = (await (await answer(site, '/echo?a=1', { method: 'PUT', headers, body: 'hé' })).json()) as {
    method: string;
    url: string;
    headers: [string, string][];
    body: string;
  };
  assert.equal(seen.method, 'PUT');
  assert.equal(seen.url, '/echo?a=1');
  assert.equal(Buffer.from(seen.body, 'base64').toString('utf8'), 'hé');
  assert.ok(seen.headers.some(([name, value]) => name.toLowerCase() === 'x-zebra' && value === '1'));
  assert.deepEqual(
    site.log.map(({ method, url, connection }) => ({ method, url, connection })),
    [{ method: 'PUT', url: '/echo?a=1', connection: 1 }],
  );
});

test('redirects, cookies, statuses', async () => {
  await using site = await startSite();
  const first = await answer(site, '/redirect/2?status=307');
  assert.deepEqual([first.status, first.headers.get('location')], [307, '/redirect/1?status=307']);
  assert.equal((await fetch(`${site.url}/redirect/3`)).url, `${site.url}/redirect/0`);
  const set = await answer(site, '/cookies/set?a=1&b=2');
  assert.deepEqual(set.headers.getSetCookie(), ['a=1; Path=/', 'b=2; Path=/']);
  const back = await answer(site, '/cookies', { headers: { cookie: 'a=1' } });
  assert.deepEqual(await back.json(), { cookie: ['a=1'] });
  for (const status of [204, 304, 404, 503])
    assert.equal((await answer(site, `/status/${status}`)).status, status);
});

test('codings decode to the same page', async () => {
  await using site = await startSite();
  const plain = await (await answer(site, '/')).text();
  for (const path of ['/gzip', '/deflate', '/br'])
    assert.equal(await (await answer(site, path)).text(), plain, path);
});

test('broken answers are broken', async () => {
  await using site = await startSite();
  await assert.rejects(answer(site, '/close-midway').then((response) => response.text()));
  await assert.rejects(answer(site, '/close-at-once'));
});

test('closing ends what hangs and leaves no connection', async () => {
  const site = await startSite();
  const hanging = assert.rejects(answer(site, '/hang'));
  while (site.connections() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await site.close();
  await hanging;
  assert.equal(site.connections(), 0);
  assert.equal(site.opened(), 1);
});

test('speaks TLS, HTTP/1.1 and HTTP/2, with its own certificate', async () => {
  await using site = await startSite({ tls: true });
  const ca = site.ca ?? '';
  const body = await new Promise<string>((resolve, reject) => {
    httpsGet(`${site.httpsUrl}/text`, { ca, agent: false }, (response) => resolve(text(response))).on(
      'error',
      reject,
    );
  });
  assert.equal(body, 'plain text\n');
  const session = connect(site.httpsUrl ?? '', { ca });
  const stream = session.request({ ':path': '/echo', 'x-one': '1' });
  const seen = JSON.parse(await text(stream)) as { http_version: string; headers: string[][] };
  session.close();
  assert.equal(seen.http_version, '2.0');
  assert.deepEqual(seen.headers, [['x-one', '1']]);
  assert.deepEqual(
    site.log.map((one) => one.connection),
    [1, 2],
  );
});
