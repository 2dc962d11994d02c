import { CommandError, type RunCommand, WRONG_USAGE } from '../core/command.ts';
import { withApi } from '../core/connect.ts';
import { forTerminal, styled, tableText } from '../core/output.ts';
import { scrapeRequest } from './scrape.ts';

/** The answer of the API, as far as the command reads it. */
interface ComparisonView {
  readonly items: readonly {
    readonly way: string;
    readonly outcome: string;
    readonly scrape: {
      readonly id: string | null;
      readonly status_code: number | null;
      readonly verdict: string | null;
    } | null;
    readonly errors: readonly { readonly code: string; readonly message: string }[];
    readonly likeness: number | null;
    readonly duration_ms: number | null;
    readonly cost: number | null;
  }[];
  readonly best: string | null;
  readonly saved_per_1000: number | null;
  readonly cost_unit: string;
}

/** Scrapes a page in several ways, and prints them side by side. */
export const compare: RunCommand = async (call, io) => {
  const ways = call.values.get('ways');
  if (ways === undefined)
    throw new CommandError('--ways is missing, such as --ways http,browser', WRONG_USAGE);
  const body = { request: await scrapeRequest(call), ways: ways.split(',').map((way) => way.trim()) };
  return withApi(io, call, async (api, signal) => {
    const comparison = await api.call<ComparisonView>('POST', '/api/v1/compare/', { body, signal });
    if (call.flags.has('json') || !process.stdout.isTTY) io.out(JSON.stringify(comparison, null, 2));
    else io.out(comparisonText(comparison));
    return comparison.best === null ? 1 : 0;
  });
};

function comparisonText({ items, best, saved_per_1000: saved, cost_unit: unit }: ComparisonView): string {
  const rows = items.map(({ way, outcome, scrape, errors, likeness, duration_ms: ms, cost }) => [
    way === best ? `* ${way}` : `  ${way}`,
    outcome,
    likeness === null ? '' : `${Math.round(likeness * 100)} %`,
    ms === null ? '' : `${(ms / 1000).toFixed(1)} s`,
    cost === null ? '' : `${cost} ${unit}`,
    scrape?.id ?? '',
    errors[0]?.code ?? (scrape?.verdict === 'ok' ? '' : (scrape?.verdict ?? '')),
  ]);
  const end =
    best === null
      ? styled('red', 'no method got the whole page', process.stdout)
      : `best ${styled('green', forTerminal(best), process.stdout)}${saved ? `, which saves ${saved} ${unit} in 1,000 scrapes` : ''}`;
  const head = ['  WAY', 'OUTCOME', 'LIKENESS', 'TIME', 'COST', 'SCRAPE', 'WHY'];
  return `${tableText(head, rows)}${end}`;
}
