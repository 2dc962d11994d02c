import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import type { Failure } from '../../domain/failure.ts';
import type { Upstream } from '../../domain/proxy.ts';
import type { Egress } from '../../egress/egress.ts';
import type { GatewayDial, GatewaySession } from '../../egress/gateway/gateway.ts';
import { TlsContexts, TlsSessionCache, tlsHandshake } from '../../http-client/tls.ts';

type AlpnProtocol = 'http/1.1' | 'h2';

/**
 * Terminates the TLS of the browser with our own certificate, and relays the decrypted bytes to and from a target whose
 * certificate was verified already. Both connections end when one of them ends.
 * @param ownContext has a certificate that the browser accepts
 * @param protocol ALPN protocol that was negotiated with the target
 * @returns the stream on which the browser makes its TLS handshake
 */
function bridgeTls(target: TLSSocket, ownContext: SecureContext, protocol: AlpnProtocol): Duplex {
  const [gatewayEnd, tlsEnd] = duplexPair();
  const browserSide = new TLSSocket(tlsEnd as Socket, {
    isServer: true,
    secureContext: ownContext,
    ALPNProtocols: [protocol],
  });
  const end = (error?: Error) => {
    target.destroy();
    browserSide.destroy();
    tlsEnd.destroy();
    gatewayEnd.destroy(error);
  };
  // The gateway learns the error of the target from the stream.
  target.on('error', end);
  browserSide.on('error', () => end());
  gatewayEnd.on('close', () => end());
  // The target closed the connection without close_notify (RFC 8446 §6.1), so the response may be incomplete. The browser must
  // see an error, not a normal end.
  target.on('close', () => {
    if (!target.readableEnded) end(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  });
  target.pipe(browserSide).pipe(target);
  return gatewayEnd;
}

interface SelfSignedCertificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the SubjectPublicKeyInfo, base64. */
  readonly keyHash: string;
}

