import type { ElementHandle } from 'playwright-core';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { clicked } from './dispatched.ts';
import { type Done, NOTHING } from './done.ts';
import type { Turn } from './turn.ts';

export async function click(action: ActionOf<'click'>, turn: Turn): Promise<Done> {
  const { at, button, count: clickCount, all } = action;
  if ('x' in at) {
    const { x, y } = await turn.inWindow(at);
    await turn.stage.page.mouse.click(x, y, { button, clickCount });
    return NOTHING;
  }
  if (!all) {
    await clicked(turn.element(at).click({ button, clickCount, timeout: turn.left }));
    return NOTHING;
  }
  const every = turn.every(at);
  await every.first().waitFor({ state: 'attached', timeout: turn.left });
  let count = 0;
  for (const one of await every.elementHandles()) {
    // It was clicked away: what is left of its page has no more time.
    if (count > 0 && turn.signal.aborted) break;
    // A click before this one may have taken it away.
    if (!(await isThere(one))) continue;
    await clicked(one.click({ button, clickCount, timeout: turn.left }));
    count++;
  }
  const result = { clicked: count };
  return count === 0 ? { result, failed: `no visible element matches ${at.written}` } : { result };
}

const isThere = (one: ElementHandle): Promise<boolean> => one.isVisible().catch(() => false);

export async function hover({ at }: ActionOf<'hover'>, turn: Turn): Promise<Done> {
  await turn.element(at).hover({ timeout: turn.left });
  return NOTHING;
}
