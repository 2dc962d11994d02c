import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../src/base/time.ts';
import type { CdpBrowser } from '../../../src/browser/engine/cdp-browser.ts';
import { launch } from '../../../src/browser/engine/launch.ts';
import { createEgress } from '../../../src/egress/egress.ts';
import type { ConnectionLog } from '../../../src/egress/gateway/gateway.ts';
import { isLaunched } from '../../adapters/browser/launching.ts';
import { FOLDERS, USER } from '../../adapters/browser/stage.ts';
import { testedChromiums } from '../../adapters/browser/tested-chromiums.ts';
import { chances } from './chances.ts';
import { judge } from './judge.ts';
import { ALLOWED, ALLOWED_OUTSIDE, applies, MODES, type Mode, portOf } from './site.ts';
import { AIMED, openStage, type Stage } from './stage.ts';
import { ONE_OF_EACH_KIND, VECTORS, type Vector } from './vectors.ts';

const LONG = process.env.LONG === '1';
/** How long pages are watched after they were sent on their way. */
const WATCH_MS = 3_000;
/**
 * So long one mode waits for its pages before the next one begins. A frame that left for another site may never end
 * loading; its page stays open meanwhile, and is watched to the end of the test.
 */
const LOADING_MS = LONG ? 30_000 : 8_000;
/** The other driver fires all vectors; this one only those of `ONE_OF_EACH_KIND`, and with LONG=1 all. */
const isFired = ({ name }: Vector) => LONG || ONE_OF_EACH_KIND.has(name);
/** So many ways at least the gateway must have refused in each mode, popups excepted. */
const LEAST_REFUSED = LONG ? 24 : 7;

let stage: Stage;
before(async () => {
  stage = await openStage(isFired);
});
after(() => stage[Symbol.asyncDispose]());

/** Loads all pages of a mode, each in a page of its own; settles with what closes them. */
async function fire(browser: CdpBrowser, proxy: string, mode: Mode): Promise<() => Promise<unknown>> {
  let turn: Promise<unknown> = Promise.resolve();
  const pages = stage.site.pages(mode).map(async (url) => {
    // One after the other: each is to be made within seconds, and others test beside.
    const making = turn.then(() => browser.newPage(proxy));
    turn = making;
    const page = await making;
    const { session, mainFrameId } = page;
    const loaded = new Promise<void>((resolve) => {
      session.on('Page.lifecycleEvent', ({ frameId, name }) => {
        if (frameId === mainFrameId && name === 'load') resolve();
      });
    });
    session.on('Fetch.requestPaused', ({ requestId }) => {
      session.send('Fetch.continueRequest', { requestId }).catch(() => {});
    });
    // Those that lead away at once are not loaded themselves.
    await session.send('Page.navigate', { url }).catch(() => {});
    await Promise.race([loaded, pause(LOADING_MS, undefined, { ref: false })]);
    if (mode === 'popup')
      await session.send('Runtime.evaluate', {
        expression: "document.querySelector('button').click()",
        userGesture: true,
      });
    return page;
  });
  const open = await Promise.all(pages);
  return () => Promise.all(open.map((page) => page.close()));
}

for (const found of await testedChromiums()) {
  test(`${found.type} ${found.version} (${found.source}), driver cdp: nothing gets out`, async (t) => {
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
    const ports = [nowhere, ...slots].map(({ port }) => port);
    const judged = USER === null ? null : judge(USER.uid, ports);
    const parts = {
      folders: FOLDERS,
      user: USER,
      sandbox: true,
      proxyServer: nowhere.url,
      trustedKeyHashes: [],
      xvfb: null,
    };
    const launched = await launch(parts, found, true, 'cdp');
    isLaunched(launched);
    stack.defer(() => launched.close());
    const refused = new Set<number>();
    const { signal } = new AbortController();
    const ends: (() => Promise<unknown>)[] = [];
    // Made ahead, while their way out is closed.
    for (const { url } of slots) launched.browser.preparePage(url);
    for (const [at, mode] of MODES.entries()) {
      const slot = slots[at]!;
      const onRefusal = (trip: ConnectionLog) => void refused.add(trip.port);
      const use = slot.begin({ signal, allowUrl: null, onRefusal });
      ends.push(() => use.end(), await fire(launched.browser, slot.url, mode));
    }
    await pause(WATCH_MS);
    // The same ways lead to a place that may be reached: they are not just blocked.
    const missing = () => {
      const seen = stage.reached(stage.allowed, 'allowed');
      return VECTORS.filter(
        (one, at) =>
          isFired(one) &&
          one.shy === undefined &&
          (one.only === undefined || (one.only === 'shell') === found.headlessShell) &&
          one.neverGuarded === undefined &&
          applies('allowed', at) &&
          !seen.has(one.name),
      ).map(({ name }) => name);
    };
    const stopped = (mode: Mode) => VECTORS.filter((_, at) => refused.has(portOf(mode, at))).length;
    // Popups are closed as soon as they open: what comes out of them is stopped, and need not come.
    const untried = () => AIMED.filter((mode) => mode !== 'popup' && stopped(mode) < LEAST_REFUSED);
    await chances(
      () => missing().length === 0 && untried().length === 0,
      async () => {
        const anew = missing().length > 0 ? [...untried(), 'allowed' as const] : untried();
        for (const mode of anew)
          ends.push(await fire(launched.browser, slots[MODES.indexOf(mode)]!.url, mode));
      },
    );
    // The last first: pages go before what they are led through.
    for (const end of ends.reverse()) await end();
    assert.deepEqual([...stage.canary.hits], [], 'somebody came to the canary');
    assert.deepEqual(stage.systemDns.questions, [], 'the browser asked for a name');
    if (judged !== null) assert.deepEqual(judged.packets(), [], 'packets of the browser past the gateway');
    for (const mode of AIMED) {
      t.diagnostic(`${mode}: the gateway refused ${stopped(mode)}`);
      if (mode !== 'popup') assert.ok(stopped(mode) >= LEAST_REFUSED, `${mode}: ${stopped(mode)}`);
    }
    assert.deepEqual(missing(), []);
  });
}
