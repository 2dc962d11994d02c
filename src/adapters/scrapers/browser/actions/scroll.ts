import { setTimeout as pause } from 'node:timers/promises';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { type Done, NOTHING } from './done.ts';
import { heightOfPage, scrollElement, scrollWindow, type Where } from './in-page.ts';
import { type Turn, within } from './turn.ts';

export async function scroll({ to, container }: ActionOf<'scroll'>, turn: Turn): Promise<Done> {
  if (typeof to !== 'string' && 'selector' in to) {
    const element = container === null ? turn.element(to) : within(turn.element(container), to);
    await element.scrollIntoViewIfNeeded({ timeout: turn.left });
    return NOTHING;
  }
  const where: Where = typeof to === 'string' ? { to, x: 0, y: 0 } : { to: null, ...to };
  if (container !== null)
    await turn.element(container).evaluate(scrollElement, where, { timeout: turn.left });
  else await (await turn.frame()).evaluate(scrollWindow, where);
  return NOTHING;
}

const TO_THE_END: Where = { to: 'bottom', x: 0, y: 0 };

export async function infiniteScroll(action: ActionOf<'infinite_scroll'>, turn: Turn): Promise<Done> {
  const { most, delayMs, until, click } = action;
  const frame = await turn.frame();
  const ended = (scrolls: number, reason: string): Done => ({ result: { scrolls, reason } });
  let height = await frame.evaluate(heightOfPage);
  let grows = true;
  for (let scrolls = 0; ; scrolls++) {
    if (until !== null && (await turn.element(until).isVisible())) return ended(scrolls, 'until_selector');
    if (!grows) return ended(scrolls, 'end');
    if (scrolls === most) return ended(scrolls, 'max_scrolls');
    if (click === null) await frame.evaluate(scrollWindow, TO_THE_END);
    else if (await turn.element(click).isVisible()) await turn.element(click).click({ timeout: turn.left });
    else return ended(scrolls, 'end');
    await pause(delayMs, null, { signal: turn.signal });
    const now = await frame.evaluate(heightOfPage);
    // What a click brings need not make the page higher: there the end is that nothing can be clicked.
    grows = click !== null || now !== height;
    height = now;
  }
}
