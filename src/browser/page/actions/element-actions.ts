import type { ElementHandle, Locator, Request } from 'playwright-core';
import { sleep } from '../../../base/wait.ts';
import type { ActionOf, ElementLocator } from '../../../domain/page-action.ts';
import { type ActionContext, type ActionOutcome, NO_RESULT } from './action-context.ts';
import { evaluateIsolated, evaluateIsolatedAll } from './isolated-world.ts';

// After a click or a key press, Playwright waits for a navigation that it causes, and fails if that takes longer than the timeout.
// The click or key press itself has succeeded then.

/** Settles after a click, even if the next page takes too long. */
async function awaitClick(clicking: Promise<void>): Promise<void> {
  try {
    await clicking;
  } catch (error) {
    if (!/click action done/.test((error as Error).message)) throw error;
  }
}

/** The same for a key press. Playwright's log does not say whether the key was pressed, but a navigation shows that it was. */
async function awaitKeyPress({ env: { page } }: ActionContext, press: () => Promise<void>): Promise<void> {
  const navigations: Request[] = [];
  const onRequest = (request: Request) => {
    if (request.isNavigationRequest()) navigations.push(request);
  };
  page.on('request', onRequest);
  try {
    await press();
  } catch (error) {
    const { name, message } = error as Error;
    const navigates = navigations.some((request) => request.frame() === page.mainFrame());
    if (!navigates || name !== 'TimeoutError' || !message.includes('elementHandle.press')) throw error;
  } finally {
    page.off('request', onRequest);
  }
}

export async function click(action: ActionOf<'click'>, context: ActionContext): Promise<ActionOutcome> {
  const { at, button, count: clickCount, all } = action;
  if ('x' in at) {
    const { x, y } = await context.toViewport(at);
    await context.env.page.mouse.click(x, y, { button, clickCount });
    return NO_RESULT;
  }
  if (!all) {
    const several = at.nth === null ? await severalMatches(at, context) : null;
    if (several !== null && action.strict === true)
      return {
        error: `${several.matches} elements match ${JSON.stringify(at.originalText)}, and \`strict\` wants one; the first is «${several.text}»`,
      };
    await awaitClick(context.locate(at).click({ button, clickCount, timeout: context.remainingMs }));
    if (several === null) return NO_RESULT;
    const note = `${several.matches} elements match; the first, «${several.text}», was clicked`;
    return { result: { clicked: 1, ...several, note } };
  }
  const elements = context.locateAll(at);
  await elements.first().waitFor({ state: 'attached', timeout: context.remainingMs });
  let count = 0;
  for (const element of await elements.elementHandles()) {
    // The time ran out after a click, mostly because it made the page navigate, so that the other elements are gone.
    if (count > 0 && context.signal.aborted) break;
    // A previous click may have removed it.
    if (!(await isElementVisible(element))) continue;
    await awaitClick(element.click({ button, clickCount, timeout: context.remainingMs }));
    count++;
  }
  const result = { clicked: count };
  return count === 0 ? { result, error: `no visible element matches ${at.originalText}` } : { result };
}

const SHOWN_TEXT = 60;

/** How many elements match, and what the first one says, if there are several; null: there are not. Waits for the first one. */
async function severalMatches(
  at: ElementLocator,
  context: ActionContext,
): Promise<{ readonly matches: number; readonly text: string } | null> {
  const elements = context.locateAll(at);
  try {
    await elements.first().waitFor({ state: 'attached', timeout: context.remainingMs });
    const matches = await elements.count();
    if (matches < 2) return null;
    const first = elements.first();
    const timeout = context.remainingMs;
    const shown = ((await first.textContent({ timeout })) ?? '').replace(/\s+/g, ' ').trim();
    const label = shown === '' ? await first.getAttribute('aria-label', { timeout }) : shown;
    return { matches, text: (label ?? '').slice(0, SHOWN_TEXT) };
  } catch {
    // The click tells what is wrong.
    return null;
  }
}

const isElementVisible = (element: ElementHandle): Promise<boolean> => element.isVisible().catch(() => false);

