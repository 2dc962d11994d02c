import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { deadlineOf, systemClock } from '../../../src/base/time.ts';
import type { FetchResult } from '../../../src/domain/fetch-result.ts';
import type { ConnectRequest, ConnectResult } from '../../../src/egress/connect-request.ts';
import type { Egress } from '../../../src/egress/egress.ts';
import { canonicalName, isDnsName } from '../../../src/egress/resolver.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { createHttpScraper } from '../../../src/scrapers/http/create-http-scraper.ts';
import { parseTask } from '../../../src/wire/request/parse-task.ts';
import {
  hostCases,
  nameLengthCases,
  onTheWire,
  queryCases,
  type UrlCase,
  urlCases,
} from '../../conformance/url-cases.ts';
import { orderFor } from '../../contracts/fetch-order.ts';
import { WITHOUT_DATA } from '../../egress/conformance.ts';
import { selfSigned } from '../../site/certificate.ts';

interface Sent {
  readonly dialled: { readonly host: string; readonly port: number };
  /** The head as it came, byte for byte. */
  readonly head: string;
}

describe('URLs on the wire: request line, Host, and where it goes', { skip: WITHOUT_DATA }, () => {
  const servers: Server[] = [];
  const ports = { plain: 0, secure: 0 };
  const sent: Sent[] = [];
  let scraper: Scraper;
  let dialled: Sent['dialled'] = { host: '', port: 0 };
  /** What the next request is answered with, once. */
  let location: Buffer | null = null;

  const serve = (socket: Socket) => {
    let head = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      head += piece;
      if (!head.endsWith('\r\n\r\n')) return;
      sent.push({ dialled, head });
      const to = location;
      location = null;
      socket.write(
        to === null
          ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
          : Buffer.concat([
              Buffer.from('HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: '),
              to,
              Buffer.from('\r\n\r\n'),
            ]),
      );
      socket.end();
    });
  };

  before(async () => {
    const { key, cert } = selfSigned();
    const secure = createTlsServer({ key, cert, ALPNProtocols: ['http/1.1'] }, serve);
    secure.on('tlsClientError', () => {});
    for (const server of [createNetServer(serve), secure]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
    }
    ports.plain = (servers[0]!.address() as AddressInfo).port;
    ports.secure = (servers[1]!.address() as AddressInfo).port;
    scraper = createHttpScraper({ egress, userAgent: 'Sluice/0.0.0-test', ca: null, clock: systemClock });
  });
  after(async () => {
    await scraper?.close();
    for (const server of servers) server.close();
  });

  let secureNext = false;
  /** Every address and port of a case is one of the two servers; which one was wanted is written down. */
  const egress: Pick<Egress, 'connect'> = {
    async connect({ host, port }: ConnectRequest): Promise<ConnectResult> {
      dialled = { host, port };
      const socket = connect(secureNext ? ports.secure : ports.plain, '127.0.0.1');
      await once(socket, 'connect');
      return { failure: null, socket, remoteIp: '127.0.0.1', dnsMs: null, connectMs: 0 };
    },
  };

  /** Fetches a URL as for a caller; null: the request was refused before anything was fetched. */
  async function ask(url: string): Promise<{ fetched: FetchResult; jobUrl: string } | null> {
    const { task, problems } = parseTask({ url, scraper_options: { verify_tls: false } });
    if (task === null) {
      assert.deepEqual([problems.length, problems[0]!.pointer], [1, '/url'], url);
      assert.equal(problems[0]!.code, 'request.validation');
      return null;
    }
    using deadline = deadlineOf(10_000);
    return { fetched: await scraper.fetch(orderFor(task, deadline)), jobUrl: task.url };
  }

  function compare(href: string, what: string): void {
    const wanted = onTheWire(href)!;
    const { dialled, head } = sent.at(-1)!;
    const [line, host, ...fields] = head.split('\r\n');
    assert.equal(line, `GET ${wanted.target} HTTP/1.1`, what);
    assert.equal(host, `Host: ${wanted.host}`, what);
    assert.deepEqual(dialled, { host: wanted.hostname, port: wanted.port }, what);
    const authorization = fields.filter((field) => /^authorization:/i.test(field));
    const basic = authorizationOf(wanted.credentials);
    assert.deepEqual(authorization, basic === null ? [] : [`Authorization: ${basic}`], what);
  }

  async function check(one: UrlCase): Promise<'sent' | 'refused'> {
    const what = JSON.stringify(one);
    const wanted = one.href === null ? null : onTheWire(one.href);
    sent.length = 0;
    secureNext = wanted?.secure ?? false;
    const asked = await ask(one.input);
    if (wanted === null) {
      assert.equal(asked, null, `must be refused: ${what}`);
      assert.equal(sent.length, 0, what);
      return 'refused';
    }
    assert.ok(asked !== null, `must be taken: ${what}`);
    assert.equal(asked.fetched.failure, null, what);
    compare(one.href!, what);
    const [, rest] = one.href!.split(/(?<=^https?:\/\/)(?:[^/?#@]*@)?/);
    assert.equal(asked.fetched.page!.finalUrl, `${wanted.secure ? 'https' : 'http'}://${rest}`, what);
    return 'sent';
  }

  async function checkAll(t: { diagnostic(text: string): void }, cases: readonly UrlCase[]): Promise<void> {
    const counts = { sent: 0, refused: 0 };
    for (const one of cases) counts[await check(one)]++;
    t.diagnostic(
      `${cases.length} cases: ${counts.sent} sent as the standard says, ${counts.refused} refused`,
    );
    assert.ok(counts.sent > 5);
  }

  it('absolute URLs', (t) =>
    checkAll(
      t,
      urlCases().filter(({ base }) => base === null),
    ));

  it('hosts of other scripts', (t) => checkAll(t, hostCases()));

  it('queries', (t) => checkAll(t, queryCases()));

  it('relative to a page that redirects', async (t) => {
    const counts = { sent: 0, refused: 0 };
    for (const one of urlCases()) {
      const base = one.base === null ? null : onTheWire(URL.parse(one.base)?.href ?? '');
      // The base must be fetched first; and a line break ends a field.
      if (base === null || /[\0\r\n]/.test(one.input)) continue;
      // An empty Location is none: the 3xx is the page.
      if (one.input.trim() === '') continue;
      const what = JSON.stringify(one);
      const wanted = one.href === null ? null : onTheWire(one.href);
      if (wanted !== null && wanted.secure !== base.secure) continue;
      sent.length = 0;
      secureNext = base.secure;
      location = Buffer.from(one.input);
      const asked = await ask(one.base!);
      if (wanted === null) {
        assert.equal(asked?.fetched.failure?.code, 'redirect.invalid', what);
        assert.equal(sent.length, 1, what);
        counts.refused++;
        continue;
      }
      assert.equal(asked?.fetched.failure, null, what);
      assert.equal(sent.length, 2, what);
      compareTarget(one.href!, sent[1]!, what);
      counts.sent++;
    }
    t.diagnostic(`${counts.sent} redirects followed as the standard says, ${counts.refused} refused`);
    assert.ok(counts.sent > 100 && counts.refused > 10);
  });

  it('only URLs with a name that DNS can hold pass `parseJob` and `isDnsName`', async () => {
    for (const { input, fits } of nameLengthCases()) {
      const { task } = parseTask({ url: input });
      assert.equal(task !== null && isDnsName(canonicalName(task.host)), fits, input);
    }
  });
});

function compareTarget(href: string, { head, dialled }: Sent, what: string): void {
  const wanted = onTheWire(href)!;
  assert.deepEqual(
    head.split('\r\n').slice(0, 2),
    [`GET ${wanted.target} HTTP/1.1`, `Host: ${wanted.host}`],
    what,
  );
  assert.deepEqual(dialled, { host: wanted.hostname, port: wanted.port }, what);
}

/** RFC 7617 over the percent-decoded bytes. */
function authorizationOf(credentials: string | null): string | null {
  if (credentials === null) return null;
  const [user, password = ''] = credentials.split(/:(.*)/s);
  const bytes = [user!, password].map((text) => percentDecoded(text));
  return `Basic ${Buffer.concat([bytes[0]!, Buffer.from(':'), bytes[1]!]).toString('base64')}`;
}

function percentDecoded(text: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const hex = /^%([0-9A-Fa-f]{2})/.exec(text.slice(at, at + 3));
    bytes.push(hex === null ? text.charCodeAt(at) : Number.parseInt(hex[1]!, 16));
    if (hex !== null) at += 2;
  }
  return Buffer.from(bytes);
}
