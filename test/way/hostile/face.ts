import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { startTarget, type Target } from '../../adapters/browser/target.ts';
import { eventually, type Service, useService } from '../../helpers/service.ts';
import { secondUser } from '../second-user.ts';
import type { Kind } from './kind.ts';
import { routesOf, slug } from './site.ts';

const LONG = process.env.LONG === '1';
const SLOTS = 4;
/** Contract §1: an answer of a browser leaves so much after the time at the latest. */
const LATE_MS = 2_000;
const TIMEOUTS_MS = LONG ? [5_000, 15_000] : [2_500, 12_000];

/**
 * The test that a service lives through these pages: each is answered in time, and honestly, while another user scrapes
 * beside; at the end nothing is held, and the next scrape works. What several of them at once were too much for on a
 * busy machine, may try again alone, with more time.
 */
export async function faceHostile(title: string, all: readonly Kind[]): Promise<void> {
  const kinds = all.filter(({ long }) => LONG || long !== true);
  const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
  describe(title, { skip }, () => {
    const service = useService({ SLUICE_BROWSER_SLOTS: String(SLOTS) });
    let target: Target;
    before(async () => {
      target = await startTarget(routesOf(kinds));
    });
    after(() => target[Symbol.asyncDispose]());

    test('are answered in time, while others go on', async (t) => {
      const key = await secondUser(service);
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
      const rest = [...kinds];
      const again: Kind[] = [];
      const beside: number[] = [];
      let over = false;
      const calmly = (async () => {
        while (!over) beside.push(await calm());
      })();
      const worst = async () => {
        for (let kind = rest.shift(); kind !== undefined; kind = rest.shift())
          if ((await face(service, target, kind, TIMEOUTS_MS[0]!)) !== null) again.push(kind);
      };
      // One slot is for who has done nothing.
      await Promise.all(Array.from({ length: SLOTS - 1 }, worst)).finally(() => {
        over = true;
      });
      await calmly;
      for (const kind of again) {
        const why = await face(service, target, kind, TIMEOUTS_MS[1]!);
        assert.equal(why, null, why ?? '');
      }
      const [before, meanwhile] = [p95(alone), p95(beside)];
      t.diagnostic(`${kinds.length} kinds, ${again.length} tried again`);
      t.diagnostic(`another user's scrapes, p95: ${before} ms alone (${alone.length}), ${meanwhile} ms beside them
        (${beside.length}): × ${(meanwhile / before).toFixed(2)}`);
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

/** Why its answer is not what it may be; null: it is. */
async function face(
  service: Service,
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

const p95 = (times: readonly number[]): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!);
