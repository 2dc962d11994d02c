import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { type Failure, failure } from '../domain/failure.ts';

/**
 * Whether a certificate is for this host, by its subject alternative names alone (RFC 9525 §2, as browsers): Node by
 * itself would take the common name where there is none.
 */
function checkSubjectAltNames(host: string, certificate: PeerCertificate): Error | undefined {
  return checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
}

/** TLS sessions for resumption by connection key; the ones longest not renewed go first. */
export class TlsSessionCache {
  readonly #sessions = new Map<string, Buffer>();
  readonly #most: number;

  constructor(most = 256) {
    this.#most = most;
  }

  get(key: string): Buffer | undefined {
    return this.#sessions.get(key);
  }

  set(key: string, session: Buffer): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size > this.#most) this.#sessions.delete(this.#sessions.keys().next().value!);
  }

  delete(key: string): void {
    this.#sessions.delete(key);
  }
}

export type TlsFailureReason = 'expired' | 'self_signed' | 'untrusted' | 'hostname' | 'weak' | 'other';

/** Error codes of Node and OpenSSL (X509_V_ERR_… without the prefix, ERR_SSL_… of the reason) by what they mean. */
const REASONS_BY_CODE: Readonly<Record<string, TlsFailureReason>> = {
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

const SENTENCES: Readonly<Record<TlsFailureReason, string>> = {
  expired: 'its certificate is not valid at this time',
  self_signed: 'its certificate is signed by itself only',
  untrusted: 'its certificate was not issued by an authority that is trusted here',
  hostname: 'its certificate is for other names',
  weak: 'it offers only keys, ciphers or protocols that are too weak',
  other: 'the handshake failed',
};

const HANDSHAKE_FAILURE = 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE';

/** Where the code says more than `other`. */
const SENTENCES_BY_CODE: Readonly<Record<string, string>> = {
  [HANDSHAKE_FAILURE]: 'it broke the handshake off, as servers do that ask for a client certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it knows no host of this name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a client certificate',
};

/** OpenSSL 3.5 renamed the alerts that SSL 3.0 had; they are known here by the older name. */
const RENAMED_ALERT_PREFIX = 'ERR_SSL_SSL/TLS_ALERT_';

/** Codes that mean the connection was lost, not that TLS went wrong. */
const CONNECTION_LOST_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * What an error of a TLS handshake means for the caller.
 * @param host as in the URL
 * @param agreed whether a protocol version and a cipher had been agreed on
 */
export function tlsFailure(error: NodeJS.ErrnoException, host: string, agreed = true): Failure {
  const code = (error.code ?? '').replace(RENAMED_ALERT_PREFIX, 'ERR_SSL_SSLV3_ALERT_');
  if (CONNECTION_LOST_CODES.has(code)) {
    return failure('connect.reset', `${host} closed the connection during the TLS handshake.`);
  }
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') {
    return failure('http.protocol', `${host} does not support the requested version of HTTP.`);
  }
  const reason = REASONS_BY_CODE[code] ?? reasonOfUnlistedCode(code, error.message, agreed);
  const sentence = reason === 'other' ? (SENTENCES_BY_CODE[code] ?? SENTENCES.other) : SENTENCES[reason];
  return failure('tls.invalid', `The TLS connection to ${host} is refused: ${sentence}.`, {
    details: { reason, openssl: code === '' ? error.message.slice(0, 200) : code },
  });
}

function reasonOfUnlistedCode(code: string, sentence: string, agreed: boolean): TlsFailureReason {
  // In place of an agreement it means that none of ours is spoken there (RFC 8446 §4.1.1); later, anything.
  if (code === HANDSHAKE_FAILURE && !agreed) return 'weak';
  // Errors of the verification that Node has no name for are told apart by OpenSSL's sentence only.
  if (code === 'UNSPECIFIED') return /too weak|too small/.test(sentence) ? 'weak' : 'untrusted';
  return 'other';
}

