import type { ExitPrice } from '../domain/cost.ts';
import type { Failure, Warning } from '../domain/failure.ts';
import type { ProxyType } from '../domain/job.ts';
import type { PoolsFileState, ProxiesState } from '../domain/pools.ts';
import type { ProxyOptions, Upstream } from '../domain/proxy.ts';
import type { VerdictKind } from '../domain/verdict.ts';

/** What came of an attempt, for the health of its exit. */
export interface ExitReport {
  /** null: there is a page. */
  readonly failure: Failure | null;
  readonly verdict: VerdictKind;
  readonly bytesOut: number;
  readonly bytesIn: number;
}

/** The exit that one attempt goes out through. */
export interface Lease {
  /** As reported: `router.proxy_type`. */
  readonly proxyType: ProxyType;
  readonly country: string | null;
  /** Distinguishes connection pools: sockets are only reused within one exit. Holds no secret. */
  readonly exit: string;
  /** The proxy server that leads there; null: directly. */
  readonly upstream: Upstream | null;
  /** null: no price is configured. Of the own connection of this host, the operator's prices tell. */
  readonly price: ExitPrice | null;
  readonly warnings: readonly Warning[];
  /** Tells what came of it; at most once, before `release`. */
  report(of: ExitReport): void;
  /** Gives the exit back; idempotent. */
  release(): void;
}

/** An exit that an earlier attempt of the same request went out through. */
export interface UsedExit {
  readonly exit: string;
  /** The target did not let it in. */
  readonly blocked: boolean;
}

export interface LeaseRequest {
  /** Of the step: under `escalate_proxy` it is not that of the ask. */
  readonly type: ProxyType;
  readonly proxy: ProxyOptions;
  /** Sessions belong to a user. */
  readonly userId: string;
  /** Of the attempts before, in their order. */
  readonly used: readonly UsedExit[];
  /** While all exits that fit are at their limit the lease waits, until this aborts. */
  readonly signal: AbortSignal;
}

/** Where exits come from. `lease` never throws or rejects; what is not to be had is a Failure. */
export interface Proxies {
  /** Whether this can be served at all; asked while planning. null: yes. */
  refusal(type: ProxyType, proxy: ProxyOptions): Failure | null;
  /**
   * What an exit may take: the dearest of those that a lease could give. null: one of them has no price; `direct`: it is the
   * own connection of this host.
   */
  price(type: ProxyType, proxy: ProxyOptions): ExitPrice | 'direct' | null;
  lease(ask: LeaseRequest): Lease | Failure | Promise<Lease | Failure>;
}

/** What the operator sees of the pools. */
export interface ProxyPools {
  state(): ProxiesState;
  /** null: there is no file. */
  file(): PoolsFileState | null;
  /** Reads the file anew now. */
  reload(): void;
}

/** What the operator has written cannot be used: said in one text, which needs no stack. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
