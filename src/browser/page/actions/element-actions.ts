import type { ElementHandle, Locator, Request } from 'playwright-core';
import { sleep } from '../../../base/wait.ts';
import type { ActionOf } from '../../../domain/page-action.ts';
import { type ActionContext, type ActionOutcome, NO_RESULT } from './action-context.ts';
import { evaluateIsolated, evaluateIsolatedAll } from './isolated-world.ts';

// After a click or a key Playwright waits until the page that it leads to is shown, and fails with a timeout when that takes
// longer than the action has. What was dispatched is done all the same.

/** Settles when a click was done, and the page that it leads to has come or takes too long. */
async function awaitClick(clicking: Promise<void>): Promise<void> {
  try {
    await clicking;
  } catch (error) {
    if (!/click action done/.test((error as Error).message)) throw error;
  }
}

/** The same of a key on an element. Playwright's log does not tell when it was done: that the page goes elsewhere does. */
async function awaitKeyPress({ env: { page } }: ActionContext, press: () => Promise<void>): Promise<void> {
  const leading: Request[] = [];
  const onRequest = (request: Request) => {
    if (request.isNavigationRequest()) leading.push(request);
  };
  page.on('request', onRequest);
  try {
    await press();
  } catch (error) {
    const { name, message } = error as Error;
    const leads = leading.some((request) => request.frame() === page.mainFrame());
    if (!leads || name !== 'TimeoutError' || !message.includes('elementHandle.press')) throw error;
  } finally {
    page.off('request', onRequest);
  }
}

export async function click(action: ActionOf<'click'>, turn: ActionContext): Promise<ActionOutcome> {
  const { at, button, count: clickCount, all } = action;
  if ('x' in at) {
    const { x, y } = await turn.toViewport(at);
    await turn.env.page.mouse.click(x, y, { button, clickCount });
    return NO_RESULT;
  }
  if (!all) {
    await awaitClick(turn.locate(at).click({ button, clickCount, timeout: turn.remainingMs }));
    return NO_RESULT;
  }
  const every = turn.locateAll(at);
  await every.first().waitFor({ state: 'attached', timeout: turn.remainingMs });
  let count = 0;
  for (const one of await every.elementHandles()) {
    // It was clicked away: what is left of its page has no more time.
    if (count > 0 && turn.signal.aborted) break;
    // A click before this one may have taken it away.
    if (!(await isElementVisible(one))) continue;
    await awaitClick(one.click({ button, clickCount, timeout: turn.remainingMs }));
    count++;
  }
  const result = { clicked: count };
  return count === 0 ? { result, error: `no visible element matches ${at.originalText}` } : { result };
}

const isElementVisible = (one: ElementHandle): Promise<boolean> => one.isVisible().catch(() => false);

export async function hover({ at }: ActionOf<'hover'>, turn: ActionContext): Promise<ActionOutcome> {
  await turn.locate(at).hover({ timeout: turn.remainingMs });
  return NO_RESULT;
}

export async function select(
  { at, by, values }: ActionOf<'select'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const options = values.map((value) => (by === 'label' ? { label: value } : { value }));
  return { result: { values: await turn.locate(at).selectOption(options, { timeout: turn.remainingMs }) } };
}

export async function check({ at }: ActionOf<'check'>, turn: ActionContext): Promise<ActionOutcome> {
  await turn.locate(at).check({ timeout: turn.remainingMs });
  return NO_RESULT;
}

export async function uncheck({ at }: ActionOf<'uncheck'>, turn: ActionContext): Promise<ActionOutcome> {
  await turn.locate(at).uncheck({ timeout: turn.remainingMs });
  return NO_RESULT;
}

export async function fill(
  { at, value, clear }: ActionOf<'fill'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const field = turn.locate(at);
  const before = clear ? '' : await currentValue(field, turn);
  if (
    before === null &&
    (await evaluateIsolated(field, 'isEditable', undefined, { timeout: turn.remainingMs }))
  ) {
    await appendText(field, value, turn);
    return NO_RESULT;
  }
  const asked = (before ?? '') + value;
  const refusal = await evaluateIsolated(field, 'refusalOf', asked, { timeout: turn.remainingMs });
  await field.fill(asked, { timeout: turn.remainingMs });
  if (refusal === null) return NO_RESULT;
  const { type, taken } = refusal;
  const took = await field.inputValue({ timeout: turn.remainingMs }).catch(() => taken);
  if (took === asked.trim()) return NO_RESULT;
  // What was asked is not told: it may be a secret.
  const instead = took === '' ? 'is empty now' : `contains ${JSON.stringify(took)} instead`;
  return {
    error: `${JSON.stringify(at.originalText)}, of type ${type}, does not accept the value; it ${instead}`,
  };
}

/** Null: it has none. */
async function currentValue(field: Locator, turn: ActionContext): Promise<string | null> {
  await field.waitFor({ state: 'attached', timeout: turn.remainingMs });
  return field.inputValue({ timeout: turn.remainingMs }).catch(() => null);
}

/** Without writing anew what stands there, which would lose its lines and marks. */
async function appendText(field: Locator, value: string, turn: ActionContext): Promise<void> {
  await field.selectText({ timeout: turn.remainingMs });
  await evaluateIsolated(field, 'caretToEnd', undefined, { timeout: turn.remainingMs });
  await turn.env.page.keyboard.insertText(value);
}

export async function type(
  { text, at, delayMs }: ActionOf<'type'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const { signal } = turn;
  if (at !== null) {
    await turn.locate(at).pressSequentially(text, { delay: delayMs, timeout: turn.remainingMs });
    return NO_RESULT;
  }
  // Key by key, because what types by itself goes on when the time is up.
  const { keyboard } = turn.env.page;
  for (const char of text) {
    signal.throwIfAborted();
    await keyboard.type(char);
    if (delayMs > 0) await sleep(delayMs, signal);
  }
  return NO_RESULT;
}

export async function press({ key, at }: ActionOf<'press'>, turn: ActionContext): Promise<ActionOutcome> {
  if (at === null) await turn.env.page.keyboard.press(key);
  else await awaitKeyPress(turn, () => turn.locate(at).press(key, { timeout: turn.remainingMs }));
  return NO_RESULT;
}

/** `hide` and `remove`: every element that matches, or the one of that number. */
export async function hideOrRemove(
  { type, at }: ActionOf<'hide' | 'remove'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const meant = at.nth === null ? turn.locateAll(at) : turn.locate(at);
  await meant.first().waitFor({ state: 'attached', timeout: turn.remainingMs });
  return { result: { count: await evaluateIsolatedAll(meant, type) } };
}
