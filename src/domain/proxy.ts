import type { Credentials } from '../base/credentials.ts';

export const PROXY_PROTOCOLS = ['http', 'https', 'socks5', 'socks5h'] as const;
export type ProxyProtocol = (typeof PROXY_PROTOCOLS)[number];

/** A proxy server that connections go through. */
export interface Upstream {
  /** `socks5`: names are resolved here; all others resolve them by themselves. */
  readonly kind: ProxyProtocol;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly port: number;
  readonly credentials: Credentials | null;
  /** The address of the proxy itself must be permitted like a target's: a caller named it, not the operator. */
  readonly checkAddress: boolean;
  /** Patterns of hosts that are reached without it, see `bypassesProxy`. */
  readonly bypass: readonly string[];
}

/** Why a proxy failed: `details.reason` of `proxy.failed`. */
export type ProxyReason = 'auth' | 'refused' | 'dns' | 'timeout' | 'protocol' | 'exhausted';

/** `per_attempt`: another exit for each attempt; `per_request`: one for all; `on_block`: another after a block. */
type Rotate = 'per_attempt' | 'per_request' | 'on_block';

/** What a caller asks of the exit beside its type (contract §6). */
export interface ProxyOptions {
  /** A proxy of the caller's own; the type is then `custom`. Its `bypass` is that of the ask. */
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

/** Any exit of the type will do. */
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
