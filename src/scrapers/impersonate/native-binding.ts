import { createRequire } from 'node:module';
import { type Failure, failure } from '../../domain/failure.ts';
import { tlsFailure } from '../../http-client/tls.ts';

/**
 * What of the native client library is used: a package that holds nothing but the binary (docs/decisions/0016). Numbers
 * name what it holds; who has such a number gives it back.
 */
export interface NativeBinding {
  /** The promise settles when the head of the answer has come; it follows no redirect and decodes nothing. */
  request(options: NativeRequest): { readonly handle: number; readonly promise: Promise<NativeResponse> };
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

export interface NativeResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bodyHandle: number;
}

const PACKAGE = '@node-wreq/linux-x64-gnu';

type LoadedBinding =
  | { readonly binding: NativeBinding; readonly reason: null }
  | { readonly binding: null; readonly reason: string };

/** Loads the binary; 15 ms. Never throws. */
export function loadBinding(): LoadedBinding {
  const here = `${process.platform} ${process.arch}`;
  if (here !== 'linux x64') {
    return { binding: null, reason: `there is no build of its client library for ${here}` };
  }
  try {
    return { binding: createRequire(import.meta.url)(PACKAGE) as NativeBinding, reason: null };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    const why = missing
      ? `the package ${PACKAGE} is not installed`
      : `${PACKAGE} cannot be loaded on this system`;
    return { binding: null, reason: why };
  }
}

/** BoringSSL names its errors in brackets. */
const BORINGSSL_ERROR = /\[([A-Z][A-Z0-9_]+)\]/;
/** Where BoringSSL has another word than OpenSSL. */
const OPENSSL_NAMES: Readonly<Record<string, string>> = {
  HANDSHAKE_FAILURE_ON_CLIENT_HELLO: 'SSLV3_ALERT_HANDSHAKE_FAILURE',
  TLSV1_ALERT_UNRECOGNIZED_NAME: 'TLSV1_UNRECOGNIZED_NAME',
  DH_P_TOO_LONG: 'BAD_DH_VALUE',
  BAD_DH_P_LENGTH: 'DH_KEY_TOO_SMALL',
};

interface NativeFailure {
  readonly failure: Failure;
  /** It ended before a request could leave. */
  readonly unsent: boolean;
  /** The certificate was not taken; the library does not say why. */
  readonly certificateRejected: boolean;
}

/**
 * What a sentence of the library means, when the gateway has nothing to say about it.
 * @param host as in the URL
 */
export function nativeFailure(sentence: string, host: string): NativeFailure {
  const tls = BORINGSSL_ERROR.exec(sentence)?.[1];
  if (tls !== undefined) {
    const code = `ERR_SSL_${OPENSSL_NAMES[tls] ?? tls}`;
    const agreed = tls !== 'HANDSHAKE_FAILURE_ON_CLIENT_HELLO';
    return {
      failure: tlsFailure({ name: 'Error', message: tls, code }, host, agreed),
      unsent: true,
      certificateRejected: tls === 'CERTIFICATE_VERIFY_FAILED',
    };
  }
  const unsent = /\(Connect\)/.test(sentence);
  if (!unsent && /(?:stream|connection) error received/.test(sentence)) {
    const text = 'The target reset the HTTP/2 stream.';
    return { failure: failure('connect.reset', text), unsent, certificateRejected: false };
  }
  const unreadable =
    /invalid HTTP|parse error|parsing|parsed|http2 error|message head is too large|invalid .*header/i;
  if (!unsent && unreadable.test(sentence)) {
    const said = sentence.slice(sentence.lastIndexOf(': ') + 2).slice(0, 200);
    const text = `The response of the target is not valid HTTP. The client library says: ${said}`;
    return { failure: failure('http.protocol', text), unsent, certificateRejected: false };
  }
  const text = unsent
    ? `${host} closed the connection during the TLS handshake.`
    : 'The target reset the connection.';
  return { failure: failure('connect.reset', text), unsent, certificateRejected: false };
}
