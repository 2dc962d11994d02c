import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import type { ElementAt, PageAction } from '../../../../domain/page-action.ts';
import { NoFrame, noFrame, type Turn, within } from './turn.ts';

export interface WhyFailed {
  /** Goes on after `failed: `; on one line, without the log of Playwright. */
  readonly why: string;
  /** The element that it was to be done on is not there. */
  readonly absent: boolean;
}

const LOOK_MS = 1_000;
const LONGEST = 300;
/** Colours of a terminal. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const GOES: ReadonlySet<string> = new Set(['goto', 'reload', 'back']);
const HIDDEN = /element is not visible|resolved to hidden/;
const NOT_SEEN = 'is not visible';
const ELSEWHERE = 'the page navigated to another document meanwhile';

/** What Playwright waited for in vain, as its log has it; the last one counts. */
const HINDRANCES: readonly (readonly [RegExp, string])[] = [
  [/click action done/, 'was clicked, but the next page did not load'],
  [/performing click action/, 'was clicked, but the page did not respond'],
  [/did not find some options/, 'has no such option'],
  [/option being selected/, 'has that option, but it is disabled'],
  [/intercepts pointer events/, 'is covered by another element'],
  [HIDDEN, NOT_SEEN],
  [/element is not enabled/, 'is disabled'],
  [/element is not editable/, 'cannot be edited'],
  [/element is not stable/, 'does not stop moving'],
  [/outside of the viewport/, 'is outside the viewport'],
];

/** Why an action failed, in words. @param limited the time for all actions ended before its own */
export async function whyFailed(
  error: unknown,
  action: PageAction,
  turn: Turn,
  limited: boolean,
): Promise<WhyFailed> {
  const { name, message } = error as Error;
  const timedOut = name === 'TimeoutError' || turn.signal.aborted;
  const { frame } = action;
  if (!timedOut) {
    const why = frame !== null && /<iframe> was expected/.test(message) ? noFrame(frame) : wordsOf(error);
    return { why, absent: error instanceof NoFrame };
  }
  const ms = Math.round(turn.ms);
  const after = limited ? `${ms} ms, when the time for waits and actions ran out` : `${ms} ms`;
  if (frame !== null && (await answerOf(() => isThere(turn.frameElement!))) === false)
    return { why: `nothing matches the frame ${JSON.stringify(frame.written)} after ${after}`, absent: true };
  const targets = targetsOf(action, turn);
  const target = targets.at(-1);
  if (target === undefined)
    return {
      why: `${GOES.has(action.type) ? 'the page did not load' : 'it did not finish'} after ${after}`,
      absent: false,
    };
  const shown = JSON.stringify(target.at.written);
  if (action.type === 'wait_for_selector' && (action.state === 'hidden' || action.state === 'detached')) {
    const still = action.state === 'hidden' ? 'still visible' : 'still there';
    return { why: `${shown} is ${still} after ${after}`, absent: false };
  }
  const hindrance = hindranceOf(message);
  if (hindrance !== null)
    return { why: `${shown} ${hindrance[1]} after ${after}`, absent: hindrance[0] === HIDDEN };
  // Without its log nobody knows what it was that led away; it may be what was done.
  const found = message.includes('resolved to');
  const saysNothing = !message.includes('waiting for');
  if (turn.moved && (found || saysNothing)) return { why: ELSEWHERE, absent: false };
  // A page that is busy was not looked at by Playwright either.
  for (const { at, locator } of targets) {
    const there = await answerOf(() => isThere(locator));
    if (there === null) return { why: `the page did not respond after ${after}`, absent: false };
    if (!there) return { why: `nothing matches ${JSON.stringify(at.written)} after ${after}`, absent: true };
  }
  if ((found || saysNothing) && (await answerOf(() => target.locator.isVisible())) === false)
    return { why: `${shown} ${NOT_SEEN} after ${after}`, absent: true };
  return { why: `${shown} was not ready after ${after}`, absent: false };
}

function hindranceOf(log: string): (typeof HINDRANCES)[number] | null {
  for (const line of log.split('\n').toReversed()) {
    // What was told before was of another element, or of a click that did not get there.
    if (line.includes('was detached from the DOM')) return null;
    const one = HINDRANCES.find(([pattern]) => pattern.test(line));
    if (one !== undefined) return one;
  }
  return null;
}

/** Null: the page does not answer. */
function answerOf(look: () => Promise<boolean>): Promise<boolean | null> {
  return Promise.race([look().catch(() => null), pause(LOOK_MS, null)]);
}

const isThere = (element: Locator): Promise<boolean> => element.count().then((count) => count > 0);

interface Target {
  readonly at: ElementAt;
  readonly locator: Locator;
}

/** The element that an action is done on, after the one that it is in. */
function targetsOf(action: PageAction, turn: Turn): Target[] {
  const one = (at: ElementAt): Target => ({ at, locator: turn.element(at) });
  if (action.type === 'scroll') {
    const { container, to } = action;
    const inner = typeof to !== 'string' && 'selector' in to ? to : null;
    if (container === null) return inner === null ? [] : [one(inner)];
    const outer = one(container);
    return inner === null ? [outer] : [outer, { at: inner, locator: within(outer.locator, inner) }];
  }
  if (action.type === 'infinite_scroll') return action.click === null ? [] : [one(action.click)];
  return 'at' in action && action.at !== null && 'selector' in action.at ? [one(action.at)] : [];
}

/** The first line of what was thrown, without names of functions. */
function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (
    /context was destroyed|default execution context|target navigated|Frame was detached|frame got detached/i.test(
      message,
    )
  )
    return ELSEWHERE;
  const net = /net::(ERR_\w+)/.exec(message)?.[1];
  if (net === 'ERR_ABORTED') return 'the response cannot be displayed as a page';
  if (net !== undefined) return `the page cannot be loaded (${net})`;
  const line = message.replaceAll(COLOURS, '').split('\n', 1)[0]!;
  const words = line.replace(/^(?:[a-z]\w*\.\w+: )?(?:Error: )?/, '');
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
