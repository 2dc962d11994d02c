import type { Credentials } from '../base/credentials.ts';

export const UPSTREAM_KINDS = ['http', 'https', 'socks5', 'socks5h'] as const;
export type UpstreamKind = (typeof UPSTREAM_KINDS)[number];

/** A proxy server that connections go through. */
export interface Upstream {
  /** `socks5`: names are resolved here; all others resolve them by themselves. */
  readonly kind: UpstreamKind;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly port: number;
  readonly credentials: Credentials | null;
  /** Named by a caller: its own address is judged as a target's is. The operator's may be anywhere. */
  readonly judged: boolean;
  /** Patterns of hosts that are reached without it, see `bypasses`. */
  readonly bypass: readonly string[];
}

/** Why a proxy failed: `details.reason` of `proxy.failed`. */
export type ProxyReason = 'auth' | 'refused' | 'dns' | 'timeout' | 'protocol' | 'exhausted';
