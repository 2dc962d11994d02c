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
 * Checks that a certificate is for this host, by its subject alternative names alone (RFC 9525 §2, as browsers do). Node
 * would fall back to the common name.
 */
function checkSubjectAltNames(host: string, certificate: PeerCertificate): Error | undefined {
  return checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
}

/** TLS sessions for resumption, by connection key. If there are too many, the least recently renewed one is dropped. */
export class TlsSessionCache {
  readonly #sessions = new Map<string, Buffer>();
  readonly #maxSessions: number;

  /** @param maxSessions 0: sessions are not resumed */
  constructor(maxSessions = 256) {
    this.#maxSessions = maxSessions;
  }

  get(key: string): Buffer | undefined {
    return this.#sessions.get(key);
  }

  set(key: string, session: Buffer): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size > this.#maxSessions) this.#sessions.delete(this.#sessions.keys().next().value!);
  }

  delete(key: string): void {
    this.#sessions.delete(key);
  }
}

export type TlsFailureReason = 'expired' | 'self_signed' | 'untrusted' | 'hostname' | 'weak' | 'other';

/** Error codes of Node and OpenSSL: X509_V_ERR_… without the prefix, and ERR_SSL_…. */
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

const DESCRIPTIONS: Readonly<Record<TlsFailureReason, string>> = {
  expired: 'its certificate is not valid at this time',
  self_signed: 'its certificate is signed by itself only',
  untrusted: 'its certificate was not issued by an authority that is trusted here',
  hostname: 'its certificate is for other names',
  weak: 'it offers only keys, ciphers or protocols that are too weak',
  other: 'the handshake failed',
};

const HANDSHAKE_FAILURE = 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE';

/** More specific descriptions for the reason `other`. */
const DESCRIPTIONS_BY_CODE: Readonly<Record<string, string>> = {
  [HANDSHAKE_FAILURE]: 'it ended the handshake, as servers do that require a client certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; use http:// if it serves plain HTTP',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it knows no host of this name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it asks for a client certificate',
};

/** OpenSSL 3.5 renamed the alerts of SSL 3.0; the tables here use their old names. */
const RENAMED_ALERT_PREFIX = 'ERR_SSL_SSL/TLS_ALERT_';

/** Codes that mean a lost connection, not a TLS error. */
const CONNECTION_LOST_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * The failure for an error of a TLS handshake.
 * @param host as in the URL
 * @param negotiated whether version and cipher had been negotiated before the error
 */
export function tlsFailure(error: NodeJS.ErrnoException, host: string, negotiated = true): Failure {
  const code = (error.code ?? '').replace(RENAMED_ALERT_PREFIX, 'ERR_SSL_SSLV3_ALERT_');
  if (CONNECTION_LOST_CODES.has(code)) {
    return failure('connect.reset', `${host} closed the connection during the TLS handshake.`);
  }
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') {
    return failure('http.protocol', `${host} does not support the requested version of HTTP.`);
  }
  const reason = REASONS_BY_CODE[code] ?? reasonOfUnlistedCode(code, error.message, negotiated);
  const sentence =
    reason === 'other' ? (DESCRIPTIONS_BY_CODE[code] ?? DESCRIPTIONS.other) : DESCRIPTIONS[reason];
  return failure('tls.invalid', `The TLS connection to ${host} is refused: ${sentence}.`, {
    details: { reason, openssl: code === '' ? error.message.slice(0, 200) : code },
  });
}

function reasonOfUnlistedCode(code: string, message: string, negotiated: boolean): TlsFailureReason {
  // Before the negotiation, this alert means that client and server have no version or cipher in common (RFC 8446 §4.1.1).
  if (code === HANDSHAKE_FAILURE && !negotiated) return 'weak';
  // Node has no code for these verification errors: only OpenSSL's message distinguishes them.
  if (code === 'UNSPECIFIED') return /too weak|too small/.test(message) ? 'weak' : 'untrusted';
  return 'other';
}

