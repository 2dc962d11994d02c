import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Answer,
  delivered,
  each,
  here,
  judged,
  named,
  PUBLIC_V4,
  PUBLIC_V6,
  problem,
  refused,
  scrape,
} from './stage.ts';
import { redirectTo } from './world.ts';

const CLOSED = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '3fff::1',
];
const PUBLIC = { addresses: [PUBLIC_V4], ttl: 0 };

const http = (name: string, rest = '/') => `http://${name}${rest}`;

judged('names that lead to closed addresses: A, AAAA, chains, mixed answers', async () => {
  await each(CLOSED, async (address) => {
    const ways: [string, string][] = [
      ['alone', named({ addresses: [address] })],
      ['after a chain', named(chain(address))],
      ['beside a public IPv4 address', named({ addresses: [PUBLIC_V4, address] })],
      ['before a public IPv4 address', named({ addresses: [address, PUBLIC_V4] })],
      ['beside a public IPv6 address', named({ addresses: [PUBLIC_V6, address] })],
      ['among many', named({ addresses: [PUBLIC_V4, PUBLIC_V6, '8.8.8.8', '9.9.9.10', address, '1.1.1.1'] })],
      ['over TCP', named({ addresses: [address], truncate: true })],
      ['of a chain, mixed', named({ ...chain(address), addresses: [PUBLIC_V4, address] })],
    ];
    for (const [way, name] of ways) {
      refused(await scrape(http(name)), `${address} ${way}`);
      refused(await scrape(http(`${name}.`)), `${address} ${way}, from the cache`);
    }
    const start = named(PUBLIC);
    const inside = named({ addresses: [address] });
    refused(await scrape(http(start, redirectTo(http(inside)))), `${address} by redirect to a name`);
  });
  console.log(`counted: ${CLOSED.length} addresses × 17 ways of DNS`);
});

judged('a name whose answer changes from public to closed', async () => {
  await each(CLOSED, async (address) => {
    const closed = { addresses: [address], ttl: 0 };
    const mixed = { addresses: [PUBLIC_V4, address], ttl: 0 };
    for (const then of [closed, mixed]) {
      const between = named(PUBLIC, then);
      delivered(await scrape(http(between)), `${address}: first`);
      // By POST, so that a connection that stands is not used again: it leads to the public address still.
      refused(await scrape(http(between), { method: 'POST' }), `${address}: second request`);
      const hops = named(PUBLIC, then);
      refused(await scrape(http(hops, redirectTo('/'))), `${address}: second hop`);
      const back = named(PUBLIC, PUBLIC, then);
      const twice = redirectTo(http(back, redirectTo('/')));
      refused(await scrape(http(back, twice)), `${address}: third hop`);
    }
    // One second of life is no licence for more than the answer that was judged.
    const short = named({ addresses: [PUBLIC_V4], ttl: 1 }, closed);
    delivered(await scrape(http(short)), `${address}: while it lives`);
  });
  const brief = named({ addresses: [PUBLIC_V4], ttl: 1 }, { addresses: ['10.0.0.1'], ttl: 1 });
  delivered(await scrape(http(brief)), 'while it lives');
  await pause(1_100);
  refused(await scrape(http(brief), { method: 'POST' }), 'after its life');
  console.log(`counted: ${CLOSED.length} addresses × 6 ways of rebinding`);
});

judged('flapping answers: whatever was judged is what is dialled', async () => {
  const flapping = Array.from({ length: 60 }, (_, n) =>
    n % 2 === 0 ? PUBLIC : { addresses: ['10.0.0.1'], ttl: 0 },
  );
  const name = named(...flapping);
  const seen = { public: 0, refused: 0 };
  await each(
    Array.from({ length: 60 }, (_, n) => n),
    async () => {
      const answer = await scrape(http(name), { method: 'POST' });
      if (answer.status === 200) {
        delivered(answer, 'public');
        seen.public++;
      } else {
        refused(answer, 'closed');
        seen.refused++;
      }
    },
  );
  assert.ok(seen.public > 0 && seen.refused > 0, JSON.stringify(seen));
});

judged('one family silent or late: the other is judged, and what was not judged is not dialled', async () => {
  const { dns } = here();
  dns.reply('late.example', { addresses: [PUBLIC_V4, '::1'], ttl: 0, delayMs: { AAAA: 1500 } });
  delivered(await scrape(http('late.example')), 'late');
  dns.reply('late4.example', { addresses: ['10.0.0.1', PUBLIC_V6], ttl: 0, delayMs: { A: 1500 } });
  delivered(await scrape(http('late4.example')), 'late IPv4');
  dns.reply('half.example', { addresses: ['10.0.0.1', PUBLIC_V6], ttl: 0, rcode: { AAAA: 'SERVFAIL' } });
  refused(await scrape(http('half.example')), 'the public half failed');
  dns.reply('to-nowhere.example', { cnames: [{ to: 'localhost', ttl: 60 }], addresses: [] });
  problem(
    await scrape(http('to-nowhere.example')),
    [502, 'dns.not_found'],
    'a chain to localhost, no address',
  );
});

judged('whether something listens inside makes no difference', async () => {
  // Without a life, so that both questions are asked.
  const inside = named({ addresses: ['10.0.0.1'], ttl: 0 });
  for (const host of ['10.0.0.1', '[fd00::1]', '127.0.0.1', inside]) {
    const [listening, silent] = [await scrape(`http://${host}:80/`), await scrape(`http://${host}:81/`)];
    refused(listening, host);
    assert.deepEqual(shape(listening), shape(silent), host);
    assert.equal(listening.body.router.timing.connect, null);
    assert.equal(listening.body.router.remote_ip, null);
  }
});

/** An answer without what differs between any two answers. */
function shape({ status, body }: Answer): unknown {
  const { id, request_id, router, ...rest } = body;
  const { timing, attempts, started_at, ...other } = router;
  const told = attempts.map(({ duration_ms, ...attempt }) => attempt);
  const known = Object.entries(timing).map(([name, value]) => [name, value === null ? null : 'some']);
  return { status, ...rest, other, told, known };
}

/** Two names between the question and the address. */
function chain(address: string) {
  const zone = isIPv6(address) ? 'six' : 'four';
  return {
    addresses: [address],
    cnames: [
      { to: `a.${zone}.example.net`, ttl: 60 },
      { to: `internal.${zone}.corp`, ttl: 60 },
    ],
  };
}
