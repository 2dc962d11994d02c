import type { FetchResult } from '../../../src/domain/fetch-result.ts';

/**
 * The parts of a fetch result that must be the same in two fetches of a URL: without times and traffic.
 * @param loose parts that may differ, too
 */
export function comparableResult(fetched: FetchResult, loose: readonly ('body' | 'pixels')[] = []) {
  const { timing, queuedMs, bytesIn, bytesOut, page, requestHeaders, ...rest } = fetched;
  // If the fetch failed, the browser does not always report when a step ended.
  const measured = Object.entries(timing).flatMap(([name, ms]) =>
    ms === null || page === null ? [] : [name],
  );
  const headers = page?.headers.filter(([name]) => name !== 'date') ?? null;
  const body = page === null ? null : Buffer.from(page.body).toString('latin1');
  const picture = page?.screenshot;
  const withoutTime = (one: { readonly message: string }) => ({
    ...one,
    message: one.message.replace(/within [\d.]+ s/, 'within its time'),
  });
  return {
    ...rest,
    measured,
    requestHeaders: requestHeaders?.toSorted(([a], [b]) => (a < b ? -1 : 1)) ?? null,
    page: page && {
      ...page,
      headers,
      missingParts: page.missingParts?.map(withoutTime),
      body: loose.includes('body') ? null : body,
      // Its bytes tell when it was made.
      pdf: page.pdf && { ...page.pdf, bytes: null },
      screenshot: picture && {
        ...picture,
        bytes: loose.includes('pixels') ? null : Buffer.from(picture.bytes).toString('base64'),
      },
    },
  };
}
