import type { Clock } from '../../base/clock.ts';
import type { Deadline } from '../../base/deadline.ts';
import type { Failure } from '../../domain/failure.ts';
import type { FetchedPage } from '../../domain/fetched.ts';
import type { VerdictKind } from '../../domain/verdict.ts';
import { createPacing, type Visit } from './pacing.ts';
import { createSiteSlots } from './site-slots.ts';

/** What came of an attempt. */
interface Outcome {
  readonly verdict: VerdictKind;
  readonly fetched: Pick<FetchedPage, 'page'> | { readonly page: null } | null;
}

/** A turn at a site, or why there is none. */
export interface Stay {
  readonly failure: Failure | null;
  readonly waitedMs: number;
  /** For a pause that the site asked for. */
  readonly pausedMs: number;
  /** To be called when there is no failure, once, with what came of the turn; null: nothing that can be told. */
  leave(outcome: Outcome | null): void;
}

/** What we owe to sites: not to be more at once, and not to be faster, than they bear. */
export interface Manners {
  /** Sites that are paced now. */
  pacedSites(): number;
  /** Settles when the site may be asked, or with why not; a promise only when there is something to wait for. */
  enter(visit: Visit, deadline: Deadline): Stay | Promise<Stay>;
}

/** @param atOnce attempts at one host; null: as many as there are */
export function createManners(clock: Clock, atOnce: number | null): Manners {
  const pacing = createPacing(clock);
  const slots = atOnce === null ? null : createSiteSlots(atOnce);

  function stay(visit: Visit, host: string, waitedMs: number, pausedMs: number): Stay {
    const sentAt = clock.monotonic();
    return {
      failure: null,
      waitedMs,
      pausedMs,
      leave(outcome) {
        slots?.leave(host);
        if (outcome === null) return;
        pacing.note({ ...visit, sentAt, verdict: outcome.verdict, page: outcome.fetched?.page ?? null });
      },
    };
  }

  async function waitIn(
    visit: Visit,
    host: string,
    deadline: Deadline,
    slot: Promise<Failure | null> | null,
  ): Promise<Stay> {
    const began = clock.monotonic();
    const full = await slot;
    const entered = clock.monotonic();
    const waitedMs = entered - began;
    if (full !== null) return refusedStay(full, waitedMs, 0);
    const failure = await pacing.turn(visit, deadline);
    const pausedMs = clock.monotonic() - entered;
    if (failure === null) return stay(visit, host, waitedMs, pausedMs);
    slots?.leave(host);
    return refusedStay(failure, waitedMs, pausedMs);
  }

  return {
    pacedSites: () => pacing.size,
    enter(visit, deadline) {
      const host = slots === null ? '' : new URL(visit.url).host;
      const slot = slots?.enter(host, deadline) ?? null;
      if (slot === null && pacing.isFree(visit)) return stay(visit, host, 0, 0);
      return waitIn(visit, host, deadline, slot);
    },
  };
}

function refusedStay(failure: Failure, waitedMs: number, pausedMs: number): Stay {
  return { failure, waitedMs, pausedMs, leave: () => {} };
}
