import type { Upstream } from './upstream.ts';

/** `per_attempt`: another exit for each attempt; `per_request`: one for all; `on_block`: another after a block. */
export type Rotate = 'per_attempt' | 'per_request' | 'on_block';

/** What a caller asks of the exit beside its type (contract §6). */
export interface ProxyAsk {
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
export const ANY_EXIT: ProxyAsk = Object.freeze({
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
