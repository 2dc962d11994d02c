import type { Schema } from '../../api/client.ts';

type Candidate = Schema<'Candidate'>;

interface Range {
  readonly low: number;
  /** null: not known. */
  readonly high: number | null;
}

interface CrawlEstimate {
  /** In `cost_unit`, for all pages; null: not known. */
  readonly cost: Range | null;
  /** ms, for all pages; null: not known. */
  readonly time: Range | null;
}

/** Requests to one host at the same time, the default of crawls. */
const PER_HOST = 2;

interface CrawlSize {
  readonly pages: number;
  /** Pause between the starts of two requests to the host, ms. */
  readonly delayMs: number;
}

/**
 * What a crawl of so many pages of one host may cost and take: at least what the first way is expected to, and at most what all ways
 * one after the other are.
 * @param candidates of a dry run for the start URL
 */
export function estimateOf(candidates: readonly Candidate[], { pages, delayMs }: CrawlSize): CrawlEstimate {
  const ways = candidates.filter(({ excluded_by }) => excluded_by === null);
  const first = ways.find(({ selected }) => selected) ?? ways[0];
  if (first === undefined) return { cost: null, time: null };
  const rangeOf = (
    facts: (way: Candidate) => number | null,
    total: (each: number) => number,
  ): Range | null => {
    const low = facts(first);
    if (low === null) return null;
    const all = ways.map(facts);
    const sum = all.every((value) => value !== null) ? all.reduce((a, b) => a + b, 0) : null;
    return { low: total(low), high: sum === null ? null : total(sum) };
  };
  return {
    cost: rangeOf(
      ({ est_cost }) => est_cost,
      (each) => each * pages,
    ),
    time: rangeOf(
      ({ est_ms }) => est_ms,
      (each) => Math.max(each / PER_HOST, delayMs) * pages,
    ),
  };
}