/** Object identifiers in DER: 1.2.840.10045.4.3.2 (RFC 5758 §3.2) and 2.5.4.3 (X.520). */
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** A new key with a self-signed certificate (RFC 5280 §4.1). @param now ms since the epoch */
function createSelfSigned(now: number): SelfSignedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(der(0x06, Buffer.from(ECDSA_WITH_SHA256)));
  const name = sequence(
    der(0x31, sequence(der(0x06, Buffer.from(COMMON_NAME)), der(0x0c, Buffer.from('Sluice')))),
  );
  // 2 stands for X.509 v3.
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  // The first byte makes the number positive (RFC 5280 §4.1.2.2).
  const serial = der(0x02, Buffer.from([1, ...randomBytes(15)]));
  const validity = sequence(generalizedTime(now - YEAR_MS), generalizedTime(now + 20 * YEAR_MS));
  const content = sequence(version, serial, algorithm, name, validity, name, spki);
  const signature = sign('sha256', content, privateKey);
  // A BIT STRING begins with the number of its unused bits.
  const cert = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`,
    keyHash: createHash('sha256').update(spki).digest('base64'),
  };
}

/**
 * One element of DER (X.690 §8.1). Tags used here: 0x02 INTEGER, 0x03 BIT STRING, 0x06 OBJECT IDENTIFIER, 0x0c UTF8String, 0x18
 * GeneralizedTime, 0x30 SEQUENCE, 0x31 SET, 0xa0 context-specific 0.
 */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const lengthBytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

function sequence(...elements: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(elements));
}

/** GeneralizedTime: `20260102030405Z`. */
function generalizedTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return der(0x18, Buffer.from(digits));
}

/** How long a target is remembered if its certificate is not from the operator's authorities. */
const WITHOUT_OPERATOR_CA_MS = 300_000;
const MAX_WITHOUT_OPERATOR_CA = 1_000;
/** Time limit of `certificateFailure`, which delays the answer to the caller. */
const CERTIFICATE_CHECK_MS = 3_000;
/**
 * Offered to targets one after the other, because the handshake with the target comes before that with the browser. Browsers
 * accept both. HTTP/2 comes second because WebSockets need HTTP/1.1: it is offered only to targets that reject HTTP/1.1.
 */
const PROTOCOLS: readonly AlpnProtocol[] = ['http/1.1', 'h2'];

interface TlsTarget {
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly upstream: Upstream | null;
}

/**
 * Makes browsers trust the operator's certificate authorities, which cannot be given to a browser. If one of them has issued
 * the certificate of a target, it is verified here, on the connection that is then used. The browser gets a certificate of this
 * process, which it accepts because of the key hash on its command line. The browser verifies all other targets.
 */
export class OperatorTrust {
  /** Hash of the key that browsers accept; null: the operator has no certificate authorities. */
  readonly keyHash: string | null = null;
  readonly #connect: Egress['connect'];
  readonly #contexts: TlsContexts;
  /** Has size 0: a resumed session would skip the verification of the certificate. */
  readonly #sessions = new TlsSessionCache(0);
  readonly #operatorContext: SecureContext | null = null;
  readonly #ownContext: SecureContext | null = null;
  /** `host:port` of targets, with the time (monotonic ms) until which each is remembered. */
  readonly #withoutOperatorCa = new Map<string, number>();

  /** @param ca PEM @param now ms since the epoch */
  constructor(ca: readonly string[] | null, connect: Egress['connect'], now: number) {
    this.#connect = connect;
    this.#contexts = new TlsContexts(ca);
    if (ca === null) return;
    const { key, cert, keyHash } = createSelfSigned(now);
    this.keyHash = keyHash;
    this.#ownContext = createSecureContext({ key, cert });
    this.#operatorContext = createSecureContext({ ca: [...ca] });
  }

  /**
   * Connects to a target for the gateway, and terminates TLS if one of the operator's authorities has issued its certificate.
   */
  readonly dial: GatewayDial = async ({ kind, ...request }) => {
    let connection = await this.#connect(request);
    const [ownContext, operatorContext] = [this.#ownContext, this.#operatorContext];
    const key = `${request.host}:${request.port}`;
    if (
      connection.failure !== null ||
      kind === 'plain' ||
      ownContext === null ||
      operatorContext === null ||
      this.#isWithoutOperatorCa(key)
    )
      return connection;
    const began = performance.now();
    const { host, signal } = request;
    const tls = { host, context: operatorContext, sessions: this.#sessions, key, verify: true, signal };
    /** Returned, so that their bytes are counted. */
    const abandonedSockets: Socket[] = [];
    for (const protocol of PROTOCOLS) {
      const { socket } = connection;
      const handshake = await tlsHandshake({ ...tls, socket, alpn: [protocol] });
      if (handshake.failure === null) {
        const clientStream = bridgeTls(handshake.socket, ownContext, protocol);
        return { ...connection, clientStream, tlsMs: performance.now() - began, abandonedSockets };
      }
      abandonedSockets.push(connection.proxySocket ?? socket);
      // After a failed handshake, a connection cannot be used again. The next handshake needs a new one: here or in the
      // browser.
      connection = await this.#connect(request);
      const { code, details } = handshake.failure;
      const reason = code === 'tls.invalid' ? details?.reason : null;
      if (reason === 'untrusted' || reason === 'self_signed') this.#rememberWithoutOperatorCa(key);
      // `http.protocol`: the target has rejected the offered protocol, so the other one is tried.
      if (code !== 'http.protocol' || connection.failure !== null) break;
    }
    // The certificate is not from the operator's authorities, or invalid: the browser verifies it, and reports errors.
    return { ...connection, abandonedSockets };
  };

  /**
   * Why a browser rejected a certificate, in more detail than it reports. null: the certificate is valid here, or was not
   * received.
   * @param gatewaySession counts the bytes of this connection
   */
  async certificateFailure(
    { host, port, signal, upstream }: TlsTarget,
    gatewaySession: Pick<GatewaySession, 'addBytesOf'>,
  ): Promise<Failure | null> {
    const limitedSignal = AbortSignal.any([signal, AbortSignal.timeout(CERTIFICATE_CHECK_MS)]);
    const connection = await this.#connect({ host, port, signal: limitedSignal, upstream });
    if (connection.failure !== null) {
      if (connection.proxySocket !== undefined) gatewaySession.addBytesOf(connection.proxySocket);
      return null;
    }
    const { socket } = connection;
    const handshake = await tlsHandshake({
      socket,
      host,
      alpn: [],
      verify: true,
      context: this.#contexts.for(true),
      sessions: this.#sessions,
      key: '',
      signal: limitedSignal,
    });
    handshake.socket?.destroy();
    socket.destroy();
    gatewaySession.addBytesOf(connection.proxySocket ?? socket);
    return handshake.failure?.code === 'tls.invalid' ? handshake.failure : null;
  }

  #isWithoutOperatorCa(key: string): boolean {
    const until = this.#withoutOperatorCa.get(key);
    return until !== undefined && performance.now() < until;
  }

  #rememberWithoutOperatorCa(key: string): void {
    this.#withoutOperatorCa.delete(key);
    this.#withoutOperatorCa.set(key, performance.now() + WITHOUT_OPERATOR_CA_MS);
    if (this.#withoutOperatorCa.size > MAX_WITHOUT_OPERATOR_CA)
      this.#withoutOperatorCa.delete(this.#withoutOperatorCa.keys().next().value!);
  }
}
