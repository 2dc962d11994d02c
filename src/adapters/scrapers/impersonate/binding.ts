import { createRequire } from 'node:module';

/**
 * What of the native client library is used: a package that holds nothing but the binary (docs/decisions/0016). Numbers
 * name what it holds; who has such a number gives it back.
 */
export interface Binding {
  /** The promise settles when the head of the answer has come; it follows no redirect and decodes nothing. */
  request(options: NativeRequest): { readonly handle: number; readonly promise: Promise<NativeAnswer> };
  /** The promise of the request rejects then. */
  cancelRequest(handle: number): boolean;
  /** One piece at a time; the body is gone after `done` and after a rejection. */
  readBodyChunk(body: number): Promise<{ readonly chunk: Buffer; readonly done: boolean }>;
  cancelBody(body: number): boolean;
  /** Gives up the client with this id, and its idle connections. */
  releaseClient(clientId: number): boolean;
  getProfiles(): readonly string[];
}

export interface NativeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Order and spelling of all fields. */
  readonly origHeaders: readonly string[];
  readonly body?: Buffer;
  readonly browser: string;
  /** JSON; each of its parts takes the place of that whole part of the profile. */
  readonly emulationJson?: string;
  readonly clientId: number;
  readonly clientCacheKey: string;
  readonly proxy: string;
  readonly ca: { readonly certs: readonly Buffer[]; readonly includeDefaultRoots: boolean };
  readonly tlsDanger?: { readonly certVerification: boolean; readonly verifyHostname: boolean };
  readonly http1Only?: boolean;
  readonly http2Only?: boolean;
  /** ms; 0: none. */
  readonly timeout: number;
  /** ms that may pass between two pieces of the body. */
  readonly readTimeout: number;
  readonly poolIdleTimeout: number;
  readonly poolMaxIdlePerHost: number;
  readonly disableDefaultHeaders: true;
  readonly compress: false;
  /** Only requests of the same group share connections. */
  readonly connectionGroup?: number;
  /** The connection is closed after the answer. */
  readonly forbidConnectionReuse?: boolean;
}

export interface NativeAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bodyHandle: number;
}

const PACKAGE = '@node-wreq/linux-x64-gnu';

export type LoadedBinding =
  | { readonly binding: Binding; readonly reason: null }
  | { readonly binding: null; readonly reason: string };

/** Loads the binary; 15 ms. Never throws. */
export function loadBinding(): LoadedBinding {
  const here = `${process.platform} ${process.arch}`;
  if (here !== 'linux x64') {
    return { binding: null, reason: `there is no build of its client library for ${here}` };
  }
  try {
    return { binding: createRequire(import.meta.url)(PACKAGE) as Binding, reason: null };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    const why = missing
      ? `the package ${PACKAGE} is not installed`
      : `${PACKAGE} cannot be loaded on this system`;
    return { binding: null, reason: why };
  }
}
