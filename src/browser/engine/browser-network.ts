import type { Failure } from '../../domain/failure.ts';
import type { GatewaySession } from '../../egress/gateway/gateway.ts';
import type { GuardCredentials } from '../../egress/gateway/guard.ts';

/** The proxy of a browser context; the gateway of this machine needs no credentials. */
export interface BrowserProxy extends Partial<GuardCredentials> {
  readonly server: string;
}

/** How the pages of a lease reach the network. */
export interface BrowserNetwork {
  /** It sees nothing of a remote browser that uses its own network. */
  readonly gateway: GatewaySession;
  /** null: none, for a remote browser that uses its own network. */
  readonly proxy: BrowserProxy | null;
  /** Why a request may not be sent, for a browser whose connections the gateway does not check; null: it checks them. */
  readonly judgeUrl: ((url: URL) => Failure | null) | null;
}
