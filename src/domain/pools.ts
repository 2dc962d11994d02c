import type { Credentials } from '../base/credentials.ts';
import type { MicroUnits } from '../base/numbers.ts';
import type { ExitPrice } from './cost.ts';
import type { ProxyProtocol } from './proxy.ts';
import type { PooledType } from './task.ts';

/** A proxy server of the operator. */
export interface PoolServer {
  readonly kind: ProxyProtocol;
  readonly host: string;
  readonly port: number;
  readonly credentials: Credentials | null;
}

/** A proxy of a list, and the location of its exit; null: the operator does not state it. */
export interface PoolProxy {
  readonly server: PoolServer;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
}

/** Values for the placeholders of a template. */
export interface TemplateValues {
  readonly country: string | null;
  readonly region: string | null;
  readonly city: string | null;
  readonly session: string;
}

/** A proxy URL with placeholders, usually in the user name, by which a provider chooses the exit. */
export interface PoolTemplate {
  /** The placeholders in the URL. */
  readonly placeholders: ReadonlySet<'country' | 'region' | 'city' | 'session'>;
  server(values: TemplateValues): PoolServer;
}

/** A set of exits of one type, from the operator's pools file. It has either `proxies` or `template`. */
export interface Pool {
  readonly name: string;
  readonly type: PooledType;
  readonly proxies: readonly PoolProxy[];
  readonly template: PoolTemplate | null;
  /** Countries that the template can choose; empty: the operator does not state them. */
  readonly countries: readonly string[];
  /** null: no price is configured. */
  readonly price: ExitPrice | null;
  /** Limit of concurrent attempts through one proxy; null: none. */
  readonly concurrency: number | null;
}

export interface Pools {
  readonly pools: readonly Pool[];
  /** Whether callers may set the proxy type `none`. */
  readonly allowNone: boolean;
}

export const NO_POOLS: Pools = Object.freeze({ pools: [], allowNone: false });

/** Use of an exit since the service started. */
interface ExitCounts {
  readonly attempts: number;
  /** Attempts that got a page. */
  readonly ok: number;
  /** Attempts that failed because of the exit. */
  readonly failed: number;
  /** Attempts that the target blocked. */
  readonly blocked: number;
  readonly bytesOut: number;
  readonly bytesIn: number;
  /** null: no price is configured. */
  readonly cost: MicroUnits | null;
}

/** `paused`: not used for a while after failures. `trial`: after that, one attempt at a time tests the exit. */
export type ExitHealth = 'healthy' | 'paused' | 'trial';

export interface ExitState extends ExitCounts {
  /** Scheme, host and port; never credentials. */
  readonly server: string;
  readonly country: string | null;
  readonly health: ExitHealth;
  readonly inFlight: number;
  /** ms until it may be used again; null: it may be used now. */
  readonly retryInMs: number | null;
  /** `details.reason` of its last failure. */
  readonly lastFailure: string | null;
  /** Failures since its last success. */
  readonly consecutiveFailures: number;
  /** When the first of them was, ms since the epoch; null: there are none. */
  readonly failingSince: number | null;
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
  /** Proxy sessions that have not expired. */
  readonly sessions: number;
}

/** State of a file of the operator: of pools, or of vendors. */
export interface SettingsFileState {
  readonly path: string;
  /** When the version in use was read: ms since the epoch. */
  readonly loadedAt: number;
  /** What is wrong with a newer version, which is therefore not used; null: nothing. */
  readonly problems: readonly string[] | null;
}
