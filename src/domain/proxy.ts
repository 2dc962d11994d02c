import type { Credentials } from '../base/credentials.ts';

export const PROXY_PROTOCOLS = ['http', 'https', 'socks5', 'socks5h'] as const;
export type ProxyProtocol = (typeof PROXY_PROTOCOLS)[number];

/** A proxy server, and how connections use it. */
export interface Upstream {
  /** `socks5`: Sluice resolves host names. All others: the proxy resolves them. */
  readonly kind: ProxyProtocol;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly port: number;
  readonly credentials: Credentials | null;
  /** The address policy applies to the proxy too, because a caller named it and not the operator. */
  readonly checkAddress: boolean;
  /** Patterns of hosts that are reached without this proxy, see `bypassesProxy`. */
  readonly bypass: readonly string[];
}

/** Why a proxy failed: `details.reason` of `proxy.failed`. */
export type ProxyReason = 'auth' | 'refused' | 'dns' | 'timeout' | 'protocol' | 'exhausted';

/** `per_attempt`: another exit for each attempt; `per_request`: one for all; `on_block`: another after a block. */
type Rotate = 'per_attempt' | 'per_request' | 'on_block';

/** The options of `proxy`, except its type (contract §6). */
export interface ProxyOptions {
  /** The caller's own proxy, for the type `custom`. Its `bypass` is the same as below. */
  readonly server: Upstream | null;
  /** Patterns of hosts that are reached without a proxy. */
  readonly bypass: readonly string[];
  readonly pool: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  readonly session: string | null;
  readonly sessionTtlMs: number;
  readonly rotate: Rotate;
}

export const DEFAULT_PROXY_OPTIONS: ProxyOptions = Object.freeze({
  server: null,
  bypass: [],
  pool: null,
  country: null,
  region: null,
  city: null,
  session: null,
  sessionTtlMs: 600_000,
  rotate: 'per_attempt',
});
