import type { Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { CAPABILITIES } from './capabilities.ts';
import { PINNED } from './choose.ts';
import type { Plan } from './plan.ts';

/**
 * The plan when the cookies of a passed check are at hand: it begins with the HTTP client that looks most like the browser
 * which passed it. The word of the caller or of an administrator goes before.
 */
export function passFirst(plan: Plan, job: Job): Plan {
  if (plan.named || job.router.order.length > 0 || plan.first?.because === PINNED) return plan;
  let begin: Step | null = null;
  for (const step of plan.steps) {
    const { engine, fingerprint } = CAPABILITIES[step.scraper];
    if (engine !== 'http' || step.proxyType !== job.proxyType) continue;
    if (begin === null || fingerprint > CAPABILITIES[begin.scraper].fingerprint) begin = step;
  }
  if (begin === null) return plan;
  const { scraper, proxyType } = begin;
  return {
    ...plan,
    first: { step: begin, because: 'the session has cookies of a passed bot check' },
    steps: [begin, ...plan.steps.filter((step) => step !== begin)],
    candidates: plan.candidates.map((one) => ({
      ...one,
      selected: one.scraper === scraper && one.proxyType === proxyType,
    })),
  };
}
