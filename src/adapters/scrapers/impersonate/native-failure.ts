import { type Failure, failure } from '../../../domain/failure.ts';
import { tlsFailure } from '../http/tls/tls-failure.ts';

/** BoringSSL names its errors in brackets. */
const BORING = /\[([A-Z][A-Z0-9_]+)\]/;
/** Where BoringSSL has another word than OpenSSL. */
const RENAMED: Readonly<Record<string, string>> = {
  HANDSHAKE_FAILURE_ON_CLIENT_HELLO: 'SSLV3_ALERT_HANDSHAKE_FAILURE',
  TLSV1_ALERT_UNRECOGNIZED_NAME: 'TLSV1_UNRECOGNIZED_NAME',
  DH_P_TOO_LONG: 'BAD_DH_VALUE',
  BAD_DH_P_LENGTH: 'DH_KEY_TOO_SMALL',
};

export interface NativeTrouble {
  readonly failure: Failure;
  /** It ended before a request could leave. */
  readonly unsent: boolean;
  /** The certificate was not taken; the library does not say why. */
  readonly certificate: boolean;
}

/**
 * What a sentence of the library means, when the gateway has nothing to say about it.
 * @param host as in the URL
 */
export function nativeTrouble(sentence: string, host: string): NativeTrouble {
  const tls = BORING.exec(sentence)?.[1];
  if (tls !== undefined) {
    const code = `ERR_SSL_${RENAMED[tls] ?? tls}`;
    const agreed = tls !== 'HANDSHAKE_FAILURE_ON_CLIENT_HELLO';
    return {
      failure: tlsFailure({ name: 'Error', message: tls, code }, host, agreed),
      unsent: true,
      certificate: tls === 'CERTIFICATE_VERIFY_FAILED',
    };
  }
  const unsent = /\(Connect\)/.test(sentence);
  if (!unsent && /(?:stream|connection) error received/.test(sentence)) {
    const text = 'The target reset the HTTP/2 stream.';
    return { failure: failure('connect.reset', text), unsent, certificate: false };
  }
  const unreadable =
    /invalid HTTP|parse error|parsing|parsed|http2 error|message head is too large|invalid .*header/i;
  if (!unsent && unreadable.test(sentence)) {
    const said = sentence.slice(sentence.lastIndexOf(': ') + 2).slice(0, 200);
    const text = `The response of the target is not valid HTTP. The client library says: ${said}`;
    return { failure: failure('http.protocol', text), unsent, certificate: false };
  }
  const text = unsent
    ? `${host} closed the connection during the TLS handshake.`
    : 'The target reset the connection.';
  return { failure: failure('connect.reset', text), unsent, certificate: false };
}
