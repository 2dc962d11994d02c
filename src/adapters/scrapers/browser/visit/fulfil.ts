import { STATUS_CODES } from 'node:http';
import type { HeaderList } from '../../../../domain/fetched.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';

/** Answers a paused request. Rejects when the browser refuses. */
export async function fulfil(
  session: CdpSession,
  requestId: string,
  { status, headers, body }: { status: number; headers: HeaderList; body: Uint8Array },
): Promise<void> {
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    // Chromium fills in the phrase of the statuses that it knows, and refuses all others without one.
    responsePhrase: STATUS_CODES[status] ?? 'Unknown',
    responseHeaders: headers.map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  });
}
