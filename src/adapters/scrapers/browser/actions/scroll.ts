import type { ActionOf } from '../../../../domain/page-action.ts';
import { type Done, NOTHING } from './done.ts';
import type { Where } from './in-page.ts';
import { isolated } from './isolated.ts';
import { type Turn, within } from './turn.ts';

export async function scroll({ to, container }: ActionOf<'scroll'>, turn: Turn): Promise<Done> {
  if (typeof to !== 'string' && 'selector' in to) {
    const element = container === null ? turn.element(to) : within(turn.element(container), to);
    await element.scrollIntoViewIfNeeded({ timeout: turn.left });
    return NOTHING;
  }
  const where: Where = typeof to === 'string' ? { to, x: 0, y: 0 } : { to: null, ...to };
  if (container !== null)
    await isolated(turn.element(container), 'scrollElement', where, { timeout: turn.left });
  else await isolated(turn.root, 'scrollWindow', where, { timeout: turn.left });
  return NOTHING;
}
