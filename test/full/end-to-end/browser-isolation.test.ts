import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { freePort, listen } from '../../helpers/free-port.ts';
import { useOwnService } from '../../helpers/service.ts';
import { type DnsServer, startDnsServer } from '../../site/dns-server.ts';

/** What a page finds in each kind of storage of a browser. */
interface Found {
  readonly cookie: string;
  readonly local: string | null;
  readonly session: string | null;
  readonly indexed: string | null;
  readonly cached: string | null;
  readonly workers: number;
  readonly shared: string;
  readonly heard: readonly string[];
  readonly name: string;
  readonly opener: boolean;
  readonly locks: readonly string[];
  readonly bytes: number;
  readonly auth: number;
  readonly geolocation: string;
  /** How often the server had been asked for it, when what came was made. */
  readonly script: string;
  readonly frame: string;
}
interface Told {
  readonly me: string;
  /** When the page begins, when it has written, and when others have written, too. */
  readonly first: Found;
  readonly then: Found;
  readonly last: Found;
}

const found = await chromiums();
const skip = found.length === 0 && 'there is no Chromium on this machine';
/** One browser of each type, because data could only be shared within one program. */
const types = [...new Set(found.map(({ type }) => type))];

const DNS_PORT = await freePort();
const LONG = { 'cache-control': 'public, max-age=3600' };
const SHARED = `let kept = '';
onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => { if (data) kept = data; port.postMessage(kept) };
};`;
const PAGE = `<!doctype html><title>a</title><body><script>
const me = crypto.randomUUID();
const within = (work, other) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, 3000, other))]).catch(() => other);
const heard = [];
const channel = new BroadcastChannel('c');
channel.onmessage = ({ data }) => heard.push(data);
const worker = new SharedWorker('/shared.js');
const ask = (text) => new Promise((resolve) => {
  worker.port.onmessage = ({ data }) => resolve(data);
  worker.port.postMessage(text);
});
const base = new Promise((resolve, reject) => {
  const opening = indexedDB.open('d');
  opening.onupgradeneeded = () => opening.result.createObjectStore('s');
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = reject;
});
const stored = async (mode, work) => {
  const asked = work((await base).transaction('s', mode).objectStore('s'));
  return new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result ?? null) });
};
const frame = () => new Promise((resolve) => {
  const made = document.createElement('iframe');
  made.onload = () => resolve(made.contentDocument.body.textContent);
  made.src = '/frame';
  document.body.append(made);
});
const read = async () => ({
  cookie: document.cookie,
  local: localStorage.getItem('k'),
  session: sessionStorage.getItem('k'),
  indexed: await stored('readonly', (store) => store.get('k')),
  cached: (await (await caches.match('/kept'))?.text()) ?? null,
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  shared: await within(ask(''), 'no answer'),
  heard: [...heard],
  name: window.name,
  opener: window.opener !== null,
  locks: (await navigator.locks.query()).held.map(({ name }) => name),
  bytes: (await navigator.storage.estimate()).usage,
  auth: await within(fetch('/auth').then(({ status }) => status), 0),
  geolocation: (await navigator.permissions.query({ name: 'geolocation' })).state,
  script: await (await fetch('/counted')).text(),
  frame: await frame(),
});
const write = async () => {
  document.cookie = 'k=' + me;
  localStorage.setItem('k', me);
  sessionStorage.setItem('k', me);
  await stored('readwrite', (store) => store.put(me, 'k'));
  await (await caches.open('c')).put('/kept', new Response(me));
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  await ask(me);
  const other = new BroadcastChannel('c');
  other.postMessage(me);
  setInterval(() => other.postMessage(me), 50);
  window.name = me;
  void navigator.locks.request('l' + me, () => new Promise(() => {}));
  await within(new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onloadend = resolve;
    request.open('GET', '/auth', true, 'user', 'pass');
    request.send();
  }));
  await fetch('/etag', { cache: 'no-cache', headers: { 'x-me': me } });
  await fetch('/etag', { cache: 'no-cache', headers: { 'x-me': me } });
};
(async () => {
  const first = await read();
  await write();
  const then = await read();
  await fetch('/together');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const last = await read();
  const out = document.createElement('pre');
  out.id = 'out';
  out.textContent = JSON.stringify({ me, first, then, last });
  document.body.append(out);
})();
</script>`;

