import { createRequire } from 'node:module';
import { type Failure, failure } from '../../domain/failure.ts';
import { tlsFailure } from '../../http-client/tls.ts';

/**
 * The functions of the native client library that are used; its package has nothing but the binary (docs/decisions/0016).
 * Handles are numbers. A handle must be released by the caller that received it.
 */
export interface NativeBinding {
  /** The promise resolves with the head of the response. Redirects are not followed, and content codings not decoded. */
  request(options: NativeRequest): { readonly handle: number; readonly promise: Promise<NativeResponse> };
  /** Makes the promise of the request reject. */
  cancelRequest(handle: number): boolean;
  /** Only one call at a time. After `done` or a rejection, the body is released. */
  readBodyChunk(bodyHandle: number): Promise<{ readonly chunk: Buffer; readonly done: boolean }>;
  cancelBody(bodyHandle: number): boolean;
  /** Releases the client with this id, and closes its idle connections. */
  releaseClient(clientId: number): boolean;
  getProfiles(): readonly string[];
}

export interface NativeRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Names of all header fields, in the order and spelling in which they are sent. */
  readonly origHeaders: readonly string[];
  readonly body?: Buffer;
  /** Name of a profile: `chrome_140`, … */
  readonly browser: string;
  /** JSON object. Each member replaces the member of the profile with the same name as a whole. */
  readonly emulationJson?: string;
  readonly clientId: number;
  readonly clientCacheKey: string;
  readonly proxy: string;
  readonly ca: { readonly certs: readonly Buffer[]; readonly includeDefaultRoots: boolean };
  readonly tlsDanger?: { readonly certVerification: boolean; readonly verifyHostname: boolean };
  readonly http1Only?: boolean;
  readonly http2Only?: boolean;
  /** Limit of the whole request in ms; 0: none. */
  readonly timeout: number;
  /** Limit in ms between two chunks of the body. */
  readonly readTimeout: number;
  /** How long an idle connection is kept, in ms. */
  readonly poolIdleTimeout: number;
  readonly poolMaxIdlePerHost: number;
  readonly disableDefaultHeaders: true;
  readonly compress: false;
  /** Only requests of the same group share connections. */
  readonly connectionGroup?: number;
  /** The connection is closed after the response. */
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

/** Loads the binary, which takes 15 ms. Never throws. */
export function loadBinding(): LoadedBinding {
  const platform = `${process.platform} ${process.arch}`;
  if (platform !== 'linux x64') {
    return { binding: null, reason: `there is no build of its client library for ${platform}` };
  }
  try {
    return { binding: createRequire(import.meta.url)(PACKAGE) as NativeBinding, reason: null };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    const reason = missing
      ? `the package ${PACKAGE} is not installed`
      : `${PACKAGE} cannot be loaded on this system`;
    return { binding: null, reason };
  }
}

/** The library's messages contain the name of a BoringSSL error in brackets. */
const BORINGSSL_ERROR = /\[([A-Z][A-Z0-9_]+)\]/;
/** OpenSSL's names of errors that BoringSSL names differently. */
const OPENSSL_NAMES: Readonly<Record<string, string>> = {
  HANDSHAKE_FAILURE_ON_CLIENT_HELLO: 'SSLV3_ALERT_HANDSHAKE_FAILURE',
  TLSV1_ALERT_UNRECOGNIZED_NAME: 'TLSV1_UNRECOGNIZED_NAME',
  DH_P_TOO_LONG: 'BAD_DH_VALUE',
  BAD_DH_P_LENGTH: 'DH_KEY_TOO_SMALL',
};

export interface NativeFailure {
  readonly failure: Failure;
  /** The error occurred before the request could be sent. */
  readonly unsent: boolean;
  /** The certificate was rejected; the library does not say why. */
  readonly certificateRejected: boolean;
}

/**
 * Translates an error message of the library. Used if the gateway does not know the cause.
 * @param host as in the URL
 */
export function nativeFailure(message: string, host: string): NativeFailure {
  const tls = BORINGSSL_ERROR.exec(message)?.[1];
  if (tls !== undefined) {
    const code = `ERR_SSL_${OPENSSL_NAMES[tls] ?? tls}`;
    const negotiated = tls !== 'HANDSHAKE_FAILURE_ON_CLIENT_HELLO';
    return {
      failure: tlsFailure({ name: 'Error', message: tls, code }, host, negotiated),
      unsent: true,
      certificateRejected: tls === 'CERTIFICATE_VERIFY_FAILED',
    };
  }
  const unsent = /\(Connect\)/.test(message);
  if (!unsent && /(?:stream|connection) error received/.test(message)) {
    const text = 'The target reset the HTTP/2 stream.';
    return { failure: failure('connect.reset', text), unsent, certificateRejected: false };
  }
  const notHttp =
    /invalid HTTP|parse error|parsing|parsed|http2 error|message head is too large|invalid .*header/i;
  if (!unsent && notHttp.test(message)) {
    const detail = message.slice(message.lastIndexOf(': ') + 2).slice(0, 200);
    const text = `The response of the target is not valid HTTP. The client library says: ${detail}`;
    return { failure: failure('http.protocol', text), unsent, certificateRejected: false };
  }
  const text = unsent
    ? `${host} closed the connection during the TLS handshake.`
    : 'The target reset the connection.';
  return { failure: failure('connect.reset', text), unsent, certificateRejected: false };
}
