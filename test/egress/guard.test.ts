import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/time.ts';
import { createEgress } from '../../src/egress/egress.ts';
import type { GuardCredentials } from '../../src/egress/gateway/guard.ts';
import { freePort, listen } from '../helpers/free-port.ts';
import { talk } from '../helpers/talk.ts';

const REPLY = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello';
const basic = ({ username, password }: GuardCredentials) =>
  `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}\r\n`;

async function openWorld(t: TestContext) {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const target = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      seen.push(piece.toString('latin1'));
      socket.end(REPLY);
    });
  });
  await listen(target);
  const egress = createEgress({ allow: ['127.0.0.1'], dnsServers: null, clock: systemClock });
  const port = await freePort();
  const guard = await egress.openGuard('127.0.0.1', port);
  t.after(async () => {
    await guard.close();
    egress.close();
    for (const socket of sockets) socket.destroy();
    target.close();
  });
  const place = `127.0.0.1:${(target.address() as AddressInfo).port}`;
  const policy = { signal: new AbortController().signal, allowUrl: null };
  const get = (headers: string, to = place) =>
    talk(port, [`GET http://${to}/ HTTP/1.1\r\nHost: ${to}\r\n${headers}\r\n`]);
  return { seen, guard, port, place, policy, get };
}

test('only the credentials of a running session open the guard', async (t) => {
  const { seen, guard, policy, get } = await openWorld(t);
  const { gateway, credentials } = guard.begin(policy);
  const others = [
    '',
    'Proxy-Authorization: Bearer x\r\n',
    basic({ ...credentials, password: `${credentials.password}x` }),
    basic({ ...credentials, username: 'x' }),
    basic({ ...credentials, password: '' }),
  ];
  for (const headers of others) {
    const { statuses, text, closed } = await get(headers);
    assert.deepEqual([statuses, closed], [[407], true]);
    assert.match(text, /^Proxy-Authenticate: Basic realm=/m);
  }
  assert.equal(gateway.totals().connections, 0);
  const { text } = await get(basic(credentials));
  assert.match(text, /hello$/);
  assert.equal(seen.length, 1);
  assert.doesNotMatch(seen[0]!, /proxy-auth/i);
  assert.equal((await gateway.end()).connections, 1);
  assert.deepEqual((await get(basic(credentials))).statuses, [407]);
});

test('sessions are apart, tunnels work, and the addresses are checked', async (t) => {
  const { guard, port, place, policy, get } = await openWorld(t);
  const [one, two] = [guard.begin(policy), guard.begin(policy)];
  const tunnel = await talk(port, [
    `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${basic(one.credentials)}\r\n`,
    'hello there',
  ]);
  assert.deepEqual(tunnel.statuses, [200, 200]);
  // 10.0.0.1 is private, and the last one is the guard itself.
  for (const to of ['10.0.0.1:80', '127.0.0.2:80', `127.0.0.1:${port}`])
    assert.deepEqual((await get(basic(two.credentials), to)).statuses, [403]);
  assert.deepEqual([one.gateway.totals().refused, two.gateway.totals().refused], [0, 3]);
  await Promise.all([one.gateway.end(), two.gateway.end()]);
});
