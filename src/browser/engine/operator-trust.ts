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
 * What a browser speaks TLS with in place of a target whose certificate was verified here. All of it ends with any
 * part of it.
 * @param own a certificate that the browser takes
 * @param protocol what is spoken with the target, as ALPN names it
 */
function bridgeTls(target: TLSSocket, own: SecureContext, protocol: AlpnProtocol): Duplex {
  const [outside, inside] = duplexPair();
  const engine = new TLSSocket(inside as Socket, {
    isServer: true,
    secureContext: own,
    ALPNProtocols: [protocol],
  });
  const end = (error?: Error) => {
    target.destroy();
    engine.destroy();
    inside.destroy();
    outside.destroy(error);
  };
  // How the target broke the connection is for whoever holds the other end.
  target.on('error', end);
  engine.on('error', () => end());
  outside.on('close', () => end());
  target.on('close', () => {
    if (!target.readableEnded) end(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  });
  target.pipe(engine).pipe(target);
  return outside;
}

interface SelfSignedCertificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
  /** SHA-256 of the public key as in the certificate, base64. */
  readonly keyHash: string;
}

const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const YEAR_MS = 365 * 24 * 3600 * 1000;

/** A fresh key and a certificate that signs itself (RFC 5280 §4.1), for those who know the key. @param now ms since the epoch */
function createSelfSigned(now: number): SelfSignedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(der(0x06, Buffer.from(ECDSA_WITH_SHA256)));
  const name = sequence(
    der(0x31, sequence(der(0x06, Buffer.from(COMMON_NAME)), der(0x0c, Buffer.from('Sluice')))),
  );
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1, ...randomBytes(15)]));
  const validity = sequence(generalizedTime(now - YEAR_MS), generalizedTime(now + 20 * YEAR_MS));
  const content = sequence(version, serial, algorithm, name, validity, name, spki);
  const signature = sign('sha256', content, privateKey);
  const cert = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`,
    keyHash: createHash('sha256').update(spki).digest('base64'),
  };
}

/** One element of DER (X.690 §8.1). */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** GeneralizedTime: `20260102030405Z`. */
function generalizedTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  return der(0x18, Buffer.from(digits));
}

/** For so long a host that shows no certificate of the operator's is not looked at again. */
const NOT_OPERATORS_MS = 300_000;
const MAX_NOT_OPERATORS = 1_000;
const PROBE_MS = 3_000;
/**
 * What is offered to targets, one after the other. The browser says what it takes only after the target has chosen, and
 * takes HTTP/1.1 on every connection, HTTP/2 not for WebSockets: only who refuses the first is offered the second.
 */
const PROTOCOLS: readonly AlpnProtocol[] = ['http/1.1', 'h2'];

interface TlsTarget {
  readonly host: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly upstream: Upstream | null;
}

/**
 * The operator's certificate authorities for browsers, which take none of their own at run time. A target whose
 * certificate comes from one of them is verified here, at the connection that is then used; the browser is shown a
 * certificate of this process, whose key it was told when it was started. All other targets it verifies itself.
 */
export class OperatorTrust {
  /** Of the key that browsers are to take; null: there are no authorities of the operator's. */
  readonly keyHash: string | null = null;
  readonly #connect: Egress['connect'];
  readonly #contexts: TlsContexts;
  readonly #sessions = new TlsSessionCache(0);
  readonly #operatorContext: SecureContext | null = null;
  readonly #ownContext: SecureContext | null = null;
  readonly #notOperators = new Map<string, number>();

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

  /** For the gateway. */
  readonly dial: GatewayDial = async ({ kind, ...ask }) => {
    let dialled = await this.#connect(ask);
    const [own, context, key] = [this.#ownContext, this.#operatorContext, `${ask.host}:${ask.port}`];
    if (
      dialled.failure !== null ||
      kind === 'plain' ||
      own === null ||
      context === null ||
      this.#isKnownNotOperators(key)
    )
      return dialled;
    const began = performance.now();
    const { host, signal } = ask;
    const tools = { context, sessions: this.#sessions, key };
    const abandonedSockets: Socket[] = [];
    for (const protocol of PROTOCOLS) {
      const { socket } = dialled;
      const shaken = await tlsHandshake({ socket, host, alpn: [protocol], verify: true, ...tools, signal });
      if (shaken.failure === null) {
        const engineStream = bridgeTls(shaken.socket, own, protocol);
        return { ...dialled, engineStream, tlsMs: performance.now() - began, abandonedSockets };
      }
      abandonedSockets.push(dialled.proxySocket ?? socket);
      dialled = await this.#connect(ask);
      const { code, details } = shaken.failure;
      const reason = code === 'tls.invalid' ? details?.reason : null;
      if (reason === 'untrusted' || reason === 'self_signed') this.#rememberNotOperators(key);
      if (code !== 'http.protocol' || dialled.failure !== null) break;
    }
    // Not the operator's, or not in order: the browser shall say so itself.
    return { ...dialled, abandonedSockets };
  };

  /**
   * What is wrong with a certificate that a browser did not take, in more words than it has; null: nothing, for us.
   * @param use where the bytes of looking are counted
   */
  async certificateFailure(
    { host, port, signal, upstream }: TlsTarget,
    use: Pick<GatewaySession, 'adds'>,
  ): Promise<Failure | null> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
    const dialled = await this.#connect({ host, port, signal: within, upstream });
    if (dialled.failure !== null) {
      if (dialled.proxySocket !== undefined) use.adds(dialled.proxySocket);
      return null;
    }
    const tools = { context: this.#contexts.for(true), sessions: this.#sessions, key: '' };
    const { socket } = dialled;
    const shaken = await tlsHandshake({ socket, host, alpn: [], verify: true, ...tools, signal: within });
    shaken.socket?.destroy();
    socket.destroy();
    use.adds(dialled.proxySocket ?? socket);
    return shaken.failure?.code === 'tls.invalid' ? shaken.failure : null;
  }

  #isKnownNotOperators(key: string): boolean {
    const until = this.#notOperators.get(key);
    return until !== undefined && performance.now() < until;
  }

  #rememberNotOperators(key: string): void {
    this.#notOperators.delete(key);
    this.#notOperators.set(key, performance.now() + NOT_OPERATORS_MS);
    if (this.#notOperators.size > MAX_NOT_OPERATORS)
      this.#notOperators.delete(this.#notOperators.keys().next().value!);
  }
}
