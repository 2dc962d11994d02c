import type { Egress } from '../../../egress/egress.ts';
import type { GatewayUse } from '../../../egress/gateway/gateway.ts';
import type { PageReader } from '../../../ports/page-reader.ts';
import type { FetchOrder } from '../../../ports/scraper.ts';
import type { ActionRun } from './actions/action-run.ts';
import type { Refusals } from './blocked.ts';
import type { Extras } from './extras.ts';
import type { Lane } from './launch/lane.ts';
import type { PhaseClock } from './phase-clock.ts';
import type { BrowserLease } from './supervisor/supervisor.ts';
import type { OperatorTrust } from './trust/operator-trust.ts';
import type { Visit } from './visit/visit.ts';
import type { Waited } from './waits.ts';

/** Where a scrape works, and with what. */
export interface Place {
  readonly lease: BrowserLease<Lane>;
  readonly proxyServer: string;
  readonly use: GatewayUse;
  readonly refusals: Refusals;
  readonly reader: PageReader;
  readonly trust: OperatorTrust;
  readonly judge: Egress['judge'];
  readonly clock: PhaseClock;
  /** The page disturbs others, and may until its end, or did. @param why in words, for the log */
  readonly onMisconduct: (why: string, when: 'now' | 'before') => void;
}

/** One scrape, as far as it has come. */
export interface Run {
  readonly order: FetchOrder;
  readonly place: Place;
  /** Ends everything: deadline, share, caller, crash. */
  readonly signal: AbortSignal;
  readonly stop: AbortController;
  visit: Visit | null;
  waited: Waited | null;
  actions: ActionRun | null;
  extras: Extras | null;
  /** The page is there, and nothing has been asked of it yet. */
  ready?: () => void;
  /** The share of the attempt counts no more. */
  headCame?: () => void;
}
