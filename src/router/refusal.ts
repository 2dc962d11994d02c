import { type Failure, failure } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import { inCurrency } from '../domain/micro.ts';
import type { Candidate } from '../domain/scrape.ts';
import { IDENTITY, type RouteFacts } from './exclusion.ts';
import { unsupportedMember } from './unsupported.ts';

/** `excluded_by` of what the ceiling excludes. */
const CEILING: ReadonlySet<string | null> = new Set(['no_price', 'no_bound', 'max_cost']);

/** Why nothing can do the job: the specific code before the general (contract §7). */
export function refusal(
  job: Job,
  facts: RouteFacts,
  candidates: readonly Candidate[],
  proxyRefusal: Failure | null,
): Failure {
  if (job.scraper !== 'auto') {
    const reason = facts.unavailable(job.scraper);
    if (reason !== null)
      return failure('scraper.unavailable', `The scraper "${job.scraper}" is not available: ${reason}.`, {
        pointer: '/scraper',
      });
    const pointer = unsupportedMember(job, job.scraper);
    if (pointer !== null)
      return failure(
        'scraper.unsupported_option',
        `The scraper "${job.scraper}" does not support ${pointer}. Leave it out, or choose a scraper that does.`,
        { pointer },
      );
  }
  if (proxyRefusal !== null) return proxyRefusal;
  for (const { scraper, excludedBy } of candidates) {
    const refused = facts.refusal?.(scraper, job) ?? null;
    if (refused !== null && refused.code === excludedBy) return refused;
  }
  const { maxCost } = job.router;
  if (maxCost !== null && candidates.some(({ excludedBy }) => CEILING.has(excludedBy)))
    return failure('route.cost_cap', costCap(inCurrency(maxCost), candidates), {
      pointer: '/router/max_cost',
    });
  const whyNot = ({ scraper, excludedBy }: Candidate) => {
    if (excludedBy === 'unavailable') return facts.unavailable(scraper);
    return excludedBy === IDENTITY ? '`SLUICE_AUTO_IDENTITY=honest` excludes it' : excludedBy;
  };
  const why = candidates.map((c) => `${c.scraper}/${c.proxyType}: ${whyNot(c)}`).join('; ');
  return failure('route.none', `No scraper can do this request (${why}).`);
}

function costCap(ceiling: number, candidates: readonly Candidate[]): string {
  const of = (reason: string) => candidates.filter(({ excludedBy }) => excludedBy === reason).length;
  const why = [
    of('max_cost') > 0 ? `${of('max_cost')} cost more` : '',
    of('no_price') > 0 ? `${of('no_price')} have no price` : '',
    of('no_bound') > 0 ? `${of('no_bound')} are paid by the byte and may cost more` : '',
  ];
  return `No method stays within \`max_cost\` ${ceiling}: ${why.filter((text) => text !== '').join(', ')}.`;
}
