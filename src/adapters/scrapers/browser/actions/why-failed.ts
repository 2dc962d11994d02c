import { setTimeout as pause } from 'node:timers/promises';
import type { ElementAt, PageAction } from '../../../../domain/page-action.ts';
import { NoFrame, type Turn } from './turn.ts';

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
const NOT_SEEN = 'is not to be seen';

/** What Playwright waited for in vain, as its log has it. */
const HINDRANCES: readonly (readonly [RegExp, string])[] = [
  [/did not find some options/, 'has no such option'],
  [/intercepts pointer events/, 'is covered by another element'],
  [HIDDEN, NOT_SEEN],
  [/element is not enabled/, 'is not enabled'],
  [/element is not editable/, 'cannot be edited'],
  [/element is not stable/, 'does not hold still'],
  [/outside of the viewport/, 'is outside of the window'],
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
  if (!timedOut) return { why: wordsOf(error), absent: error instanceof NoFrame };
  const ms = Math.round(turn.ms);
  const after = limited ? `${ms} ms, when the time for waits and actions was up` : `${ms} ms`;
  const { frame } = action;
  if (frame !== null && !(await isThere(() => turn.frameElement!.count().then((count) => count > 0))))
    return { why: `nothing matches the frame ${JSON.stringify(frame.written)} after ${after}`, absent: true };
  const at = targetOf(action);
  if (at === null)
    return {
      why: `${GOES.has(action.type) ? 'the page was not there' : 'it was not done'} after ${after}`,
      absent: false,
    };
  const shown = JSON.stringify(at.written);
  if (action.type === 'wait_for_selector' && (action.state === 'hidden' || action.state === 'detached')) {
    const still = action.state === 'hidden' ? 'still to be seen' : 'still there';
    return { why: `${shown} is ${still} after ${after}`, absent: false };
  }
  // What Playwright found in the meantime stands in its log.
  if (message.includes('waiting for') && !message.includes('resolved to'))
    return { why: `nothing matches ${shown} after ${after}`, absent: true };
  const hindrance = HINDRANCES.find(([pattern]) => pattern.test(message));
  if (hindrance !== undefined)
    return { why: `${shown} ${hindrance[1]} after ${after}`, absent: hindrance[0] === HIDDEN };
  // In a short time on a busy machine it may not have come to look.
  if (!(await isThere(() => turn.element(at).isVisible())))
    return { why: `${shown} ${NOT_SEEN} after ${after}`, absent: true };
  return { why: `${shown} was not ready after ${after}`, absent: false };
}

/** A page that does not answer has it. */
function isThere(look: () => Promise<boolean>): Promise<boolean> {
  return Promise.race([look().catch(() => true), pause(LOOK_MS, true)]);
}

/** The element that an action is done on. */
function targetOf(action: PageAction): ElementAt | null {
  if (action.type === 'scroll') {
    if (action.container !== null) return action.container;
    return typeof action.to !== 'string' && 'selector' in action.to ? action.to : null;
  }
  if (action.type === 'infinite_scroll') return action.click;
  return 'at' in action && action.at !== null && 'selector' in action.at ? action.at : null;
}

/** The first line of what was thrown, without names of functions. */
function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/context was destroyed|Frame was detached|frame got detached/i.test(message))
    return 'the page went to another document meanwhile';
  const net = /net::(ERR_\w+)/.exec(message)?.[1];
  if (net === 'ERR_ABORTED') return 'the answer is nothing that a page could show';
  if (net !== undefined) return `the page cannot be loaded (${net})`;
  const line = message.replaceAll(COLOURS, '').split('\n', 1)[0]!;
  const words = line.replace(/^(?:[a-z]\w*\.\w+: )?(?:Error: )?/, '');
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
