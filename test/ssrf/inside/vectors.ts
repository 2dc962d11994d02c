import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLines, WITHOUT_DATA } from '../../egress/conformance.ts';
import { delivered, each, here, judged, named, PUBLIC_V4, problem, refused, scrape } from './stage.ts';
import { redirectTo } from './world.ts';

interface Vector {
  readonly id: string;
  readonly url: string;
  readonly class: string;
  readonly expect: 'blocked' | 'invalid-url' | 'scheme-refused' | 'no-canary-hit';
}

const vectors = jsonLines<Vector>('ssrf/vectors.jsonl');

/** Names that the vectors mean to lead inside; a cloud's or a company's own name server would say so. */
const INSIDE_NAMES: Readonly<Record<string, string>> = {
  'ip6-localhost': '::1',
  'ip6-loopback': '::1',
  'instance-data': '169.254.169.254',
  'metadata.google.internal': '169.254.169.254',
  metadata: '169.254.169.254',
  'rancher-metadata': '169.254.169.250',
  '169.254.169.254.nip.io': '169.254.169.254',
};

function teach(): void {
  const { dns } = here();
  for (const [name, address] of Object.entries(INSIDE_NAMES)) dns.reply(name, { addresses: [address] });
  for (const name of ['example.com', 'test', 'start.example']) dns.reply(name, { addresses: [PUBLIC_V4] });
}

if (WITHOUT_DATA !== false) test('vectors', { skip: WITHOUT_DATA }, () => {});
else {
  judged('every vector as URL', async () => {
    teach();
    await each(vectors, async ({ id, url, expect }) => {
      const answer = await scrape(url);
      if (expect === 'blocked') refused(answer, id);
      else if (expect === 'no-canary-hit') delivered(answer, id);
      else problem(answer, [400, 'request.validation'], id);
    });
    console.log(`counted: ${vectors.length} vectors as URL`);
  });

  judged('every vector as the target of a redirect', async () => {
    teach();
    const statuses = [301, 302, 303, 307, 308];
    await each(vectors, async ({ id, url, expect }, index) => {
      const base = `http://start.example${redirectTo(url, statuses[index % 5])}`;
      const answer = await scrape(base);
      if (expect === 'blocked') {
        refused(answer, id);
        assert.equal(answer.body.router.redirects.length, 1, id);
      } else if (expect === 'no-canary-hit' || URL.parse(url, base)?.host === 'start.example') {
        // What is no URL by itself may be a path on the same host.
        delivered(answer, id);
      } else problem(answer, [502, 'redirect.invalid'], id);
    });
    console.log(`counted: ${vectors.length} vectors as redirect`);
  });

  judged('every vector after three public hops, and with ports and credentials', async () => {
    teach();
    const blocked = vectors.filter(({ expect }) => expect === 'blocked');
    await each(blocked, async ({ id, url }) => {
      const chain = [1, 2, 3].reduce((to) => `http://start.example${redirectTo(to)}`, url);
      refused(await scrape(chain), `${id} behind three hops`);
      for (const port of [22, 81, 6379, 11211, 65535]) {
        const odd = new URL(url);
        odd.port = String(port);
        odd.username = 'user';
        odd.password = 'start.example';
        refused(await scrape(odd.href), `${id}, port ${port}`);
      }
    });
    console.log(`counted: ${blocked.length * 6} of blocked vectors with hops, ports, credentials`);
  });

  judged('classes of addresses, as literal and as DNS answer', async () => {
    const classes = jsonLines<{ ip: string; public: boolean }>('ssrf/ip-classes.jsonl');
    let right = 0;
    await each(classes, async ({ ip, public: open }) => {
      const check = open ? delivered : refused;
      check(await scrape(`http://${ip.includes(':') ? `[${ip}]` : ip}/`), `${ip} as literal`);
      check(await scrape(`http://${named({ addresses: [ip] })}/`), `${ip} as DNS answer`);
      right++;
    });
    console.log(`counted: ${right}/${classes.length} classes as literal and as DNS answer`);
  });
}
