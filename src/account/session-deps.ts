import type { Clock } from '../base/clock.ts';
import type { AccountStore } from '../ports/store.ts';
import type { AuditEvent } from './audit.ts';
import type { Directory } from './directory.ts';
import type { Passwords } from './password.ts';
import type { SeenTracker } from './seen.ts';
import type { Throttle } from './throttle.ts';
import type { Turns } from './turns.ts';

/** What everything about sessions works with. */
export interface SessionDeps {
  readonly store: AccountStore;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly seen: SeenTracker;
  readonly passwords: Passwords;
  readonly onAudit: (event: AuditEvent) => void;
}

/** What stands between passwords and those who guess. */
export interface Door {
  readonly throttle: Throttle;
  readonly turns: Turns;
}