interface TlsHandshakeOptions {
  /** Connected. The handshake owns it from now on, also when it fails. */
  readonly socket: Socket;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly alpn: readonly string[];
  readonly verify: boolean;
  readonly context: SecureContext;
  readonly sessions: TlsSessionCache;
  /** Key of the connection in `sessions`. */
  readonly key: string;
  /** Ends the handshake at once. The failure is then to be ignored. */
  readonly signal: AbortSignal;
}

type TlsHandshakeResult =
  | { readonly socket: TLSSocket; readonly failure: null }
  | { readonly socket: null; readonly failure: Failure };

const CANCELLED = failure('request.cancelled', 'The connection was closed.');

/** Starts TLS on a connected socket, with SNI and resumption. Never rejects. */
export function tlsHandshake(options: TlsHandshakeOptions): Promise<TlsHandshakeResult> {
  return new Promise((resolve) => {
    const name = options.host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const session = options.sessions.get(options.key);
    const socket = connect({
      socket: options.socket,
      // Certificates of IP addresses are checked against `host`; SNI is for names only (RFC 6066 §3).
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: [...options.alpn],
      secureContext: options.context,
      rejectUnauthorized: options.verify,
      checkServerIdentity: checkSubjectAltNames,
      ...(session === undefined ? {} : { session }),
    });
    // Not by the functions of src/base/wait.ts: the listeners on the socket must be removed together with the one on the signal.
    const settle = (result: TlsHandshakeResult) => {
      socket.removeListener('secureConnect', onSecure);
      socket.removeListener('error', onError);
      socket.removeListener('close', onClose);
      options.signal.removeEventListener('abort', onAbort);
      if (result.failure !== null) {
        socket.on('error', ignore);
        socket.destroy();
        options.socket.destroy();
      }
      resolve(result);
    };
    const onSecure = () => settle({ socket, failure: null });
    const onError = (error: NodeJS.ErrnoException) => {
      options.sessions.delete(options.key);
      // `getCipher` returns undefined before the negotiation, although its type does not say so.
      const negotiated = Boolean(socket.getCipher());
      settle({ socket: null, failure: tlsFailure(error, options.host, negotiated) });
    };
    const onClose = () => onError(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const onAbort = () => settle({ socket: null, failure: CANCELLED });
    socket.on('session', (newSession: Buffer) => options.sessions.set(options.key, newSession));
    socket.once('secureConnect', onSecure);
    socket.once('error', onError);
    socket.once('close', onClose);
    if (options.signal.aborted) onAbort();
    else options.signal.addEventListener('abort', onAbort, { once: true });
  });
}

function ignore(): void {}

/** The TLS contexts with and without certificate verification. Cached, because reading the root certificates takes tens of milliseconds. */
export class TlsContexts {
  readonly #ca: readonly string[] | null;
  #verified: SecureContext | null = null;
  #unverified: SecureContext | null = null;

  /** @param ca certificates (PEM) that are trusted besides the authorities of Node; null: none */
  constructor(ca: readonly string[] | null) {
    this.#ca = ca;
  }

  for(verify: boolean): SecureContext {
    if (verify) {
      this.#verified ??= createSecureContext({ ca: [...getCACertificates('default'), ...(this.#ca ?? [])] });
      return this.#verified;
    }
    // Callers turn verification off to read pages of old servers: everything that OpenSSL supports is allowed.
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
 * The failure for an error after the handshake, if it is a TLS error; else null. In TLS 1.3 the client finishes the
 * handshake first, so the server reports only now that a client certificate is missing (RFC 8446 §4.4.2.4).
 */
export function tlsFailureAfterHandshake(error: NodeJS.ErrnoException | null): Failure | null {
  return error?.code?.startsWith('ERR_SSL_') === true ? tlsFailure(error, 'the target') : null;
}
