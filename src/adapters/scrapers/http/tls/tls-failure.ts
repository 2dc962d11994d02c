import type { Failure } from '../../../../domain/failure.ts';
import { failure } from '../../../../domain/failure.ts';

export type TlsReason = 'expired' | 'self_signed' | 'untrusted' | 'hostname' | 'weak' | 'other';

/** Error codes of Node and OpenSSL (X509_V_ERR_… without the prefix, ERR_SSL_… of the reason) by what they mean. */
const REASONS: Readonly<Record<string, TlsReason>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_REJECTED: 'untrusted',
  CERT_REVOKED: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  CERT_CHAIN_TOO_LONG: 'untrusted',
  INVALID_CA: 'untrusted',
  INVALID_PURPOSE: 'untrusted',
  PATH_LENGTH_EXCEEDED: 'untrusted',
  PERMITTED_VIOLATION: 'untrusted',
  EXCLUDED_VIOLATION: 'untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'hostname',
  HOSTNAME_MISMATCH: 'hostname',
  EE_KEY_TOO_SMALL: 'weak',
  CA_KEY_TOO_SMALL: 'weak',
  CA_MD_TOO_WEAK: 'weak',
  ERR_TLS_DH_PARAM_SIZE: 'weak',
  ERR_SSL_EE_KEY_TOO_SMALL: 'weak',
  ERR_SSL_CA_KEY_TOO_SMALL: 'weak',
  ERR_SSL_CA_MD_TOO_WEAK: 'weak',
  ERR_SSL_DH_KEY_TOO_SMALL: 'weak',
  ERR_SSL_BAD_DH_VALUE: 'weak',
  ERR_SSL_KEY_SIZE_TOO_SMALL: 'weak',
  ERR_SSL_WRONG_SIGNATURE_TYPE: 'weak',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'weak',
  ERR_SSL_NO_PROTOCOLS_AVAILABLE: 'weak',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'weak',
  ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY: 'weak',
  ERR_SSL_NO_CIPHERS_AVAILABLE: 'weak',
  ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED: 'weak',
};

const SENTENCES: Readonly<Record<TlsReason, string>> = {
  expired: 'its certificate is not valid at this time',
  self_signed: 'its certificate is signed by itself only',
  untrusted: 'its certificate was not issued by an authority that is trusted here',
  hostname: 'its certificate is for other names',
  weak: 'it offers only keys, ciphers or protocols that are too weak',
  other: 'the handshake failed',
};

const HANDSHAKE_FAILURE = 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE';

/** Where the code says more than `other`. */
const EXACTLY: Readonly<Record<string, string>> = {
  [HANDSHAKE_FAILURE]: 'it broke the handshake off, as servers do that ask for a client certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it knows no host of this name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a client certificate',
};

/** OpenSSL 3.5 renamed the alerts that SSL 3.0 had; they are known here by the older name. */
const RENAMED = 'ERR_SSL_SSL/TLS_ALERT_';

/** Codes that mean the connection was lost, not that TLS went wrong. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * What an error of a TLS handshake means for the caller.
 * @param host as in the URL
 * @param agreed whether a protocol version and a cipher had been agreed on
 */
export function tlsFailure(error: NodeJS.ErrnoException, host: string, agreed = true): Failure {
  const code = (error.code ?? '').replace(RENAMED, 'ERR_SSL_SSLV3_ALERT_');
  if (LOST.has(code)) {
    return failure('connect.reset', `${host} closed the connection during the TLS handshake.`);
  }
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') {
    return failure('http.protocol', `${host} does not support the requested version of HTTP.`);
  }
  const reason = REASONS[code] ?? unlisted(code, error.message, agreed);
  const sentence = reason === 'other' ? (EXACTLY[code] ?? SENTENCES.other) : SENTENCES[reason];
  return failure('tls.invalid', `The TLS connection to ${host} is refused: ${sentence}.`, {
    details: { reason, openssl: code === '' ? error.message.slice(0, 200) : code },
  });
}

function unlisted(code: string, sentence: string, agreed: boolean): TlsReason {
  // In place of an agreement it means that none of ours is spoken there (RFC 8446 §4.1.1); later, anything.
  if (code === HANDSHAKE_FAILURE && !agreed) return 'weak';
  // Errors of the verification that Node has no name for are told apart by OpenSSL's sentence only.
  if (code === 'UNSPECIFIED') return /too weak|too small/.test(sentence) ? 'weak' : 'untrusted';
  return 'other';
}
