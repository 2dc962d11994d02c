import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { createServer } from 'node:tls';
import { onRequest, rawServer } from '../adapters/http-scraper/raw-server.ts';
import { noBinding } from '../adapters/impersonate/kit.ts';
import { type Authority, createAuthority, type KeyPair } from '../helpers/certificates.ts';
import { type Service, startService } from '../helpers/service.ts';

const LEFT = '<html>what no answer to HEAD has</html>';
const HEAD_ANSWER = `HTTP/1.1 200 OK\r\nContent-Length: ${LEFT.length}\r\n\r\n`;
const CLEAN = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nclean';

describe('targets that send a body after the answer to HEAD', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-leftover-'));
  let authority: Authority;
  let pair: KeyPair;
  let service: Service;
  before(async () => {
    authority = createAuthority();
    pair = authority.issue({ names: 'IP:127.0.0.1' });
    writeFileSync(join(folder, 'ca.pem'), authority.cert);
    service = await startService({ SLUICE_CA_FILE: join(folder, 'ca.pem') });
  });
  after(async () => {
    await service?.end();
    authority?.[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  /** Late enough that the next request on the connection has been sent. */
  const serve = (asked: string[]) => (socket: Socket) => {
    let owed = false;
    onRequest(socket, (head) => {
      const method = head.split(' ', 1)[0]!;
      asked.push(method);
      if (owed) socket.write(LEFT);
      owed = method === 'HEAD';
      socket.write(owed ? HEAD_ANSWER : CLEAN);
    });
  };

  const secure = async (t: TestContext, take: (socket: Socket) => void) => {
    const server = createServer({ ...pair, ALPNProtocols: ['http/1.1'] }, (socket) => {
      socket.on('error', () => {});
      t.after(() => socket.destroy());
      take(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => void server.close());
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  const scrapers = ['http', ...(noBinding === false ? ['http_impersonate'] : [])];
  for (const scraper of scrapers)
    for (const scheme of ['http', 'https'])
      test(`${scraper}, ${scheme}: the next request gets the response to itself`, async (t) => {
        const asked: string[] = [];
        const url =
          scheme === 'http' ? (await rawServer(t, serve(asked))).url : await secure(t, serve(asked));
        for (let time = 1; time <= 2; time++) {
          const head = await service.scrape({ url, scraper, method: 'HEAD' });
          assert.deepEqual([head.body.status_code, head.body.content], [200, ''], head.text);
          const { body, text } = await service.scrape({ url, scraper });
          assert.deepEqual([body.content, body.errors], ['clean', []], text);
        }
        // Each time first on the open connection, then on a new one.
        assert.deepEqual(asked, ['HEAD', 'GET', 'GET', 'HEAD', 'GET', 'GET']);
      });
});
