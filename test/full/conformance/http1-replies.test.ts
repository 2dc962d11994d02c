import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { onRequest, rawServer } from '../../adapters/http-scraper/raw-server.ts';
import { CURL_REPLIES } from '../../conformance/curl-replies.ts';
import { DATA, jsonLines, WITHOUT_DATA } from '../../egress/conformance.ts';
import { useService } from '../../helpers/service.ts';

interface Baseline {
  readonly id: string;
  readonly name: string;
  readonly chromium: { readonly s?: number; readonly n?: number; readonly e?: string };
}

interface Vector {
  readonly id: string;
  readonly type: string;
  readonly raw_b64: string;
}

/** Chromium reads these and Sluice does not: no status code in the range, and a head that never ends. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['llhttp-201', 'connect.reset'],
  ['llhttp-204', 'http.protocol'],
]);

/** Redirects to hosts out there are not followed; these two would lead back here. */
const FOLLOWED = ['curl772', 'curl773'];

describe('odd replies of other projects, by the front door', { skip: WITHOUT_DATA }, () => {
  const service = useService();

  test('what Chromium reads is read, what it refuses has a listed code', async (t) => {
    const given = new Map<string, Buffer>();
    for (const { id, type, raw_b64 } of jsonLines<Vector>('http1/llhttp-vectors.jsonl'))
      if (type.startsWith('response')) given.set(id, Buffer.from(raw_b64, 'base64'));
    const baseline: Baseline[] = JSON.parse(readFileSync(join(DATA!, 'http1/baseline-clients.json'), 'utf8'));
    assert.equal(baseline.length, 153);
    const bytesOf = (id: string) => given.get(id) ?? CURL_REPLIES.get(id)?.bytes;
    const server = await rawServer(t, (socket) => {
      onRequest(socket, (head) => {
        const path = head.split(' ')[1]!.slice(1);
        socket.end(path === 'after' ? 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n' : bytesOf(path)!);
      });
    });

    const count = { given: [0, 0], madeUp: [0, 0], answered: 0 };
    const one = async ({ id, name, chromium }: Baseline) => {
      assert.ok(bytesOf(id) !== undefined, `${id} is not in the table`);
      const ours = CURL_REPLIES.get(id);
      const { status, body } = await service.scrape({
        url: server.url + id,
        scraper: 'http',
        allow_redirects: FOLLOWED.includes(id),
      });
      count.answered++;
      const told = `${id} ${name}: ${status} ${body.status_code} ${JSON.stringify(body.errors)}`;
      const code = ours?.code ?? REFUSED.get(id);
      if (code !== undefined) assert.equal(body.errors[0]?.code, code, told);
      if (chromium.s === undefined) return;
      const tally = ours === undefined ? count.given : count.madeUp;
      tally[1]!++;
      if (ours?.refused !== undefined || REFUSED.has(id)) {
        assert.equal(status, 502, told);
        return;
      }
      assert.equal(status, 200, told);
      assert.equal(body.status_code, chromium.s, told);
      // -1: Chromium had nothing to show for it, mostly because it is broken.
      const wanted = ours?.length ?? (chromium.n === -1 ? undefined : chromium.n);
      if (wanted !== undefined) {
        const content = Buffer.from(body.content!, body.content_encoding === 'base64' ? 'base64' : 'utf8');
        assert.equal(content.length, wanted, told);
        assert.equal(body.errors.length, 0, told);
      }
      tally[0]!++;
    };
    for (let at = 0; at < baseline.length; at += 16) await Promise.all(baseline.slice(at, at + 16).map(one));

    const [fromGiven, ofGiven] = count.given;
    const [fromMade, ofMade] = count.madeUp;
    t.diagnostic(
      `read ${fromGiven! + fromMade!} of the ${ofGiven! + ofMade!} that Chromium reads: ${fromGiven} of ${ofGiven} of given bytes, ${fromMade} of ${ofMade} made after their names; ${count.answered} of 153 answered with a page or a listed code`,
    );
    assert.equal(ofGiven! + ofMade!, 126);
    assert.ok(fromGiven! + fromMade! >= 120);
    assert.equal(given.size, 85);
    assert.equal(count.answered, 153);
  });
});