describe('nothing passes from one scrape to another', { skip }, () => {
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: '2' });
  let target: Target;
  let counted = 0;
  let frames = 0;
  /** Barriers: requests that wait for each other, and how many must arrive. */
  let together: ServerResponse[] = [];
  let parties = 1;
  const documents: IncomingMessage[] = [];
  const revalidated: { me: string; known: string | undefined }[] = [];
  /** Remote port of the connection of each request. */
  const ports: { path: string; port: number }[] = [];

  before(async () => {
    const seen = (path: string, answer: (request: IncomingMessage, response: ServerResponse) => void) =>
      [
        path,
        (request: IncomingMessage, response: ServerResponse) => {
          ports.push({ path, port: request.socket.remotePort! });
          answer(request, response);
        },
      ] as const;
    target = await startTarget(
      Object.fromEntries([
        seen('/page', (request, response) => {
          documents.push(request);
          const headers = { ...LONG, 'accept-ch': 'Device-Memory', 'set-cookie': 'http=1; HttpOnly' };
          html(PAGE, 200, headers)(request, response);
        }),
        seen('/shared.js', (_, response) => void response.writeHead(200, SCRIPT).end(SHARED)),
        seen('/worker.js', (_, response) => void response.writeHead(200, SCRIPT).end('onfetch = () => {}')),
        seen('/counted', (_, response) => void response.writeHead(200, LONG).end(String(++counted))),
        seen('/frame', (request, response) => html(`<p>${++frames}`, 200, LONG)(request, response)),
        seen('/etag', (request, response) => {
          revalidated.push({ me: String(request.headers['x-me']), known: request.headers['if-none-match'] });
          response.writeHead(200, { etag: '"e"', 'cache-control': 'max-age=3600' }).end('e');
        }),
        seen('/auth', ({ headers }, response) => {
          const known = headers.authorization !== undefined;
          response.writeHead(known ? 200 : 401, known ? {} : { 'www-authenticate': 'Basic realm="r"' }).end();
        }),
        seen('/together', (_, response) => {
          together.push(response);
          if (together.length < parties) return;
          for (const one of together) one.end();
          together = [];
        }),
      ]),
    );
  });
  after(() => target[Symbol.asyncDispose]());

  const scrape = async (type: string, more: object = {}): Promise<Told> => {
    const { status, body } = await service.scrape({
      url: `${target.url}/page`,
      browser_type: type,
      scraper: 'browser',
      wait_for_selector: '#out',
      ...more,
    });
    assert.equal(status, 200, JSON.stringify(body.errors));
    const text = /<pre id="out">(.*)<\/pre>/.exec(body.content!)?.[1];
    assert.ok(text !== undefined, body.content!);
    return JSON.parse(text) as Told;
  };

  /** Asserts that all storage is empty at first, and later has only what the page itself has stored. */
  function own({ me, first, then, last }: Told, geolocation: string): void {
    const { script, frame, bytes, ...rest } = first;
    assert.deepEqual(rest, {
      cookie: '',
      local: null,
      session: null,
      indexed: null,
      cached: null,
      workers: 0,
      shared: '',
      heard: [],
      name: '',
      opener: false,
      locks: [],
      auth: 401,
      geolocation,
    });
    for (const found of [then, last]) {
      assert.deepEqual(
        { ...found, heard: [...new Set(found.heard)], bytes: found.bytes > bytes },
        {
          cookie: `k=${me}`,
          local: me,
          session: me,
          indexed: me,
          cached: me,
          workers: 1,
          shared: me,
          heard: [me],
          name: me,
          opener: false,
          locks: [`l${me}`],
          bytes: true,
          // A shell signs in where a script gives a name and a password; full browsers have no scheme to do it by.
          auth: found.auth === 200 ? 200 : 401,
          geolocation,
          // From the cache: it has one, for itself.
          script,
          frame,
        },
      );
    }
  }

  for (const type of types) {
    test(`${type}, one after the other in the driver cdp`, async () => await twice(type, {}, {}, 'prompt'));
    const geolocation = { latitude: 1, longitude: 2 };
    test(`${type}, one after the other in the driver playwright`, async () =>
      await twice(type, { scraper_options: { geolocation } }, { page_actions: [{ wait: 1 }] }, 'granted'));
    test(`${type}, the driver cdp after playwright`, async () =>
      await twice(type, { page_actions: [{ wait: 1 }] }, {}, 'prompt'));

    async function twice(type: string, first: object, second: object, geolocation: string): Promise<void> {
      parties = 1;
      const begun = [documents.length, counted, frames, revalidated.length];
      const one = await scrape(type, first);
      const portsOfOne = new Set(ports.map(({ port }) => port));
      ports.length = 0;
      const two = await scrape(type, second);
      own(one, geolocation);
      own(two, 'prompt');
      assert.notEqual(one.me, two.me);
      // Each scrape has requested each resource once.
      assert.deepEqual(
        [documents.length, counted, frames].map((now, at) => now - begun[at]!),
        [2, 2, 2],
      );
      assert.deepEqual(
        revalidated.slice(begun[3]).map(({ known }) => known),
        [undefined, '"e"', undefined, '"e"'],
      );
      for (const { headers } of documents.slice(begun[0])) {
        assert.equal(headers.cookie, undefined);
        assert.equal(headers['device-memory'], undefined);
        assert.equal(headers['if-none-match'], undefined);
      }
      for (const { port } of ports) assert.ok(!portsOfOne.has(port), 'a connection of the scrape before');
    }

    test(`${type}, side by side`, async () => {
      parties = 2;
      const [one, two] = await Promise.all([scrape(type), scrape(type)]);
      own(one, 'prompt');
      own(two, 'prompt');
      assert.notEqual(one.me, two.me);
    });

    test(`${type}: cookies, storage and headers of a caller only apply to one scrape`, async () => {
      parties = 1;
      const begun = documents.length;
      const url = new URL(`${target.url}/page`);
      url.username = 'user';
      url.password = 'pass';
      await service.scrape({
        url: url.href,
        browser_type: type,
        cookies: { given: '1' },
        headers: { 'x-given': '1' },
        wait_for_load_state: 'load',
      });
      await service.scrape({ url: `${target.url}/page`, browser_type: type, wait_for_load_state: 'load' });
      const [one, two] = documents.slice(begun).map(({ headers }) => headers);
      assert.deepEqual(
        [one!.authorization, one!.cookie, one!['x-given']],
        ['Basic dXNlcjpwYXNz', 'given=1', '1'],
      );
      assert.deepEqual([two!.authorization, two!.cookie, two!['x-given']], [undefined, undefined, undefined]);
    });
  }
});

