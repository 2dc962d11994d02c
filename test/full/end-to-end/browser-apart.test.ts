import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { chromiums, processesOfGroup } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { eventually, useOwnService } from '../../helpers/service.ts';
import { createUser } from '../../helpers/users.ts';

interface System {
  readonly browsers: {
    readonly kinds: readonly {
      readonly apart: boolean;
      readonly lane: string;
      readonly browsers: readonly {
        readonly pid: number;
        readonly pages_open: number;
        readonly pages_served: number;
        readonly retired: boolean;
      }[];
    }[];
  };
}

const ASKS = '<p>before<script>for (let n = 0; n < 13; n++) alert(n)</script><p>after';
const OPENS = '<p>before<script>for (let n = 0; n < 8; n++) open("/calm")</script>';
const NICE = 5;

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('a page that disturbs others', { skip }, () => {
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: '3' });
  const targets: Target[] = [];
  let key: string;
  before(async () => {
    for (let n = 0; n < 2; n++)
      targets.push(
        await startTarget({
          '/asks': html(ASKS),
          '/opens': html(OPENS),
          '/calm': html('<p id="calm">calm'),
        }),
      );
    key = (await createUser(service)).key;
  });
  after(async () => {
    for (const target of targets) await target[Symbol.asyncDispose]();
  });

  const ofKind = async (apart: boolean) => {
    const { body } = await service.api<System>('GET', '/api/v1/system/');
    return body.browsers.kinds.filter((kind) => kind.apart === apart).flatMap(({ browsers }) => browsers);
  };
  const served = async (apart: boolean) =>
    (await ofKind(apart)).reduce((sum, { pages_served }) => sum + pages_served, 0);
  const scrape = async (url: string, by: string = service.key) => {
    const { status, body } = await service.scrape(
      { url, scraper: 'browser', timeout_ms: 60_000 },
      { key: by },
    );
    assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
    return body.content;
  };
  const isNoted = async (port: string) =>
    (await service.log()).filter(
      ({ msg, host }) => /gets a separate browser/.test(String(msg)) && String(host).endsWith(port),
    );

  test('is scraped in quarantine the next time; other hosts and users are not', async () => {
    const [one, other] = targets.map(({ url }) => url) as [string, string];
    await scrape(`${other}/calm`);
    assert.match((await scrape(`${one}/asks`))!, /before.*after/s);
    await eventually(async () => (await isNoted(new URL(one).port)).length === 1, 10_000);
    assert.equal((await isNoted(new URL(one).port))[0]!.why, 'too many dialogs');
    await eventually(async () => (await ofKind(true)).length === 1);
    const [own] = await ofKind(true);
    const apart = await scrape(`${one}/calm`);
    assert.equal(await served(true), own!.pages_served + 1);
    assert.equal(await scrape(`${one}/calm`, key), apart);
    assert.equal(await scrape(`${other}/calm`), apart);
    assert.equal(await served(true), own!.pages_served + 1);
    await scrape(`${one}/asks`);
    assert.equal(await served(true), own!.pages_served + 2);
    assert.equal((await isNoted(new URL(one).port)).length, 1, 'told once');
  });

  test('has a browser whose processes all have a lower priority', {
    skip: process.platform !== 'linux',
  }, async () => {
    /** The number of threads, and those whose nice value is lower. */
    const threadsOf = (of: number) => {
      const stats = processesOfGroup(of).flatMap((one) =>
        readdirSync(`/proc/${one.pid}/task`).map((thread) =>
          readFileSync(`/proc/${one.pid}/task/${thread}/stat`, 'latin1'),
        ),
      );
      const isHigher = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]) < NICE;
      return { count: stats.length, higher: stats.filter(isHigher) };
    };
    let last: unknown = null;
    const pid = await eventually(async () => {
      const lowered = (await ofKind(true)).find(({ retired }) => !retired);
      if (lowered === undefined) return null;
      try {
        const threads = threadsOf(lowered.pid);
        last = threads;
        return threads.count > 20 && threads.higher.length === 0 ? lowered.pid : null;
      } catch {
        // One has ended meanwhile.
        return null;
      }
    }, 10_000).catch(() => assert.fail(`not lowered: ${JSON.stringify(last)}`));
    const autogroup = (of: number) => {
      try {
        return readFileSync(`/proc/${of}/autogroup`, 'latin1');
      } catch {
        return null;
      }
    };
    assert.match(autogroup(pid) ?? `nice ${NICE}`, new RegExp(`nice ${NICE}$`, 'm'));
    for (const normal of await ofKind(false))
      if (!normal.retired) assert.match(autogroup(normal.pid) ?? 'nice 0', /nice 0$/m);
  });

  test('is put into quarantine for opening windows too', async () => {
    const { url } = targets[1]!;
    await scrape(`${url}/opens`);
    await eventually(async () => (await isNoted(new URL(url).port)).length === 1, 10_000);
    assert.equal((await isNoted(new URL(url).port))[0]!.why, 'too many windows');
    const before = await served(true);
    await scrape(`${url}/calm`);
    assert.equal(await served(true), before + 1);
  });
});
