import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ProxyAgent, request } from 'undici';
import { useProxyPort } from '../../helpers/proxy-port.ts';
import { eventually, TEST_KEY } from '../../helpers/service.ts';

const port = useProxyPort(() => ({ SLUICE_MEMORY_BYTES: '1GiB', SLUICE_DRAIN_SECONDS: '20' }));

const PAGE_BYTES = 50_000_000;
const LATIN1 = Buffer.alloc(1_000_000, 'gr\xfc\xdfe ', 'latin1');
const BLOCK = Buffer.alloc(1_000_000, 'abcdefghij');

/** Requests for `/stream` so far. */
let streams = 0;

/** Sends large and unusual responses, and counts what it gets. */
async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  let received = 0;
  for await (const chunk of incoming) received += (chunk as Buffer).length;
  switch (incoming.url) {
    case '/large':
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': PAGE_BYTES });
      for (let sent = 0; sent < PAGE_BYTES; sent += BLOCK.length)
        if (!response.write(BLOCK)) await once(response, 'drain');
      return void response.end();
    case '/latin1':
      // 20 MB that are no UTF-8.
      response.writeHead(200, {
        'content-type': 'text/plain; charset=iso-8859-1',
        'content-length': 20_000_000,
      });
      for (let sent = 0; sent < 20; sent++) if (!response.write(LATIN1)) await once(response, 'drain');
      return void response.end();
    case '/stream':
      streams++;
      for (let part = 0; part < 20; part++) {
        response.write(`part ${part}\n`);
        await pause(20);
      }
      return void response.end();
    case '/breaks':
      response.writeHead(200, { 'content-length': 1000 }).write('the beginning');
      await pause(100);
      return void response.destroy();
    default:
      response.end(String(received));
  }
}

const server = createServer((incoming, response) => {
  answer(incoming, response).catch(() => response.destroy());
});
let site = '';
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const agent = () =>
  new ProxyAgent({ uri: port.url(), proxyTunnel: false, requestTls: { ca: port.ca } } as ProxyAgent.Options);

/** The length of a response, or the error that ended it. */
async function lengthOf(path: string, options: object = {}): Promise<number | string> {
  const dispatcher = agent();
  try {
    const { statusCode, headers, body } = await request(site + path, { dispatcher, ...options });
    assert.equal(statusCode, 200, String(headers['sluice-error']));
    let length = 0;
    for await (const chunk of body) length += (chunk as Buffer).length;
    return length;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return (error as Error).message;
  } finally {
    await dispatcher.destroy();
  }
}

