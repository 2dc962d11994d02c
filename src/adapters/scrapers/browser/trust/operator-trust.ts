import type { Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Failure } from '../../../../domain/failure.ts';
import type { Upstream } from '../../../../domain/upstream.ts';
import type { Egress } from '../../../../egress/egress.ts';
import type { Dial, GatewayUse } from '../../../../egress/gateway/gateway.ts';
import { handshake } from '../../http/tls/handshake.ts';
import { SessionCache } from '../../http/tls/session-cache.ts';
import { TlsContexts } from '../../http/tls/tls-contexts.ts';
import { bridge, type Protocol } from './bridge.ts';
import { selfSigned } from './self-signed.ts';

/** For so long a host that shows no certificate of the operator's is not looked at again. */
const FOREIGN_MS = 300_000;
const MOST_FOREIGN = 1_000;
const LOOK_MS = 3_000;
/**
 * What is offered to targets, one after the other. The browser says what it takes only after the target has chosen, and
 * takes HTTP/1.1 on every connection, HTTP/2 not for WebSockets: only who refuses the first is offered the second.
 */
const PROTOCOLS: readonly Protocol[] = ['http/1.1', 'h2'];

interface Target {
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
  readonly #all: TlsContexts;
  readonly #sessions = new SessionCache(0);
  readonly #operators: SecureContext | null = null;
  readonly #own: SecureContext | null = null;
  readonly #foreign = new Map<string, number>();

  /** @param ca PEM @param now ms since the epoch */
  constructor(ca: readonly string[] | null, connect: Egress['connect'], now: number) {
    this.#connect = connect;
    this.#all = new TlsContexts(ca);
    if (ca === null) return;
    const { key, cert, keyHash } = selfSigned(now);
    this.keyHash = keyHash;
    this.#own = createSecureContext({ key, cert });
    this.#operators = createSecureContext({ ca: [...ca] });
  }

  /** For the gateway. */
  readonly dial: Dial = async ({ kind, ...ask }) => {
    let dialled = await this.#connect(ask);
    const [own, context, key] = [this.#own, this.#operators, `${ask.host}:${ask.port}`];
    if (
      dialled.failure !== null ||
      kind === 'plain' ||
      own === null ||
      context === null ||
      this.#isForeign(key)
    )
      return dialled;
    const began = performance.now();
    const { host, signal } = ask;
    const tools = { context, sessions: this.#sessions, key };
    const tried: Socket[] = [];
    for (const protocol of PROTOCOLS) {
      const { socket } = dialled;
      const shaken = await handshake({ socket, host, alpn: [protocol], verify: true, ...tools, signal });
      if (shaken.failure === null) {
        const through = bridge(shaken.socket, own, protocol);
        return { ...dialled, through, tlsMs: performance.now() - began, tried };
      }
      tried.push(dialled.wire ?? socket);
      dialled = await this.#connect(ask);
      const { code, details } = shaken.failure;
      const reason = code === 'tls.invalid' ? details?.reason : null;
      if (reason === 'untrusted' || reason === 'self_signed') this.#note(key);
      if (code !== 'http.protocol' || dialled.failure !== null) break;
    }
    // Not the operator's, or not in order: the browser shall say so itself.
    return { ...dialled, tried };
  };

  /**
   * What is wrong with a certificate that a browser did not take, in more words than it has; null: nothing, for us.
   * @param use where the bytes of looking are counted
   */
  async whyRefused(
    { host, port, signal, upstream }: Target,
    use: Pick<GatewayUse, 'adds'>,
  ): Promise<Failure | null> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);
    const dialled = await this.#connect({ host, port, signal: within, upstream });
    if (dialled.failure !== null) {
      if (dialled.wire !== undefined) use.adds(dialled.wire);
      return null;
    }
    const tools = { context: this.#all.for(true), sessions: this.#sessions, key: '' };
    const { socket } = dialled;
    const shaken = await handshake({ socket, host, alpn: [], verify: true, ...tools, signal: within });
    shaken.socket?.destroy();
    socket.destroy();
    use.adds(dialled.wire ?? socket);
    return shaken.failure?.code === 'tls.invalid' ? shaken.failure : null;
  }

  #isForeign(key: string): boolean {
    const until = this.#foreign.get(key);
    return until !== undefined && performance.now() < until;
  }

  #note(key: string): void {
    this.#foreign.delete(key);
    this.#foreign.set(key, performance.now() + FOREIGN_MS);
    if (this.#foreign.size > MOST_FOREIGN) this.#foreign.delete(this.#foreign.keys().next().value!);
  }
}
