import type { Locator } from 'playwright-core';
import { orTimeout } from '../../../base/wait.ts';
import type { ElementLocator, PageAction } from '../../../domain/page-action.ts';
import { type ActionContext, FrameNotVisible, locateWithin, notAFrameMessage } from './action-context.ts';

export interface ActionFailure {
  /** Goes on after `failed: `; on one line, without the log of Playwright. */
  readonly reason: string;
  /** The element that it was to be done on is not there. */
  readonly elementMissing: boolean;
}

const PROBE_MS = 1_000;
const MAX_MESSAGE_LENGTH = 300;
/** Colours of a terminal. */
const ANSI_COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const NAVIGATION_ACTIONS: ReadonlySet<string> = new Set(['goto', 'reload', 'back']);
const NOT_VISIBLE_LOG = /element is not visible|resolved to hidden/;
const NOT_VISIBLE = 'is not visible';
const NAVIGATED_AWAY = 'the page navigated to another document meanwhile';

/** What Playwright waited for in vain, as its log has it; the last one counts. */
const ACTIONABILITY_REASONS: readonly (readonly [RegExp, string])[] = [
  [/click action done/, 'was clicked, but the next page did not load'],
  [/performing click action/, 'was clicked, but the page did not respond'],
  [/did not find some options/, 'has no such option'],
  [/option being selected/, 'has that option, but it is disabled'],
  [/intercepts pointer events/, 'is covered by another element'],
  [NOT_VISIBLE_LOG, NOT_VISIBLE],
  [/element is not enabled/, 'is disabled'],
  [/element is not editable/, 'cannot be edited'],
  [/element is not stable/, 'does not stop moving'],
  [/outside of the viewport/, 'is outside the viewport'],
];

/** Why an action failed, in words. @param limited the time for all actions ended before its own */
export async function explainActionFailure(
  error: unknown,
  action: PageAction,
  turn: ActionContext,
  limited: boolean,
): Promise<ActionFailure> {
  const { name, message } = error as Error;
  const timedOut = name === 'TimeoutError' || turn.signal.aborted;
  const { frame } = action;
  if (!timedOut) {
    const reason =
      frame !== null && /<iframe> was expected/.test(message) ? notAFrameMessage(frame) : errorText(error);
    return { reason, elementMissing: error instanceof FrameNotVisible };
  }
  const ms = Math.round(turn.timeoutMs);
  const after = limited ? `${ms} ms, when the time for waits and actions ran out` : `${ms} ms`;
  if (frame !== null && (await probe(() => isAttached(turn.frameElement!))) === false)
    return {
      reason: `nothing matches the frame ${JSON.stringify(frame.originalText)} after ${after}`,
      elementMissing: true,
    };
  const targets = targetElements(action, turn);
  const target = targets.at(-1);
  if (target === undefined)
    return {
      reason: `${NAVIGATION_ACTIONS.has(action.type) ? 'the page did not load' : 'it did not finish'} after ${after}`,
      elementMissing: false,
    };
  const shown = JSON.stringify(target.at.originalText);
  if (action.type === 'wait_for_selector' && (action.state === 'hidden' || action.state === 'detached')) {
    const still = action.state === 'hidden' ? 'still visible' : 'still there';
    return { reason: `${shown} is ${still} after ${after}`, elementMissing: false };
  }
  const hindrance = actionabilityReason(message);
  if (hindrance !== null)
    return {
      reason: `${shown} ${hindrance[1]} after ${after}`,
      elementMissing: hindrance[0] === NOT_VISIBLE_LOG,
    };
  // Without its log nobody knows what it was that led away; it may be what was done.
  const found = message.includes('resolved to');
  const saysNothing = !message.includes('waiting for');
  if (turn.hasNavigated && (found || saysNothing)) return { reason: NAVIGATED_AWAY, elementMissing: false };
  // A page that is busy was not looked at by Playwright either.
  for (const { at, locator } of targets) {
    const there = await probe(() => isAttached(locator));
    if (there === null) return { reason: `the page did not respond after ${after}`, elementMissing: false };
    if (!there)
      return {
        reason: `nothing matches ${JSON.stringify(at.originalText)} after ${after}`,
        elementMissing: true,
      };
  }
  if ((found || saysNothing) && (await probe(() => target.locator.isVisible())) === false)
    return { reason: `${shown} ${NOT_VISIBLE} after ${after}`, elementMissing: true };
  return { reason: `${shown} was not ready after ${after}`, elementMissing: false };
}

function actionabilityReason(log: string): (typeof ACTIONABILITY_REASONS)[number] | null {
  for (const line of log.split('\n').toReversed()) {
    // What was told before was of another element, or of a click that did not get there.
    if (line.includes('was detached from the DOM')) return null;
    const one = ACTIONABILITY_REASONS.find(([pattern]) => pattern.test(line));
    if (one !== undefined) return one;
  }
  return null;
}

/** Null: the page does not answer. */
function probe(look: () => Promise<boolean>): Promise<boolean | null> {
  return orTimeout(
    look().catch(() => null),
    PROBE_MS,
    null,
  );
}

const isAttached = (element: Locator): Promise<boolean> => element.count().then((count) => count > 0);

interface TargetElement {
  readonly at: ElementLocator;
  readonly locator: Locator;
}

/** The element that an action is done on, after the one that it is in. */
function targetElements(action: PageAction, turn: ActionContext): TargetElement[] {
  const one = (at: ElementLocator): TargetElement => ({ at, locator: turn.locate(at) });
  if (action.type === 'scroll') {
    const { container, to } = action;
    const inner = typeof to !== 'string' && 'selector' in to ? to : null;
    if (container === null) return inner === null ? [] : [one(inner)];
    const outer = one(container);
    return inner === null ? [outer] : [outer, { at: inner, locator: locateWithin(outer.locator, inner) }];
  }
  if (action.type === 'infinite_scroll') return action.click === null ? [] : [one(action.click)];
  return 'at' in action && action.at !== null && 'selector' in action.at ? [one(action.at)] : [];
}

/** The first line of what was thrown, without names of functions. */
function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (
    /context was destroyed|default execution context|target navigated|Frame was detached|frame got detached/i.test(
      message,
    )
  )
    return NAVIGATED_AWAY;
  const net = /net::(ERR_\w+)/.exec(message)?.[1];
  if (net === 'ERR_ABORTED') return 'the response cannot be displayed as a page';
  if (net !== undefined) return `the page cannot be loaded (${net})`;
  const line = message.replaceAll(ANSI_COLORS, '').split('\n', 1)[0]!;
  const words = line.replace(/^(?:[a-z]\w*\.\w+: )?(?:Error: )?/, '');
  return words.length > MAX_MESSAGE_LENGTH ? `${words.slice(0, MAX_MESSAGE_LENGTH)}…` : words;
}