describe('over TLS', { skip }, () => {
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: '1' });

  for (const type of types) {
    test(`${type}: no session is resumed in another scrape`, async (t) => {
      using authority = createAuthority();
      const { key, cert } = authority.issue({ names: 'IP:127.0.0.1' });
      const reused: boolean[][] = [];
      const server = createTlsServer({ key, cert }, (request, response) => {
        if (request.url === '/') reused.push([]);
        reused.at(-1)?.push((request.socket as TLSSocket).isSessionReused());
        response.writeHead(200, {
          'content-type': 'text/html',
          connection: 'close',
          'cache-control': 'no-store',
        });
        response.end(
          request.url === '/'
            ? `<script>(async () => { for (const at of [1, 2, 3]) await fetch('/' + at);
              document.body.append(Object.assign(document.createElement('p'), { id: 'out', textContent: 'a' })) })()</script>`
            : 'a',
        );
      });
      await listen(server);
      t.after(() => void server.close());
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      for (let time = 0; time < 2; time++) {
        const { status, body } = await service.scrape({
          url,
          browser_type: type,
          wait_for_selector: '#out',
          scraper_options: { verify_tls: false },
        });
        assert.deepEqual([status, body.errors], [200, []]);
      }
      assert.equal(reused.length, 2);
      for (const [first, ...rest] of reused) {
        assert.equal(first, false, 'the first connection of a scrape is a new session');
        assert.ok(rest.includes(true), `within a scrape they are resumed: ${rest}`);
      }
    });
  }
});

describe('strict transport security', { skip }, () => {
  const authority = createAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-hsts-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  let names: DnsServer;
  before(async () => {
    names = await startDnsServer({ 'site.example': { addresses: ['127.0.0.1'] } }, { port: DNS_PORT });
  });
  after(async () => {
    await names.close();
    authority[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });
  const service = useOwnService({
    SLUICE_CA_FILE: caFile,
    SLUICE_DNS_SERVERS: `127.0.0.1:${DNS_PORT}`,
    SLUICE_BROWSER_SLOTS: '1',
  });

  for (const type of types) {
    test(`${type}: only applies to the scrape that received the header`, async (t) => {
      const { key, cert } = authority.issue({ names: 'DNS:site.example' });
      await using plain = await startTarget({ '/': html('<p>plain') });
      const url = `http://site.example:${new URL(plain.url).port}/`;
      let told: Record<string, string> = {};
      const page = `<script>location.href = ${JSON.stringify(url)}</script>`;
      const secure = createTlsServer({ key, cert }, (request, response) =>
        html(page, 200, told)(request, response),
      );
      await listen(secure);
      t.after(() => void secure.close());
      const scrape = (url: string) =>
        service.scrape({ url, browser_type: type, scraper: 'browser', wait_for_timeout_ms: 1_000 });
      const secureUrl = `https://site.example:${(secure.address() as AddressInfo).port}/`;
      assert.match((await scrape(secureUrl)).body.content!, /plain/, 'without it, the page leads there');
      told = { 'strict-transport-security': 'max-age=3600' };
      plain.asked.length = 0;
      const one = await scrape(secureUrl);
      assert.doesNotMatch(one.body.content ?? '', /plain/, 'it asks for https where it was told to');
      assert.deepEqual(plain.asked, []);
      const two = await scrape(url);
      assert.deepEqual([two.status, two.body.status_code, two.body.final_url], [200, 200, url]);
      assert.match(two.body.content!, /plain/);
    });
  }
});

const SCRIPT = { 'content-type': 'text/javascript', 'cache-control': 'no-store' };
