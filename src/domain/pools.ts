import type { Credentials } from '../base/credentials.ts';
import type { MicroUnits } from '../base/numbers.ts';
import type { ExitPrice } from './cost.ts';
import type { PooledType } from './job.ts';
import type { ProxyProtocol } from './proxy.ts';

/** A proxy server of the operator's. */
export interface PoolServer {
  readonly kind: ProxyProtocol;
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
  readonly type: PooledType;
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

/** What has gone through an exit since the service started. */
interface ExitCounts {
  readonly attempts: number;
  /** A page came. */
  readonly ok: number;
  /** The exit was at fault. */
  readonly failed: number;
  /** The target did not let the exit in. */
  readonly blocked: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
  /** null: there is no price. */
  readonly cost: MicroUnits | null;
}

/** `probing`: its pause is over, and one attempt finds out. */
export type ExitHealth = 'healthy' | 'cooling' | 'probing';

export interface ExitState extends ExitCounts {
  /** Scheme, host and port; never credentials. */
  readonly server: string;
  readonly country: string | null;
  readonly health: ExitHealth;
  readonly inFlight: number;
  /** ms until it may be tried again; null: now. */
  readonly retryInMs: number | null;
  /** `details.reason` of its last failure. */
  readonly lastFailure: string | null;
}

export interface PoolState {
  readonly name: string;
  readonly type: PooledType;
  readonly isTemplate: boolean;
  readonly countries: readonly string[];
  readonly price: ExitPrice | null;
  readonly concurrency: number | null;
  readonly exits: readonly ExitState[];
}

export interface ProxiesState {
  readonly pools: readonly PoolState[];
  readonly allowNone: boolean;
  readonly allowDirect: boolean;
  /** Scrapes that wait for an exit. */
  readonly waiting: number;
  /** Leased by sessions that live. */
  readonly sessions: number;
}

/** How it stands with the operator's file. */
export interface PoolsFileState {
  readonly path: string;
  /** ms since the epoch: of the file that counts. */
  readonly loadedAt: number;
  /** What is wrong with a newer one, which does not count; null: nothing. */
  readonly problems: readonly string[] | null;
}
