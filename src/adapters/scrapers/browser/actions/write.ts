import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { pressed } from './dispatched.ts';
import { type Done, NOTHING } from './done.ts';
import { isolated } from './isolated.ts';
import type { Turn } from './turn.ts';

export async function fill({ at, value, clear }: ActionOf<'fill'>, turn: Turn): Promise<Done> {
  const field = turn.element(at);
  const before = clear ? '' : await heldBy(field, turn);
  if (before === null && (await isolated(field, 'isEditable', undefined, { timeout: turn.left }))) {
    await putBehind(field, value, turn);
    return NOTHING;
  }
  const asked = (before ?? '') + value;
  const refusal = await isolated(field, 'refusalOf', asked, { timeout: turn.left });
  await field.fill(asked, { timeout: turn.left });
  if (refusal === null) return NOTHING;
  const { type, taken } = refusal;
  const took = await field.inputValue({ timeout: turn.left }).catch(() => taken);
  if (took === asked.trim()) return NOTHING;
  // What was asked is not told: it may be a secret.
  const instead = took === '' ? 'is empty now' : `contains ${JSON.stringify(took)} instead`;
  return {
    failed: `${JSON.stringify(at.written)}, of type ${type}, does not accept the value; it ${instead}`,
  };
}

/** Null: it has none. */
async function heldBy(field: Locator, turn: Turn): Promise<string | null> {
  await field.waitFor({ state: 'attached', timeout: turn.left });
  return field.inputValue({ timeout: turn.left }).catch(() => null);
}

/** Without writing anew what stands there, which would lose its lines and marks. */
async function putBehind(field: Locator, value: string, turn: Turn): Promise<void> {
  await field.selectText({ timeout: turn.left });
  await isolated(field, 'caretToEnd', undefined, { timeout: turn.left });
  await turn.stage.page.keyboard.insertText(value);
}

export async function type({ text, at, delayMs }: ActionOf<'type'>, turn: Turn): Promise<Done> {
  const { signal } = turn;
  if (at !== null) {
    await turn.element(at).pressSequentially(text, { delay: delayMs, timeout: turn.left });
    return NOTHING;
  }
  // Key by key, because what types by itself goes on when the time is up.
  const { keyboard } = turn.stage.page;
  for (const char of text) {
    signal.throwIfAborted();
    await keyboard.type(char);
    if (delayMs > 0) await pause(delayMs, null, { signal });
  }
  return NOTHING;
}

export async function press({ key, at }: ActionOf<'press'>, turn: Turn): Promise<Done> {
  if (at === null) await turn.stage.page.keyboard.press(key);
  else await pressed(turn, () => turn.element(at).press(key, { timeout: turn.left }));
  return NOTHING;
}
