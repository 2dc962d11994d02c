import type { Failure, Warning } from '../domain/failure.ts';
import type { ProxyType } from '../domain/job.ts';

/** The exit that one attempt goes out through. */
export interface Lease {
  /** As reported: `router.proxy_type`. */
  readonly proxyType: ProxyType;
  readonly country: string | null;
  /** Distinguishes connection pools: sockets are only reused within one exit. */
  readonly exit: string;
  readonly warnings: readonly Warning[];
  /** Gives the exit back; idempotent. */
  release(): void;
}

/** Where exits come from. `lease` never throws; what is not to be had is a Failure. */
export interface Proxies {
  /** Whether this proxy type can be served at all; asked while planning. null: yes. */
  refusal(type: ProxyType): Failure | null;
  lease(type: ProxyType): Lease | Failure;
}
