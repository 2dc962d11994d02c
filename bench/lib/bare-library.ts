import type { NativeBinding } from '../../src/scrapers/impersonate/native-binding.ts';

export interface BareRequest {
  readonly url: string;
  /** Expected size of the page in KiB. */
  readonly kb: number;
  readonly http2: boolean;
  /** URL of a proxy; null: a direct connection. */
  readonly proxy: string | null;
}

/** Fetches a page with the library of `http_impersonate` alone. Rejects if the page has another size. */
export async function bareLibrary(
  binding: NativeBinding,
  { url, kb, http2, proxy }: BareRequest,
): Promise<void> {
  const { promise } = binding.request({
    url,
    method: 'GET',
    headers: [],
    origHeaders: [],
    browser: 'chrome_149',
    // The library keeps a client, with its connections, for each id: one per kind, beyond the ids of the scraper.
    clientId: proxy !== null ? 900_003 : http2 ? 900_002 : 900_001,
    clientCacheKey: 'bare',
    ...(proxy === null ? {} : { proxy }),
    disableSystemProxy: true,
    ca: { certs: [], includeDefaultRoots: true },
    tlsDanger: { certVerification: false, verifyHostname: false },
    ...(http2 ? { http2Only: true } : { http1Only: true }),
    timeout: 0,
    compress: false,
  } as never);
  const { bodyHandle } = await promise;
  let bytes = 0;
  for (;;) {
    const { chunk, done } = await binding.readBodyChunk(bodyHandle);
    bytes += chunk.length;
    if (done) break;
  }
  if (bytes !== kb * 1024) throw new Error('the page has another length');
}