interface TlsHandshakeOptions {
  /** Connected; owned by the handshake from now on, also when it fails. */
  readonly socket: Socket;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly alpn: readonly string[];
  readonly verify: boolean;
  readonly context: SecureContext;
  readonly sessions: TlsSessionCache;
  /** Of the sessions that may be resumed. */
  readonly key: string;
  /** Ends it at once; the failure is then of no meaning. */
  readonly signal: AbortSignal;
}

type TlsHandshakeResult =
  | { readonly socket: TLSSocket; readonly failure: null }
  | { readonly socket: null; readonly failure: Failure };

const CANCELLED = failure('request.cancelled', 'The connection was closed.');

/** TLS over a connected socket, with SNI for names, resumption, and its errors in the caller's words. Never rejects. */
export function tlsHandshake(ask: TlsHandshakeOptions): Promise<TlsHandshakeResult> {
  return new Promise((resolve) => {
    const name = ask.host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const session = ask.sessions.get(ask.key);
    const socket = connect({
      socket: ask.socket,
      // Certificates of IP addresses are checked against `host`; SNI is for names only (RFC 6066 §3).
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: [...ask.alpn],
      secureContext: ask.context,
      rejectUnauthorized: ask.verify,
      checkServerIdentity: checkSubjectAltNames,
      ...(session === undefined ? {} : { session }),
    });
    // By hand and not by `base/wait.ts`: the listeners on the socket and the signal come and go together.
    const settle = (result: TlsHandshakeResult) => {
      socket.removeListener('secureConnect', onSecure);
      socket.removeListener('error', onError);
      socket.removeListener('close', onClose);
      ask.signal.removeEventListener('abort', onAbort);
      if (result.failure !== null) {
        socket.on('error', ignore);
        socket.destroy();
        ask.socket.destroy();
      }
      resolve(result);
    };
    const onSecure = () => settle({ socket, failure: null });
    const onError = (error: NodeJS.ErrnoException) => {
      ask.sessions.delete(ask.key);
      // Undefined while there is none, whatever its type says.
      const agreed = Boolean(socket.getCipher());
      settle({ socket: null, failure: tlsFailure(error, ask.host, agreed) });
    };
    const onClose = () => onError(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const onAbort = () => settle({ socket: null, failure: CANCELLED });
    socket.on('session', (fresh: Buffer) => ask.sessions.set(ask.key, fresh));
    socket.once('secureConnect', onSecure);
    socket.once('error', onError);
    socket.once('close', onClose);
    if (ask.signal.aborted) onAbort();
    else ask.signal.addEventListener('abort', onAbort, { once: true });
  });
}

function ignore(): void {}

/** What is trusted, made once for each of the two ways: reading the root certificates takes tens of milliseconds. */
export class TlsContexts {
  readonly #ca: readonly string[] | null;
  #verified: SecureContext | null = null;
  #unverified: SecureContext | null = null;

  /** @param ca certificates (PEM) that are trusted beside the authorities of Node; null: none */
  constructor(ca: readonly string[] | null) {
    this.#ca = ca;
  }

  for(verify: boolean): SecureContext {
    if (verify) {
      this.#verified ??= createSecureContext({ ca: [...getCACertificates('default'), ...(this.#ca ?? [])] });
      return this.#verified;
    }
    // Who waives the certificate wants the page of an old server: whatever OpenSSL still speaks will do.
    this.#unverified ??= createSecureContext({
      ca: [],
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
      secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    });
    return this.#unverified;
  }
}

/**
 * What TLS has to say when a connection ends after the handshake; null: it was not TLS. With TLS 1.3 a client has
 * finished before the server judges it: that a client certificate is missing is told only now (RFC 8446 §4.4.2.4).
 */
export function tlsFailureAfterHandshake(error: NodeJS.ErrnoException | null): Failure | null {
  return error?.code?.startsWith('ERR_SSL_') === true ? tlsFailure(error, 'the target') : null;
}
