import type { BrowsersAtWork } from '../../../../domain/browsers-at-work.ts';
import { isOld } from '../binary/build-age.ts';
import type { KeptBrowser } from './kept-browser.ts';
import type { Slots } from './slots.ts';
import { ownBytes } from './wear.ts';

/** What operators see of the browsers. */
export interface SupervisorState extends BrowsersAtWork {
  readonly sandbox: boolean;
  /** One that runs does without shared memory. */
  readonly smallShm: boolean;
  /** Days since the oldest headless browser that runs was built, when that is too long ago; else null. */
  readonly outdatedDays: number | null;
}

export interface StateParts {
  readonly slots: Slots;
  readonly kept: readonly KeptBrowser[];
  readonly sandbox: boolean;
  readonly leases: number;
  readonly refused: number;
}

export function stateOf({ slots, kept, sandbox, leases, refused }: StateParts): SupervisorState {
  const now = performance.now();
  const ages = kept.flatMap(({ headless, running }) =>
    headless ? running.map(({ launched }) => launched.found.ageDays) : [],
  );
  return {
    sandbox,
    outdatedDays: ages.filter(isOld).reduce((a, b) => (a === null || b! > a ? b : a), null),
    smallShm: kept.some(({ running }) => running.some(({ launched }) => launched.smallShm)),
    slots: { total: slots.total, busy: slots.busy, waiting: slots.waiting },
    leases,
    refused,
    kinds: kept.map((kind) => ({
      type: kind.type,
      headless: kind.headless,
      lane: kind.lane,
      apart: kind.apart,
      starting: kind.starting,
      trouble: kind.trouble?.message ?? null,
      launches: kind.launches,
      crashes: kind.crashes,
      recycles: kind.recycles,
      replaced: kind.replaced,
      browsers: kind.running.map(({ launched, startedAt, leases, served, retired }) => ({
        version: launched.found.version,
        pid: launched.pid,
        ageMs: Math.round(now - startedAt),
        pages: leases,
        served,
        retired,
        memory: ownBytes(launched.pid),
      })),
    })),
  };
}
