import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClosed } from './judge.ts';
import { OUR_V4, OUR_V6 } from './network.ts';
import { delivered, each, here, judged, named, PUBLIC_V4, PUBLIC_V6, refused, scrape } from './stage.ts';
import { SECRET } from './world.ts';

judged('200 public targets work', async () => {
  const targets: string[] = [];
  // A fixed sequence over the whole of the space, less what is closed.
  for (let n = 1; targets.length < 120; n++) {
    const bits = Math.imul(n, 0x9e3779b1) >>> 0;
    const address = `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
    if (!isClosed(address)) targets.push(`http://${address}/`);
  }
  for (let n = 0; n < 40; n++) targets.push(`http://[2${(0x600 + n * 5).toString(16)}:${n + 1}::${n}]:8080/`);
  const both = { addresses: [PUBLIC_V4, PUBLIC_V6] };
  for (let n = 0; n < 40; n++)
    targets.push(`http://${named(n % 2 === 0 ? both : { addresses: [PUBLIC_V4] })}/`);
  await each(targets, async (url) => {
    const answer = await scrape(url);
    delivered(answer, url);
    assert.ok(answer.body.router.remote_ip !== null);
  });
  console.log(`counted: ${targets.length}/200 public targets delivered`);
});

judged('own listeners are not reached, under whatever address of the machine', async () => {
  const { service, open } = here();
  const mine = [
    OUR_V4,
    `[${OUR_V6}]`,
    named({ addresses: [OUR_V4] }),
    '127.0.0.1',
    'localhost',
    '[::1]',
    '0.0.0.0',
  ];
  await each(mine, async (host) => {
    refused(await scrape(`http://${host}:${open.port}/healthz`, {}, open), host);
  });
  refused(await scrape(`http://127.0.0.1:${service.port}/healthz`), 'by default');
  delivered(await scrape(`http://${OUR_V4}/`, {}, open), 'another port of the machine');
});

test('the judge sees what is let through', async () => {
  const { judge, world, open } = here();
  for (const [host, range] of [
    ['10.1.2.3', '10.0.0.0/8'],
    ['[fd00::5]', '8000::/1'],
    ['127.0.0.1', '127.0.0.0/8'],
  ] as const) {
    judge.reset();
    world.hits.length = 0;
    const { status, body } = await scrape(`http://${host}/`, {}, open);
    assert.deepEqual([status, body.content], [200, SECRET], host);
    assert.equal(world.hits.length, 1, host);
    assert.ok((judge.packets()[range] ?? 0) > 0, `${host}: ${JSON.stringify(judge.packets())}`);
  }
  // Metadata addresses are open to nobody who has not named them.
  refused(await scrape('http://[fd00:ec2::254]/', {}, open), 'metadata within an open range');
});
