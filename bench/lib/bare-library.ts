import type { NativeBinding } from '../../src/scrapers/impersonate/native-binding.ts';

export interface BareAsk {
  readonly url: string;
  /** Of the page that has to come. */
  readonly kb: number;
  readonly http2: boolean;
  /** Through this proxy; null: straight. */
  readonly proxy: string | null;
}

/** The library of `http_impersonate`, with as little around it as it takes. */
export async function bareLibrary(binding: NativeBinding, { url, kb, http2, proxy }: BareAsk): Promise<void> {
  const { promise } = binding.request({
    url,
    method: 'GET',
    headers: [],
    origHeaders: [],
    browser: 'chrome_149',
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
  if (bytes !== kb * 1024) throw new Error('not the page');
}
