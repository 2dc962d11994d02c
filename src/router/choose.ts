import type { Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { DEMANDS } from './demands.ts';
import { placeInOrder } from './exclusion.ts';
import type { Outlook } from './experience.ts';
import { type Bounds, leastSpend } from './least-spend.ts';
import { WAYS, wayOf } from './ways.ts';
import { WEIGHTS } from './weigh.ts';

export interface Chosen {
  readonly step: Step;
  /** Why this one, for people. */
  readonly because: string;
}

export const PINNED = 'pinned for this site by an administrator';

/** From here on a belief is told. */
const SURE = 0.6;
/** A kind of exit that the caller put behind another one is taken once that is thought to be worse than this. */
const HOPELESS = 0.3;

/** The step that promises a page for the least; `order` goes before. `tried`: what this request has been through. */
export function choose(
  job: Job,
  steps: readonly Step[],
  tried: readonly Step[],
  view: Outlook,
  left: Partial<Bounds> = {},
): Chosen | null {
  let ordered: Step | null = null;
  for (const step of steps)
    if (ordered === null || placeInOrder(job, step) < placeInOrder(job, ordered)) ordered = step;
  if (ordered === null) return null;
  if (placeInOrder(job, ordered) < job.router.order.length)
    return { step: ordered, because: 'next in the order of the request' };
  const open = steps.filter((step) => !heldBack(job, step, steps, tried, view));
  const ways = open.map(wayOf);
  const bounds: Bounds = {
    secondsLeft: Number.POSITIVE_INFINITY,
    mustTry: tried.length === 0,
    persists: persists(job, view),
    ...left,
  };
  const best = leastSpend(WAYS, ways, view, WEIGHTS[job.router.sort], bounds);
  if (best === null) return null;
  return {
    step: open[ways.indexOf(best.way)]!,
    because: steps.length === 1 ? 'the only method that fits the request' : words(view),
  };
}

/** So many attempts are three times all that a request makes by default. */
const KNOWN_AFTER = 9;

/** Whether so little was seen of this kind of page that ways are tried there however little hope there is. */
export const isNew = ({ seen }: Outlook): boolean => seen < KNOWN_AFTER;

/** Whether ways are tried although they do not seem worth it. Callers that say how often to try want it tried so often. */
const persists = ({ router }: Job, view: Outlook): boolean =>
  router.maxAttempts !== null || (router.sort !== 'cheapest' && isNew(view));

/** Contract §7: exits of `escalate_proxy` are taken in the order in which the caller gave them. */
function heldBack(
  job: Job,
  step: Step,
  steps: readonly Step[],
  tried: readonly Step[],
  view: Outlook,
): boolean {
  const others = job.router.escalateProxy.filter((type) => type !== job.proxyType);
  const at = others.indexOf(step.proxyType as 'residential');
  if (at < 1) return false;
  const before = others[at - 1]!;
  if (tried.some(({ proxyType }) => proxyType === before)) return false;
  return steps.some((one) => one.proxyType === before && view.success(wayOf(one)) >= HOPELESS);
}

/** What the target is taken for, in words. */
export function words({ belief, seen }: Outlook): string {
  let most = 0;
  for (let k = 1; k < belief.length; k++) if (belief[k]! > belief[most]!) most = k;
  if (seen === 0) return 'the site is not known yet; this method has the lowest expected cost';
  if (belief[most]! < SURE) return 'little is known about the site; this method has the lowest expected cost';
  return `the site ${DEMANDS[most]!.words}; this method has the lowest expected cost`;
}
