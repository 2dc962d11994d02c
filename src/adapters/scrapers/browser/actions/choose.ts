import type { ActionOf } from '../../../../domain/page-action.ts';
import { type Done, NOTHING } from './done.ts';
import type { Turn } from './turn.ts';

export async function select({ at, by, values }: ActionOf<'select'>, turn: Turn): Promise<Done> {
  const options = values.map((value) => (by === 'label' ? { label: value } : { value }));
  return { result: { values: await turn.element(at).selectOption(options, { timeout: turn.left }) } };
}

export async function check({ at }: ActionOf<'check'>, turn: Turn): Promise<Done> {
  await turn.element(at).check({ timeout: turn.left });
  return NOTHING;
}

export async function uncheck({ at }: ActionOf<'uncheck'>, turn: Turn): Promise<Done> {
  await turn.element(at).uncheck({ timeout: turn.left });
  return NOTHING;
}
