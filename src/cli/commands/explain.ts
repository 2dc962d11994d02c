import { isObject } from '../../domain/json-schema.ts';
import type { RunCommand } from '../core/command.ts';
import { forTerminal, styled, tableText } from '../core/output.ts';
import { scrapeRequest, scrapeThen } from './scrape.ts';

/** The answer to a dry run, as far as the command reads it. */
interface PlanView {
  readonly router: {
    readonly candidates: readonly CandidateView[];
    readonly cost_unit: string | null;
    readonly explanation: string;
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  };
}

interface CandidateView {
  readonly scraper: string;
  readonly proxy_type: string;
  readonly est_cost: number | null;
  readonly est_success: number | null;
  readonly selected: boolean;
  readonly excluded_by: string | null;
}

/** Prints the ways to scrape a page, without fetching anything. */
export const explain: RunCommand = async (call, io) => {
  const { router, ...request } = await scrapeRequest(call);
  // Its short form, a text, means `sort`. An invalid value is sent as it is, to be refused.
  const asked = typeof router === 'string' ? { sort: router } : (router ?? {});
  const body = { ...request, router: isObject(asked) ? { ...asked, dry_run: true } : asked };
  return scrapeThen(call, io, body, async ({ json }) => {
    const plan = JSON.parse(json) as PlanView;
    if (call.flags.has('json') || !process.stdout.isTTY) io.out(json.trimEnd());
    else io.out(planText(String(request.url), plan));
    return plan.router.candidates.some(({ selected }) => selected) ? 0 : 1;
  });
};

function planText(url: string, { router }: PlanView): string {
  const { candidates, cost_unit: unit, explanation, warnings } = router;
  const first = candidates.find(({ selected }) => selected);
  const head =
    first === undefined
      ? styled('red', 'no method', process.stdout)
      : `first ${styled('green', first.scraper, process.stdout)}, ${first.proxy_type} proxy`;
  const rows = candidates.map((one) => [
    one.scraper,
    one.proxy_type,
    one.est_cost === null ? '' : `${one.est_cost}${unit === null ? '' : ` ${unit}`}`,
    one.est_success === null ? '' : `${Math.round(one.est_success * 100)} %`,
    one.selected ? 'first' : (one.excluded_by ?? ''),
  ]);
  return [
    `${forTerminal(url)}: ${head}`,
    forTerminal(explanation),
    tableText(['SCRAPER', 'PROXY', 'COST', 'SUCCESS', 'WHY'], rows).trimEnd(),
    ...warnings.map(
      ({ code, message }) => `${styled('yellow', 'warning', process.stdout)}  ${code}: ${message}`,
    ),
  ].join('\n');
}
