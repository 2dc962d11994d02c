import { sniffUnknown } from '../../../../content/sniff.ts';
import { type Failure, failure } from '../../../../domain/failure.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { Answer, RawAnswer } from './answer.ts';
import { fulfil } from './fulfil.ts';
import { fieldOf } from './header-lines.ts';
import type { Navigation } from './navigation.ts';
import { readRaw } from './raw-body.ts';
import { kindOf } from './shown-type.ts';

/**
 * The body of an answer that the browser does not show: where it passed in the clear, or else as the browser has it.
 * @param requestId of the pause; null: the browser has given the answer up
 */
export async function takeBody(
  session: CdpSession,
  nav: Navigation,
  answer: Answer,
  requestId: string | null,
  { job, room, deadline }: FetchOrder,
): Promise<RawAnswer | Failure> {
  if (nav.tapped?.taken === true) {
    const read = await nav.tapped.done;
    if (read.failure !== null) return read.failure;
    const { bytes: body, undecoded } = read.body!;
    return { answer, body, cut: read.cut, undecoded };
  }
  if (requestId === null) return failure('connect.reset', 'The response was lost.');
  const ask = { limit: job.options.maxContentBytes, room, signal: deadline.signal };
  const read = await readRaw(session, requestId, answer, ask);
  return 'code' in read ? read : { answer, ...read, undecoded: false };
}

/** The browser reads no body of what redirects, and over TLS nobody else can. */
export function unreadRedirect(answer: Answer): RawAnswer {
  const none = fieldOf(answer.headers, 'content-length') === '0';
  const cut = none
    ? null
    : failure('content.incomplete', 'A browser does not read the body of a redirect over TLS.');
  return { answer, body: new Uint8Array(0), cut, undecoded: false };
}

/** Whether it is one whose type is not told, and that browsers show as a page (WHATWG MIME Sniffing §7.1). */
export function isPage({ answer: { status, headers }, body }: RawAnswer): boolean {
  if (kindOf(status, headers) !== 'unknown') return false;
  const nosniff = fieldOf(headers, 'x-content-type-options')?.toLowerCase().startsWith('nosniff') === true;
  return sniffUnknown(body, !nosniff) === 'text/html';
}

/** What an answer is shown with whose body was taken: nothing that was said of the body as it came. */
const OF_BODY = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'set-cookie',
]);

/** Has the browser show, as a page, the body that was taken from it. */
export async function showTaken(
  session: CdpSession,
  requestId: string,
  { answer, body }: RawAnswer,
): Promise<void> {
  const headers: HeaderList = [
    ...answer.headers.filter(([name]) => !OF_BODY.has(name)),
    ['Content-Type', 'text/html'],
  ];
  await fulfil(session, requestId, { status: answer.status, headers, body });
}
