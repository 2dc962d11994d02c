import type { FetchResult } from '../../../src/domain/fetch-result.ts';

/** All of an answer that is the same each time; `loose`: what of it may differ from time to time. */
export function told(fetched: FetchResult, loose: readonly ('body' | 'pixels')[] = []) {
  const { timing, queuedMs, bytesIn, bytesOut, page, requestHeaders, ...rest } = fetched;
  // Of what failed, the browser may or may not tell that it has ended.
  const known = Object.entries(timing).flatMap(([name, ms]) => (ms === null || page === null ? [] : [name]));
  const headers = page?.headers.filter(([name]) => name !== 'date') ?? null;
  const body = page === null ? null : Buffer.from(page.body).toString('latin1');
  const picture = page?.screenshot;
  const untimed = (one: { readonly message: string }) => ({
    ...one,
    message: one.message.replace(/within [\d.]+ s/, 'within its time'),
  });
  return {
    ...rest,
    known,
    requestHeaders: requestHeaders?.toSorted(([a], [b]) => (a < b ? -1 : 1)) ?? null,
    page: page && {
      ...page,
      headers,
      missingParts: page.missingParts?.map(untimed),
      body: loose.includes('body') ? null : body,
      screenshot: picture && {
        ...picture,
        bytes: loose.includes('pixels') ? null : Buffer.from(picture.bytes).toString('base64'),
      },
    },
  };
}
