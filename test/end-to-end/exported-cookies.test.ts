import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';

/** One cookie of 127.0.0.1, in the export format of each tool. */
const EXPORTS: Readonly<Record<string, Record<string, unknown>>> = {
  'Cookie-Editor': {
    domain: '127.0.0.1',
    expirationDate: 4_000_000_000.5,
    hostOnly: true,
    httpOnly: false,
    name: 'sid',
    path: '/',
    sameSite: 'no_restriction',
    secure: false,
    session: false,
    storeId: null,
    value: 'mine',
  },
  EditThisCookie: {
    domain: '127.0.0.1',
    hostOnly: true,
    httpOnly: true,
    name: 'sid',
    path: '/',
    sameSite: 'unspecified',
    secure: false,
    session: true,
    storeId: '0',
    value: 'mine',
    id: 1,
  },
  Puppeteer: {
    name: 'sid',
    value: 'mine',
    domain: '127.0.0.1',
    path: '/',
    expires: -1,
    size: 7,
    httpOnly: false,
    secure: false,
    session: true,
    sameParty: false,
    sourceScheme: 'NonSecure',
    sourcePort: 80,
    priority: 'Medium',
    partitionKeyOpaque: false,
  },
  Selenium: {
    domain: '127.0.0.1',
    expiry: 4_000_000_000,
    httpOnly: true,
    name: 'sid',
    path: '/',
    sameSite: 'Lax',
    secure: false,
    value: 'mine',
  },
  Playwright: {
    name: 'sid',
    value: 'mine',
    domain: '127.0.0.1',
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax',
    partitionKey: 'http://127.0.0.1',
    _crHasCrossSiteAncestor: false,
  },
};

describe('cookies as they are exported', () => {
  const service = useService();
  let asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.cookie);
    const host = request.headers.host ?? '';
    if (request.url === '/away')
      response.writeHead(302, { location: `http://${host.replace('127.0.0.1', 'localhost')}/` }).end();
    else if (request.url === '/below') response.writeHead(302, { location: `http://a.${host}/` }).end();
    else response.end('here');
  });
  let port = 0;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const sent = async (url: string, cookie: object) => {
    asked = [];
    const { status, body } = await service.scrape({ url, scraper: 'http', cookies: [cookie] });
    assert.equal(status, 200, JSON.stringify(body.errors));
    return asked;
  };
  const refused = async (cookie: object) => {
    const { status, body } = await service.scrape({
      url: `http://127.0.0.1:${port}/`,
      cookies: [{ name: 'a', value: 'b', ...cookie }],
    });
    return [status, body.errors[0]?.pointer];
  };

  for (const [exporter, cookie] of Object.entries(EXPORTS)) {
    test(`${exporter}: is sent`, async () => {
      assert.deepEqual(await sent(`http://127.0.0.1:${port}/`, cookie), ['sid=mine']);
    });
  }

  test('a hostOnly cookie is not sent to subdomains', async () => {
    const cookie = { name: 'a', value: 'b', domain: 'a.localhost' };
    const url = `http://a.localhost:${port}/below`;
    assert.deepEqual(await sent(url, { ...cookie, hostOnly: true }), ['a=b', undefined]);
    assert.deepEqual(await sent(url, { ...cookie, hostOnly: false }), ['a=b', 'a=b']);
  });

  test('a cookie with partitionKey is only sent for pages of that site', async () => {
    const cookie = { name: 'a', value: 'b' };
    const url = `http://127.0.0.1:${port}/`;
    assert.deepEqual(await sent(url, { ...cookie, partitionKey: 'http://127.0.0.1' }), ['a=b']);
    assert.deepEqual(await sent(url, { ...cookie, partitionKey: { topLevelSite: 'http://127.0.0.1' } }), [
      'a=b',
    ]);
    assert.deepEqual(await sent(url, { ...cookie, partitionKey: 'http://other.test' }), [undefined]);
    const frames = { topLevelSite: 'http://127.0.0.1', hasCrossSiteAncestor: true };
    assert.deepEqual(await sent(url, { ...cookie, partitionKey: frames }), [undefined]);
  });

  test('an expired cookie is not sent, under any name of the date', async () => {
    const cookie = { name: 'a', value: 'b' };
    for (const name of ['expires', 'expirationDate', 'expiry'])
      assert.deepEqual(await sent(`http://127.0.0.1:${port}/`, { ...cookie, [name]: 1000 }), [undefined]);
    const session = { ...cookie, session: true, expirationDate: 1000 };
    assert.deepEqual(await sent(`http://127.0.0.1:${port}/`, session), ['a=b']);
  });

  for (const [what, pointer] of [
    [{ hostonly: true }, 'hostonly'],
    [{ storeId: 5 }, 'storeId'],
    [{ size: '5' }, 'size'],
    [{ comment: 'x' }, 'comment'],
    [{ sameSite: 'loose' }, 'same_site'],
    [{ hostOnly: false }, 'hostOnly'],
    [{ expires: 5, expirationDate: 6 }, 'expirationDate'],
    [{ partitionKey: 'example.com' }, 'partitionKey'],
    [{ partitionKey: { site: 'http://a.test' } }, 'partitionKey/site'],
  ] as const) {
    test(`${JSON.stringify(what)} is refused`, async () => {
      assert.deepEqual(await refused(what), [400, `/cookies/0/${pointer}`]);
    });
  }
});
