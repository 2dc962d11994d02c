import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { metric } from '../../helpers/many-at-once.ts';
import { useProxyPort } from '../../helpers/proxy-port.ts';
import { eventually, TEST_KEY } from '../../helpers/service.ts';
import { talk } from '../../helpers/talk.ts';

const port = useProxyPort(() => ({ SLUICE_MEMORY_BYTES: '32MiB' }));
const basic = `Proxy-Authorization: Basic ${Buffer.from(`${TEST_KEY}:`).toString('base64')}\r\n`;
const number = () => Number(port.address.split(':')[1]);
const say = async (...pieces: (string | Uint8Array)[]) => (await talk(number(), pieces)).text;

/** A tunnel to the site, for what comes next. */
async function tunnel(authority: string): Promise<Socket> {
  const socket = connectTcp(number(), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`CONNECT ${authority} HTTP/1.1\r\n${basic}\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  assert.match(data.toString(), /^HTTP\/1\.1 200 /);
  return socket;
}

/** The service answers as before. */
const works = async () =>
  assert.match(
    await say(`GET ${port.site.url}/json HTTP/1.1\r\nHost: x\r\n${basic}Connection: close\r\n\r\n`),
    /200 OK/,
  );

describe('the proxy port with clients that misbehave', () => {
  it('refuses a CONNECT without a host and a port, and one within a tunnel', async () => {
    for (const target of [
      'example.com',
      '/',
      'http://example.com/',
      'a b:443',
      ':443',
      'example.com:99999',
      '[::1:443',
    ])
      assert.match(
        await say(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n${basic}\r\n`),
        /^HTTP\/1\.1 400 /,
        target,
      );
    const authority = new URL(port.site.url).host;
    const nested = `CONNECT ${authority} HTTP/1.1\r\n${basic}\r\n`;
    assert.match(await say(nested, nested), /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 /);
  });

  it('refuses a request for another host than that of the tunnel', async () => {
    const authority = new URL(port.site.url).host;
    const inner = 'GET /json HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n';
    const said = await say(`CONNECT ${authority} HTTP/1.1\r\n${basic}\r\n`, inner);
    assert.match(said, /HTTP\/1\.1 400 [\s\S]*Host differs/);
  });

  it('survives what is neither TLS nor HTTP in a tunnel', async () => {
    const authority = new URL(port.site.httpsUrl!).host;
    for (const garbage of [
      Buffer.alloc(5000, 0x16),
      Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5]),
      Buffer.alloc(100, 0xff),
    ])
      await say(`CONNECT ${authority} HTTP/1.1\r\n${basic}\r\n`, garbage);
    await works();
  });

  it('survives clients that leave at any moment', async () => {
    const authority = new URL(port.site.httpsUrl!).host;
    for (let ms = 0; ms < 60; ms += 3) {
      const socket = await tunnel(authority);
      const secure = connectTls({ socket, ca: port.ca, servername: 'localhost' });
      secure.on('error', () => {});
      secure.write('GET /delay?ms=40 HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await pause(ms);
      socket.destroy();
    }
    await works();
    // Permits and memory are free again.
    await eventually(async () => {
      const { body } = await port.service.api('GET', '/api/v1/system/');
      const { memory } = body as unknown as { memory: { in_use_bytes: number } };
      return memory.in_use_bytes === 0;
    });
    const { body } = await port.service.api('GET', '/api/v1/users/');
    // The request that asks is one of them.
    assert.ok((body as unknown as { items: { in_flight: number }[] }).items[0]!.in_flight <= 1);
  });

  it('serves many requests in one tunnel, one after the other and at once', async () => {
    const { host } = new URL(port.site.httpsUrl!);
    const secure = connectTls({ socket: await tunnel(host), ca: port.ca, servername: 'localhost' });
    await once(secure, 'secureConnect');
    let text = '';
    secure.on('data', (chunk) => {
      text += chunk;
    });
    for (let n = 0; n < 20; n++) secure.write(`GET /text?n=${n} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await eventually(() => text.split('plain text\n').length === 21);
    secure.destroy();
  });

  it('waits for memory for large bodies, and refuses them if there is none', {
    timeout: 60_000,
  }, async () => {
    // One body takes all the memory, and its client does not send the rest.
    const first = connectTcp(number(), '127.0.0.1');
    first.on('error', () => {});
    const head = (length: number) =>
      `POST ${port.site.url}/bytes/1 HTTP/1.1\r\nHost: x\r\n${basic}Content-Length: ${length}\r\n\r\n`;
    first.write(head(31_000_000));
    first.write(Buffer.alloc(1_000_000));
    await eventually(async () => (await metric(port.service.base, 'sluice_memory_in_use_bytes')) > 0);
    const second = connectTcp(number(), '127.0.0.1');
    let text = '';
    second.on('data', (chunk) => {
      text += chunk;
    });
    second.on('error', () => {});
    second.write(head(20_000_000));
    second.write(Buffer.alloc(1_000_000));
    await eventually(() => /^HTTP\/1\.1 503 [\s\S]*sluice-error: service\.unavailable/i.test(text));
    await works();
    first.destroy();
    second.destroy();
    const body = Buffer.alloc(20_000_000);
    const third = await talk(number(), [head(body.length), body], { ms: 5000 });
    assert.match(third.text, /^HTTP\/1\.1 200 /);
  });
});