export async function hover({ at }: ActionOf<'hover'>, context: ActionContext): Promise<ActionOutcome> {
  await context.locate(at).hover({ timeout: context.remainingMs });
  return NO_RESULT;
}

export async function select(
  { at, by, values }: ActionOf<'select'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const options = values.map((value) => (by === 'label' ? { label: value } : { value }));
  return {
    result: { values: await context.locate(at).selectOption(options, { timeout: context.remainingMs }) },
  };
}

export async function check({ at }: ActionOf<'check'>, context: ActionContext): Promise<ActionOutcome> {
  await context.locate(at).check({ timeout: context.remainingMs });
  return NO_RESULT;
}

export async function uncheck({ at }: ActionOf<'uncheck'>, context: ActionContext): Promise<ActionOutcome> {
  await context.locate(at).uncheck({ timeout: context.remainingMs });
  return NO_RESULT;
}

export async function fill(
  { at, value, clear }: ActionOf<'fill'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const field = context.locate(at);
  await context.noteField(field);
  const previous = clear ? '' : await currentValue(field, context);
  if (
    previous === null &&
    (await evaluateIsolated(field, 'isEditable', undefined, { timeout: context.remainingMs }))
  ) {
    await appendText(field, value, context);
    return NO_RESULT;
  }
  const wanted = (previous ?? '') + value;
  const rejection = await evaluateIsolated(field, 'rejectedValue', wanted, { timeout: context.remainingMs });
  await field.fill(wanted, { timeout: context.remainingMs });
  if (rejection === null) return NO_RESULT;
  const { type, accepted } = rejection;
  const actual = await field.inputValue({ timeout: context.remainingMs }).catch(() => accepted);
  if (actual === wanted.trim()) return NO_RESULT;
  // The message must not contain the caller's value, which may be a secret.
  const instead = actual === '' ? 'is empty now' : `contains ${JSON.stringify(actual)} instead`;
  return {
    error: `${JSON.stringify(at.originalText)}, of type ${type}, does not accept the value; it ${instead}`,
  };
}

/** The text in a form control; null: the element is not a form control. */
async function currentValue(field: Locator, context: ActionContext): Promise<string | null> {
  await field.waitFor({ state: 'attached', timeout: context.remainingMs });
  return field.inputValue({ timeout: context.remainingMs }).catch(() => null);
}

/** Appends to an editable element without replacing its content, which may have formatting. */
async function appendText(field: Locator, value: string, context: ActionContext): Promise<void> {
  await field.selectText({ timeout: context.remainingMs });
  await evaluateIsolated(field, 'caretToEnd', undefined, { timeout: context.remainingMs });
  await context.env.page.keyboard.insertText(value);
}

export async function type(
  { text, at, delayMs }: ActionOf<'type'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const { signal } = context;
  await context.noteField(at === null ? null : context.locate(at));
  if (at !== null) {
    await context.locate(at).pressSequentially(text, { delay: delayMs, timeout: context.remainingMs });
    return NO_RESULT;
  }
  // Key by key: `keyboard.type` of the whole text would go on after the timeout.
  const { keyboard } = context.env.page;
  for (const char of text) {
    signal.throwIfAborted();
    await keyboard.type(char);
    if (delayMs > 0) await sleep(delayMs, signal);
  }
  return NO_RESULT;
}

export async function press({ key, at }: ActionOf<'press'>, context: ActionContext): Promise<ActionOutcome> {
  if (at === null) await context.env.page.keyboard.press(key);
  else await awaitKeyPress(context, () => context.locate(at).press(key, { timeout: context.remainingMs }));
  return NO_RESULT;
}

/** `hide` and `remove`: all matching elements, or the one with the number `nth`. */
export async function hideOrRemove(
  { type, at }: ActionOf<'hide' | 'remove'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const elements = at.nth === null ? context.locateAll(at) : context.locate(at);
  await elements.first().waitFor({ state: 'attached', timeout: context.remainingMs });
  return { result: { count: await evaluateIsolatedAll(elements, type) } };
}
