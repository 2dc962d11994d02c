import type { Locator } from 'playwright-core';
import { orTimeout } from '../../../base/wait.ts';
import type { ElementLocator, PageAction } from '../../../domain/page-action.ts';
import { type ActionContext, FrameNotVisible, locateWithin, notAFrameMessage } from './action-context.ts';

export interface ActionFailure {
  /** Follows `failed: ` in the message; one line, without the log of Playwright. */
  readonly reason: string;
  /** The element of the action does not exist, or is not visible. */
  readonly elementMissing: boolean;
}

/** A page that has not answered by then is busy. */
const CHECK_TIMEOUT_MS = 1_000;
const MAX_MESSAGE_LENGTH = 300;
const ANSI_COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const NAVIGATION_ACTIONS: ReadonlySet<string> = new Set(['goto', 'reload', 'back']);
const NOT_VISIBLE_LOG = /element is not visible|resolved to hidden/;
const NOT_VISIBLE = 'is not visible';
const NAVIGATED_AWAY = 'the page navigated to another document meanwhile';

/** Why an element was not ready for an action, by lines of Playwright's log; the last match counts. */
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

/**
 * Why an action failed, in words.
 * @param timeoutWasShortened its timeout was shortened to the time that was left for all waits and actions
 */
export async function explainActionFailure(
  error: unknown,
  action: PageAction,
  context: ActionContext,
  { timeoutWasShortened }: { readonly timeoutWasShortened: boolean },
): Promise<ActionFailure> {
  const { message } = error as Error;
  const timedOut = (error as Error).name === 'TimeoutError' || context.signal.aborted;
  const { frame } = action;
  if (!timedOut) {
    const reason =
      frame !== null && /<iframe> was expected/.test(message) ? notAFrameMessage(frame) : errorText(error);
    return { reason, elementMissing: error instanceof FrameNotVisible };
  }
  const ms = Math.round(context.timeoutMs);
  const after = timeoutWasShortened ? `${ms} ms, when the time for waits and actions ran out` : `${ms} ms`;
  if (frame !== null && (await checkNow(() => isAttached(context.frameElement!))) === false)
    return {
      reason: `nothing matches the frame ${JSON.stringify(frame.originalText)} after ${after}`,
      elementMissing: true,
    };
  const targets = targetElements(action, context);
  const target = targets.at(-1);
  if (target === undefined)
    return {
      reason: `${NAVIGATION_ACTIONS.has(action.type) ? 'the page did not load' : 'it did not finish'} after ${after}`,
      elementMissing: false,
    };
  const name = JSON.stringify(target.at.originalText);
  if (action.type === 'wait_for_selector' && (action.state === 'hidden' || action.state === 'detached')) {
    const still = action.state === 'hidden' ? 'still visible' : 'still there';
    return { reason: `${name} is ${still} after ${after}`, elementMissing: false };
  }
  const obstacle = actionabilityReason(message);
  if (obstacle !== null)
    return {
      reason: `${name} ${obstacle[1]} after ${after}`,
      elementMissing: obstacle[0] === NOT_VISIBLE_LOG,
    };
  // An error without Playwright's log does not say whether the element was found: the action may have made the page navigate.
  const wasFound = message.includes('resolved to');
  const hasNoLog = !message.includes('waiting for');
  if (context.hasNavigated && (wasFound || hasNoLog))
    return { reason: NAVIGATED_AWAY, elementMissing: false };
  // Playwright reports the same timeout for a missing element and for a page that is too busy to be searched.
  for (const { at, locator } of targets) {
    const exists = await checkNow(() => isAttached(locator));
    if (exists === null) return { reason: `the page did not respond after ${after}`, elementMissing: false };
    if (!exists)
      return {
        reason: `nothing matches ${JSON.stringify(at.originalText)} after ${after}`,
        elementMissing: true,
      };
  }
  if ((wasFound || hasNoLog) && (await checkNow(() => target.locator.isVisible())) === false)
    return { reason: `${name} ${NOT_VISIBLE} after ${after}`, elementMissing: true };
  return { reason: `${name} was not ready after ${after}`, elementMissing: false };
}

function actionabilityReason(log: string): (typeof ACTIONABILITY_REASONS)[number] | null {
  for (const line of log.split('\n').toReversed()) {
    // Earlier lines are about another element, or about a click that did not reach it.
    if (line.includes('was detached from the DOM')) return null;
    const reason = ACTIONABILITY_REASONS.find(([pattern]) => pattern.test(line));
    if (reason !== undefined) return reason;
  }
  return null;
}

/** Whether the condition holds now; null: the page does not respond. */
function checkNow(check: () => Promise<boolean>): Promise<boolean | null> {
  return orTimeout(
    check().catch(() => null),
    CHECK_TIMEOUT_MS,
    null,
  );
}

const isAttached = (element: Locator): Promise<boolean> => element.count().then((count) => count > 0);

interface TargetElement {
  readonly at: ElementLocator;
  readonly locator: Locator;
}

/** The elements of an action: its target comes last, after the container of the target. */
function targetElements(action: PageAction, context: ActionContext): TargetElement[] {
  const element = (at: ElementLocator): TargetElement => ({ at, locator: context.locate(at) });
  if (action.type === 'scroll') {
    const { container, to } = action;
    const inner = typeof to !== 'string' && 'selector' in to ? to : null;
    if (container === null) return inner === null ? [] : [element(inner)];
    const outer = element(container);
    return inner === null ? [outer] : [outer, { at: inner, locator: locateWithin(outer.locator, inner) }];
  }
  if (action.type === 'infinite_scroll') return action.click === null ? [] : [element(action.click)];
  return 'at' in action && action.at !== null && 'selector' in action.at ? [element(action.at)] : [];
}

/** The first line of an error, without the name of the Playwright function that threw it. */
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
  const text = line.replace(/^(?:[a-z]\w*\.\w+: )?(?:Error: )?/, '');
  return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}
