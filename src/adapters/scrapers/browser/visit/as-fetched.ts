import { SMALL_BYTES } from '../../../../base/byte-room.ts';
import { failure } from '../../../../domain/failure.ts';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { RawAnswer } from './answer.ts';
import type { Navigation } from './navigation.ts';

/**
 * The body of the shown document as it was fetched, which its own process does not have to be asked for; null: it is not to be
 * had, or there is no memory for it.
 */
export async function asFetched(
  session: CdpSession,
  { answer, given, loaderId, cut }: Navigation,
  { job, room, deadline }: FetchOrder,
): Promise<RawAnswer | null> {
  const whole = given ?? (await bodyOf(session, loaderId));
  if (answer === null || whole === null) return null;
  const limit = job.options.maxContentBytes;
  if (given === null && whole.length > SMALL_BYTES) {
    const waits = room.reserve(whole.length, limit, deadline.signal);
    if (waits !== null && !(await waits)) return null;
    room.adopt(whole);
  }
  if (whole.length <= limit) return { answer, body: whole, cut, undecoded: false };
  const truncated = failure('content.truncated', `The content was cut at ${limit} bytes.`);
  return { answer, body: whole.subarray(0, limit), cut: truncated, undecoded: false };
}

async function bodyOf(session: CdpSession, requestId: string): Promise<Uint8Array | null> {
  const got = await session.send('Network.getResponseBody', { requestId }).catch(() => null);
  return got === null ? null : new Uint8Array(Buffer.from(got.body, got.base64Encoded ? 'base64' : 'utf8'));
}
