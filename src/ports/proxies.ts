import type { ExitPrice } from '../domain/cost.ts';
import type { Failure, Warning } from '../domain/failure.ts';
import type { ProxiesState, SettingsFileState } from '../domain/pools.ts';
import type { ProxyOptions, Upstream } from '../domain/proxy.ts';
import type { ProxyType } from '../domain/task.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import type { SettingEntry } from './settings.ts';

/** The result of an attempt, for the health of its exit. */
export interface ExitReport {
  /** null: a page was received. */
  readonly failure: Failure | null;
  readonly verdict: VerdictKind;
  readonly bytesOut: number;
  readonly bytesIn: number;
}

/** The exit that one attempt uses. */
export interface Lease {
  /** Reported as `router.proxy_type`. */
  readonly proxyType: ProxyType;
  readonly country: string | null;
  /** Identifies the exit: connections are only reused within one exit. Contains no secret. */
  readonly exit: string;
  /** The proxy server; null: the connection is direct. */
  readonly upstream: Upstream | null;
  /** null: no price is configured for this pool, or the connection is direct (its price is in the configuration). */
  readonly price: ExitPrice | null;
  readonly warnings: readonly Warning[];
  /** Reports the result of the attempt. Called at most once, before `release`. */
  report(result: ExitReport): void;
  /** Returns the exit. A second call does nothing. */
  release(): void;
}

/** An exit that an earlier attempt of the same request used. */
export interface UsedExit {
  /** `Lease.exit` of that attempt. */
  readonly exit: string;
  /** The target blocked it. */
  readonly blocked: boolean;
}

export interface LeaseRequest {
  /** The proxy type of the step. With `escalate_proxy` it may differ from that in the request. */
  readonly type: ProxyType;
  readonly proxy: ProxyOptions;
  /** Sticky sessions belong to a user. */
  readonly userId: string;
  /** Exits of the earlier attempts, in their order. */
  readonly used: readonly UsedExit[];
  /** Ends the wait while all suitable exits are at their limit. */
  readonly signal: AbortSignal;
}

/** Provides exits. */
export interface Proxies {
  /** Why no configured exit fits these options; null if one does, even if it is busy or failing now. Used for planning. */
  refusal(type: ProxyType, proxy: ProxyOptions): Failure | null;
  /** The highest price of all exits that fit. null: one of them has no price; `direct`: the connection of this host is used. */
  price(type: ProxyType, proxy: ProxyOptions): ExitPrice | 'direct' | null;
  /** The warnings of a request of the type `datacenter` that uses the connection of this host. */
  directWarnings(): readonly Warning[];
  /** Takes an exit; waits while all that fit are at their limit. Never throws or rejects. */
  lease(request: LeaseRequest): Lease | Failure | Promise<Lease | Failure>;
}

/** An exit of a pool that is to be tested. */
export interface TestExit {
  /** Scheme, host and port; never credentials. */
  readonly server: string;
  readonly country: string | null;
  /** Takes the exit, even if it is paused or at its limit. Its report counts like that of any attempt. */
  readonly lease: () => Lease;
}

/** The state of the pools, for the operator. */
export interface ProxyPools {
  state(): ProxiesState;
  /** null: there is no file. */
  file(): SettingsFileState | null;
  /** Reads the file again. */
  reload(): void;
  /** The pools of the file; or if there is none, the stored ones. */
  entries(): readonly SettingEntry[];
  /**
   * The exits of a pool, at most `limit`: the proxies of a list, or the countries of a template. null: no pool of this name is in
   * use.
   */
  testExits(pool: string, limit: number): readonly TestExit[] | null;
}

/** The settings of the operator are invalid. The message names all problems; it is shown without a stack. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
