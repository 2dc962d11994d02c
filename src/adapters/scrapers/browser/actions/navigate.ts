import { basicCredentials } from '../../../../base/basic-credentials.ts';
import type { Failure } from '../../../../domain/failure.ts';
import type { ActionOf } from '../../../../domain/page-action.ts';
import { finalUrlOf } from '../visit/final-url.ts';
import type { Credentials } from '../visit/first-headers.ts';
import type { Done } from './done.ts';
import type { Turn } from './turn.ts';

export async function goto({ url }: ActionOf<'goto'>, turn: Turn): Promise<Done> {
  const { visit, page } = turn.stage;
  const to = new URL(url);
  // Browsers answer nobody's question for a name and password; those in the URL go out with the request.
  visit.credentials = credentialsOf(to);
  try {
    return await going(turn, () => page.goto(to.href, { timeout: turn.left, waitUntil: 'load' }));
  } finally {
    visit.credentials = null;
  }
}

/** Takes them out of the URL. */
function credentialsOf(url: URL): Credentials | null {
  const authorization = basicCredentials(url);
  if (authorization === null) return null;
  url.username = '';
  url.password = '';
  return { origin: url.origin, authorization };
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
  const { visit, session, page } = stage;
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
  if (shown === null) return { result: { url: null, status_code: null } };
  // A place in the same document has no answer of its own, and a page may have changed its address.
  return { result: { url: finalUrlOf(page.url(), shown), status_code: shown.status } };
}
