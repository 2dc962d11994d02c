import type { ActionOf } from '../../../../domain/page-action.ts';
import type { Done } from './done.ts';
import { isolatedAll } from './isolated.ts';
import type { Turn } from './turn.ts';

/** `hide` and `remove`: every element that matches, or the one of that number. */
export async function alter({ type, at }: ActionOf<'hide' | 'remove'>, turn: Turn): Promise<Done> {
  const meant = at.nth === null ? turn.every(at) : turn.element(at);
  await meant.first().waitFor({ state: 'attached', timeout: turn.left });
  return { result: { count: await isolatedAll(meant, type) } };
}
