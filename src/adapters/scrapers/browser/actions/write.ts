import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { type Done, NOTHING } from './done.ts';
import type { Turn } from './turn.ts';

export async function fill({ at, value, clear }: ActionOf<'fill'>, turn: Turn): Promise<Done> {
  const field = turn.element(at);
  const before = clear ? '' : await textOf(field, turn);
  await field.fill(before + value, { timeout: turn.left });
  return NOTHING;
}

async function textOf(field: Locator, turn: Turn): Promise<string> {
  await field.waitFor({ state: 'attached', timeout: turn.left });
  return field
    .inputValue({ timeout: turn.left })
    .catch(async () => (await field.textContent({ timeout: turn.left })) ?? '');
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
  else await turn.element(at).press(key, { timeout: turn.left });
  return NOTHING;
}