/** The whole text of a response, as a client of HTTP/1.0 or 1.1 sees it. */
async function rawResponse(url: string, version: string): Promise<{ text: string; complete: boolean }> {
  const socket = connect(Number(port.address.split(':')[1]), '127.0.0.1');
  const basic = Buffer.from(`${TEST_KEY}:`).toString('base64');
  socket.write(`GET ${url} HTTP/${version}\r\nHost: x\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return {
    text,
    complete: length === undefined ? text.endsWith('0\r\n\r\n') : body.length === Number(length),
  };
}

describe('bodies through the proxy port', () => {
  it('delivers 50 MB whole', { timeout: 60_000 }, async () => {
    assert.equal(await lengthOf('/large'), PAGE_BYTES);
  });

  it('delivers the bytes of a large text that is no UTF-8', async () => {
    const dispatcher = agent();
    const { statusCode, headers, body } = await request(`${site}/latin1`, { dispatcher });
    assert.equal(statusCode, 200, String(headers['sluice-error']));
    const bytes = Buffer.from(await body.arrayBuffer());
    // Not `deepEqual`, which would compute the difference of 20 MB.
    assert.ok(bytes.equals(Buffer.concat(Array(20).fill(LATIN1))));
    await dispatcher.close();
  });

  it('cuts at max_content_bytes, without a proper end', async () => {
    const headers = { 'sluice-options': 'max_content_bytes=1000000' };
    assert.equal(typeof (await lengthOf('/large', { headers })), 'string');
  });

  it('delivers a stream without a length', async () => {
    assert.equal(
      await lengthOf('/stream'),
      Buffer.byteLength(Array.from({ length: 20 }, (_, n) => `part ${n}\n`).join('')),
    );
  });

  it('ends without a proper end what broke off, for HTTP/1.1 and 1.0', async () => {
    for (const version of ['1.1', '1.0']) {
      const { text, complete } = await rawResponse(`${site}/breaks`, version);
      assert.match(text, /sluice-outcome: partial/i, version);
      assert.match(text, /the beginning/, version);
      assert.equal(complete, false, version);
    }
  });

  it('sends bodies of 60 MB with and without a length', { timeout: 60_000 }, async () => {
    const bytes = Buffer.alloc(60_000_000, 'x');
    assert.equal(await lengthOf('/count', { method: 'POST', body: bytes }), String(bytes.length).length);
    const pieces = async function* () {
      for (let sent = 0; sent < 60; sent++) yield BLOCK;
    };
    const dispatcher = agent();
    const { body, headers } = await request(`${site}/count`, {
      method: 'PUT',
      body: pieces() as never,
      dispatcher,
    });
    assert.equal(await body.text(), '60000000');
    const stored = await port.service.api('GET', `/api/v1/scrape/${headers['sluice-scrape-id']}/request/`);
    assert.deepEqual((stored.body as unknown as { data: unknown }).data, {
      $base64: null,
      omitted_bytes: 60_000_000,
    });
    await dispatcher.close();
    // Its memory is free again.
    await eventually(async () => {
      const { body: system } = await port.service.api('GET', '/api/v1/system/');
      return (system as unknown as { memory: { in_use_bytes: number } }).memory.in_use_bytes < 1_000_000;
    });
  });

  it('refuses more than 64 MiB without a length', { timeout: 60_000 }, async () => {
    const pieces = async function* () {
      for (let sent = 0; sent < 70; sent++) yield BLOCK;
    };
    const dispatcher = agent();
    const status = await request(`${site}/count`, {
      method: 'PUT',
      body: pieces() as never,
      dispatcher,
    }).then(
      ({ statusCode }) => statusCode,
      // The connection was closed while the client still sent.
      () => 413,
    );
    assert.equal(status, 413);
    await dispatcher.destroy();
  });

  it('serves a thousand connections', { timeout: 180_000 }, async () => {
    const { body } = await port.service.api('GET', '/api/v1/users/');
    const { id } = (body as unknown as { items: { id: string }[] }).items[0]!;
    const patched = await port.service.api('PATCH', `/api/v1/users/${id}`, { body: { concurrency: 2000 } });
    assert.equal(patched.status, 200);
    const basic = Buffer.from(`${TEST_KEY}:`).toString('base64');
    const sockets: Socket[] = [];
    const texts: string[] = [];
    for (let n = 0; n < 1000; n++) {
      const socket = connect(Number(port.address.split(':')[1]), '127.0.0.1');
      socket.on('data', (chunk) => {
        texts[n] = (texts[n] ?? '') + chunk;
      });
      sockets.push(socket);
      if (n % 100 === 99) await once(socket, 'connect');
    }
    for (const socket of sockets)
      socket.write(`GET ${site}/count HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`);
    await eventually(
      () => texts.filter((text) => /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n0$/.test(text)).length === 1000,
      150_000,
    );
    for (const socket of sockets) socket.destroy();
  });

  it('finishes what runs when the service stops', async () => {
    const earlier = streams;
    const running = lengthOf('/stream');
    await eventually(() => streams > earlier);
    await port.service.stop();
    assert.equal(await running, 150);
    assert.equal(typeof (await lengthOf('/stream')), 'string');
  });
});
