import type { Failure } from '../../../../domain/failure.ts';
import type { ActionOf } from '../../../../domain/page-action.ts';
import type { Done } from './done.ts';
import type { Turn } from './turn.ts';

export function goto({ url }: ActionOf<'goto'>, turn: Turn): Promise<Done> {
  return going(turn, () => turn.stage.page.goto(url, { timeout: turn.left, waitUntil: 'load' }));
}

export function reload(_: ActionOf<'reload'>, turn: Turn): Promise<Done> {
  return going(turn, () => turn.stage.page.reload({ timeout: turn.left, waitUntil: 'load' }));
}

export async function back(_: ActionOf<'back'>, turn: Turn): Promise<Done> {
  const { page, session } = turn.stage;
  const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
  // The first entry is the empty page that every tab begins with.
  if (currentIndex === 0 || !/^https?:/.test(entries[currentIndex - 1]!.url))
    return { failed: 'there is no page to go back to' };
  return going(turn, () => page.goBack({ timeout: turn.left, waitUntil: 'load' }));
}

/** What leads nowhere leaves the document that is shown. */
async function going({ stage }: Turn, go: () => Promise<unknown>): Promise<Done> {
  const { visit, session } = stage;
  const before = visit.shown;
  const lost: Failure[] = [];
  visit.onLost = (why) => void lost.push(why);
  try {
    await go();
  } catch (error) {
    if (lost.length > 0) return { failed: lost[0]!.message };
    if (visit.shown === before) await session.send('Page.stopLoading');
    throw error;
  } finally {
    visit.onLost = null;
  }
  const { shown } = visit;
  return { result: { url: shown?.url ?? null, status_code: shown?.status ?? null } };
}
