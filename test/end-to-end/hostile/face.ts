import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { startTarget, type Target } from '../../adapters/browser/target.ts';
import { eventually, type ServiceApi, useOwnService } from '../../helpers/service.ts';
import { createUser } from '../../helpers/users.ts';
import type { Kind } from './kind.ts';
import { routesOf, slug } from './site.ts';

const LONG = process.env.LONG === '1';
const SLOTS = 4;
/** Contract §1: the response of a browser scrape is sent at most so long after the time limit. */
const LATE_MS = 2_000;
/**
 * With a browser that gives way to all others, on a machine that others keep busy: what the pages before it left behind
 * may take most of the second one to be closed.
 */
const TIMEOUTS_MS = LONG ? [5_000, 30_000] : [2_500, 30_000];

/**
 * The test that a service lives through these pages: each is answered in time, and honestly, while another user scrapes
 * beside; at the end nothing is held, and the next scrape works. What several of them at once were too much for on a
 * busy machine, may try again alone, with more time.
 */
export async function faceHostile(title: string, all: readonly Kind[]): Promise<void> {
  const kinds = all.filter(({ long }) => LONG || long !== true);
  const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
  describe(title, { skip }, () => {
    const service = useOwnService({ SLUICE_BROWSER_SLOTS: String(SLOTS) });
    let target: Target;
    before(async () => {
      target = await startTarget(routesOf(kinds));
    });
    after(() => target[Symbol.asyncDispose]());

    test('are answered in time, while others go on', async (t) => {
      const { key } = await createUser(service);
      const calm = async () => {
        const began = performance.now();
        const ask = { url: `${target.url}/calm`, scraper: 'browser' };
        const { status, body } = await service.scrape(ask, { key });
        assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
        return performance.now() - began;
      };
      await calm();
      const alone: number[] = [];
      for (let n = 0; n < (LONG ? 60 : 5); n++) alone.push(await calm());
      /** Durations of the other user's scrapes while `work` runs in all slots; she gets the one slot beyond the limit. */
      const besides = async (work: () => Promise<void>): Promise<readonly number[]> => {
        const times: number[] = [];
        let over = false;
        const calmly = (async () => {
          while (!over) times.push(await calm());
        })();
        await Promise.all(Array.from({ length: SLOTS - 1 }, work)).finally(() => {
          over = true;
        });
        await calmly;
        return times;
      };
      // The same load with plain pages, to compare: a busy machine is not the fault of hostile pages.
      let plain = LONG ? 200 : 0;
      const ordinary = await besides(async () => {
        while (plain-- > 0) await service.scrape({ url: `${target.url}/ordinary`, scraper: 'browser' });
      });
      const rest = [...kinds];
      const again: Kind[] = [];
      const worst = async () => {
        for (let kind = rest.shift(); kind !== undefined; kind = rest.shift())
          if ((await face(service, target, kind, TIMEOUTS_MS[0]!)) !== null) again.push(kind);
      };
      const beside = await besides(worst);
      for (const kind of again) {
        const why = await face(service, target, kind, TIMEOUTS_MS[1]!);
        assert.equal(why, null, why ?? '');
      }
      t.diagnostic(`${kinds.length} kinds, ${again.length} tried again`);
      const rows = { alone, 'beside ordinary pages': ordinary, 'beside them': beside };
      for (const [name, times] of Object.entries(rows)) {
        if (times.length === 0) continue;
        const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
        t.diagnostic(`another user's scrapes ${name}: p50 ${p50} ms, p95 ${p95} ms (${times.length})`);
      }
    });

    test('hold nothing when they are over', async () => {
      const { status } = await service.scrape({ url: `${target.url}/calm`, scraper: 'browser' });
      assert.equal(status, 200);
      await eventually(async () => {
        const text = await (await fetch(`${service.base}/metrics`)).text();
        const of = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
        return of('sluice_scrapes_in_flight') === 0 && of('sluice_memory_in_use_bytes') === 0;
      }, 15_000);
    });
  });
}

/** An error message if the response to a page is not one of those allowed, else null. */
async function face(
  service: ServiceApi,
  target: Target,
  { name, ask, answers = ['page'] }: Kind,
  timeoutMs: number,
): Promise<string | null> {
  const began = performance.now();
  const url = target.url + slug(name);
  const { status, body } = await service.scrape({ url, scraper: 'browser', timeout_ms: timeoutMs, ...ask });
  const ms = Math.round(performance.now() - began);
  const told = `${name}: ${status} ${body.code ?? ''} after ${ms} ms, ${(body.content ?? '').slice(0, 200)}`;
  if (ms > timeoutMs + LATE_MS) return told;
  if (status !== 200) return answers.some((one) => one === body.code) ? null : told;
  if (answers.includes('other')) return null;
  const answer = body.content === '' ? 'empty' : 'page';
  const holds = answer === 'empty' || body.content!.includes('before');
  return holds && answers.includes(answer) ? null : told;
}

const quantile = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!);
