import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { systemClock } from '../../../src/base/time.ts';
import type { FoundBrowser } from '../../../src/browser/engine/found-browser.ts';
import { launch } from '../../../src/browser/engine/launch.ts';
import { findXvfb } from '../../../src/browser/engine/virtual-display.ts';
import { readMachinePaths } from '../../../src/config/machine.ts';
import { createEgress } from '../../../src/egress/egress.ts';
import type { ConnectionLog } from '../../../src/egress/gateway/gateway.ts';
import { isLaunched } from '../../adapters/browser/launching.ts';
import { FOLDERS, USER } from '../../adapters/browser/stage.ts';
import { testedChromiums } from '../../adapters/browser/tested-chromiums.ts';
import { startBare } from './bare-browser.ts';
import { chances } from './chances.ts';
import { judge } from './judge.ts';
import { ring } from './listeners.ts';
import { ALLOWED, ALLOWED_OUTSIDE, applies, CANARY, MODES, type Mode, portOf } from './site.ts';
import { AIMED, openStage, type Stage } from './stage.ts';
import { VECTORS, type Vector } from './vectors.ts';

const LONG = process.env.LONG === '1';
const browsers = await testedChromiums();
/** How long pages are watched after they have loaded. */
const WATCH_MS = 3_000;
/**
 * So long one mode waits for its pages before the next one begins. A frame that left for another site may never end
 * loading; its page stays open meanwhile, and is watched to the end of the test.
 */
const LOADING_MS = LONG ? 30_000 : 8_000;

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(() => stage[Symbol.asyncDispose]());

/** Loads all pages of a mode, each in a tab of its own. */
async function fire(context: BrowserContext, mode: Mode): Promise<void> {
  const tabs = stage.site.pages(mode).map(async (url) => {
    const page = await context.newPage();
    // Those that lead away at once are not loaded themselves.
    await page.goto(url, { waitUntil: 'load', timeout: LOADING_MS }).catch(() => {});
    if (mode === 'popup') await page.click('button');
  });
  await Promise.all(tabs);
}

test('the canaries count', async () => {
  await ring(CANARY, portOf('direct', 0));
  await pause(50);
  assert.equal(stage.canary.hits.get(portOf('direct', 0)), 2);
});

/** Whether this browser must be seen to do it when nothing holds it back. */
const counts =
  (found: FoundBrowser) =>
  ({ shy, only }: Vector) =>
    shy === undefined && (only === undefined || (only === 'shell') === found.headlessShell);
const headed = (found: FoundBrowser) => (found.headed ? [false] : []);
for (const found of browsers) {
  for (const headless of [true, ...headed(found)]) {
    const title = `${found.type} ${found.version} (${found.source}${headless ? '' : ', with windows'})`;

    test(`${title}: without a guard, all ways out are used`, async (t) => {
      stage.reset();
      await using bare = await startBare(found, headless);
      // The default one: others are private windows, which do less ahead of time.
      const load = (mode: Mode) => fire(bare.browser.contexts()[0]!, mode);
      for (const mode of MODES) await load(mode);
      await pause(WATCH_MS);
      const missing = (mode: Mode) => {
        const seen = stage.reached(stage.canary, mode);
        return VECTORS.filter((one, at) => applies(mode, at) && !seen.has(one.name));
      };
      const owed = (mode: Mode) =>
        missing(mode)
          .filter(counts(found))
          .filter(({ trusted }) => mode !== 'name' || trusted !== true)
          .map(({ name }) => name);
      await chances(
        () => AIMED.every((mode) => owed(mode).length === 0),
        async () => {
          for (const mode of AIMED) if (owed(mode).length > 0) await load(mode);
        },
      );
      for (const mode of AIMED) {
        const all = VECTORS.filter((_, at) => applies(mode, at)).length;
        const without = missing(mode).map(({ name }) => name);
        t.diagnostic(`${mode}: ${all - without.length} of ${all}, without ${without.join(' ')}`);
        assert.deepEqual(owed(mode), [], mode);
      }
    });

    test(`${title}: with it, none is`, async (t) => {
      await using stack = new AsyncDisposableStack();
      const egress = createEgress({
        allow: [`${ALLOWED}/32`, `${ALLOWED_OUTSIDE}/32`],
        dnsServers: [stage.ownDns.address],
        clock: systemClock,
      });
      stack.defer(() => egress.close());
      const gateway = egress.openGateway();
      stack.defer(() => gateway.close());
      const nowhere = await gateway.openSlot();
      const slots = await Promise.all(MODES.map(() => gateway.openSlot()));
      stage.reset();
      const judged =
        USER === null
          ? null
          : judge(
              USER.uid,
              [nowhere, ...slots].map(({ port }) => port),
            );
      const { xvfb } = await findXvfb(readMachinePaths().searchPath);
      const parts = {
        folders: FOLDERS,
        user: USER,
        sandbox: true,
        proxyServer: nowhere.url,
        trustedKeyHashes: [],
        xvfb,
      };
      const launched = await launch(parts, found, headless, 'playwright');
      isLaunched(launched);
      stack.defer(() => launched.close());
      const refused = new Set<number>();
      const { signal } = new AbortController();
      const ends: (() => Promise<unknown>)[] = [];
      const load = async (mode: Mode) => {
        const server = slots[MODES.indexOf(mode)]!.url;
        const context = await launched.browser.newContext({ proxy: { server } });
        ends.push(() => context.close());
        await fire(context, mode);
      };
      for (const [at, mode] of MODES.entries()) {
        const onRefusal = (trip: ConnectionLog) => void refused.add(trip.port);
        const use = slots[at]!.begin({ signal, allowUrl: null, onRefusal });
        ends.push(() => use.end());
        await load(mode);
      }
      await pause(WATCH_MS);
      const stopped = (mode: Mode) => VECTORS.filter((_, at) => refused.has(portOf(mode, at)));
      // The same ways lead to a place that may be reached: they are not just blocked.
      const missing = () => {
        const seen = stage.reached(stage.allowed, 'allowed');
        return VECTORS.filter((one, at) => applies('allowed', at) && !seen.has(one.name));
      };
      const owed = () =>
        missing()
          .filter(counts(found))
          .filter(({ neverGuarded }) => neverGuarded === undefined)
          .map(({ name }) => name);
      const untried = () => AIMED.filter((mode) => stopped(mode).length < 24);
      await chances(
        () => owed().length === 0 && untried().length === 0,
        async () => {
          for (const mode of untried()) await load(mode);
          if (owed().length > 0) await load('allowed');
        },
      );
      // The last first: pages go before what they are led through.
      for (const end of ends.reverse()) await end();
      assert.deepEqual([...stage.canary.hits], [], 'somebody came to the canary');
      assert.deepEqual(stage.systemDns.questions, [], 'the browser asked for a name');
      if (judged !== null) assert.deepEqual(judged.packets(), [], 'packets of the browser past the gateway');
      for (const mode of AIMED) {
        const unseen = VECTORS.filter(
          (one, at) =>
            applies(mode, at) &&
            !refused.has(portOf(mode, at)) &&
            counts(found)(one) &&
            one.neverGuarded === undefined,
        );
        const refusals = stopped(mode).length;
        t.diagnostic(
          `${mode}: the gateway refused ${refusals}, not ${unseen.map(({ name }) => name).join(' ')}`,
        );
        assert.ok(refusals >= 24, `${mode}: ${refusals}`);
      }
      t.diagnostic(
        `allowed: without ${missing()
          .map(({ name }) => name)
          .join(' ')}`,
      );
      assert.deepEqual(owed(), []);
    });
  }
}
