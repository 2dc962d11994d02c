import type { Micro } from './micro.ts';
import type { PoolType } from './pools.ts';
import type { ExitPrice } from './prices.ts';

/** What has gone through an exit since the service started. */
export interface ExitCounts {
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
  readonly cost: Micro | null;
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
  readonly type: PoolType;
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
