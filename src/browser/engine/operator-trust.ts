import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { newAuthority, newServerCertificate } from '../../base/certificate.ts';
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

/** What browsers need to trust the test hosts. */
export interface TrustedTestHosts {
  /** Their authority, as PEM. */
  readonly ca: string;
  /** Of their key, as on the command line. */
  readonly keyHash: string;
}

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
  /** Of the keys that browsers accept: that of the test hosts, and that of `dial`. */
  readonly keyHashes: readonly string[];
  /** Whether the operator has certificate authorities, so that `dial` may end TLS. */
  readonly hasAuthorities: boolean;
  readonly #connect: Egress['connect'];
  readonly #contexts: TlsContexts;
  /** Has size 0: a resumed session would skip the verification of the certificate. */
  readonly #sessions = new TlsSessionCache(0);
  readonly #operatorContext: SecureContext | null = null;
  readonly #ownContext: SecureContext | null = null;
  /** `host:port` of targets, with the time (monotonic ms) until which each is remembered. */
  readonly #withoutOperatorCa = new Map<string, number>();

  /** @param ca PEM @param now ms since the epoch */
  constructor(
    ca: readonly string[] | null,
    testHosts: TrustedTestHosts | null,
    connect: Egress['connect'],
    now: number,
  ) {
    this.#connect = connect;
    const ofTests = testHosts === null ? [] : [testHosts];
    this.#contexts = new TlsContexts([...(ca ?? []), ...ofTests.map((one) => one.ca)]);
    this.keyHashes = ofTests.map((one) => one.keyHash);
    this.hasAuthorities = ca !== null;
    if (ca === null) return;
    // Its names do not matter: browsers compare the key alone.
    const issuer = newAuthority('Sluice browsers', now);
    const { key, certificate, keyHash } = newServerCertificate(['browsers.invalid'], issuer, now);
    this.keyHashes = [...this.keyHashes, keyHash];
    this.#ownContext = createSecureContext({ key, cert: certificate });
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
