import type { Credentials } from '../base/credentials.ts';
import type { ExitPrice } from './prices.ts';
import type { UpstreamKind } from './upstream.ts';

export const POOL_TYPES = ['datacenter', 'residential', 'mobile'] as const;
export type PoolType = (typeof POOL_TYPES)[number];

/** A proxy server of the operator's. */
export interface PoolServer {
  readonly kind: UpstreamKind;
  readonly host: string;
  readonly port: number;
  readonly credentials: Credentials | null;
}

/** One proxy of a list, and where its exit is, as far as the operator says. */
export interface PoolProxy {
  readonly server: PoolServer;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
}

/** What a provider's template is filled in with. */
export interface TemplateValues {
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  readonly session: string;
}

/** A provider's gate: the exit is chosen by what stands in the user name. */
export interface PoolTemplate {
  readonly takes: ReadonlySet<'country' | 'region' | 'city' | 'session'>;
  server(values: TemplateValues): PoolServer;
}

/** A set of exits of one type, as the operator's file has it. Either `proxies` or `template`. */
export interface Pool {
  readonly name: string;
  readonly type: PoolType;
  readonly proxies: readonly PoolProxy[];
  readonly template: PoolTemplate | null;
  /** Of a template; empty: the operator does not say. */
  readonly countries: readonly string[];
  /** null: no price is configured. */
  readonly price: ExitPrice | null;
  /** Attempts at once through one proxy; null: no limit. */
  readonly concurrency: number | null;
}

export interface Pools {
  readonly pools: readonly Pool[];
  /** Whether a caller may ask for no proxy at all. */
  readonly allowNone: boolean;
}

export const NO_POOLS: Pools = Object.freeze({ pools: [], allowNone: false });
