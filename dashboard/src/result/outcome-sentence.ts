import { formatDuration } from '../ui/format.ts';
import { OUTCOMES } from '../ui/outcome.tsx';
import type { ScrapeShape } from './scrape-shape.ts';

/** What happened, in plain words: `The target answered 404 after 1 redirect; http fetched it in 120 ms.` */
export function outcomeSentence(scrape: ScrapeShape): string {
  const { router, errors } = scrape;
  if (errors[0]?.code === 'request.cancelled') {
    return `The caller hung up${after(scrape)}; the scrape was stopped and nothing was delivered.`;
  }
  if (router.outcome === 'planned') return planned(scrape);
  if (router.outcome === 'failed') return failed(scrape);
  // Only the outcome and the duration were kept.
  if (scrape.status_code === null) return `${OUTCOMES[router.outcome].meaning} More was not kept.`;
  const fetched = `The target answered ${scrape.status_code}${redirects(scrape)}; ${by(scrape)}`;
  return `${fetched}${BUT[router.outcome]?.(scrape) ?? ''}.`;
}

const BUT: Readonly<Partial<Record<ScrapeShape['router']['outcome'], (scrape: ScrapeShape) => string>>> = {
  partial: ({ errors }) => `, but not all that was asked for came (${errors[0]?.code ?? 'see below'})`,
  unaccepted: () => ', but the page did not meet what the request accepts',
  blocked: ({ router }) =>
    `, but what came is ${WALLS[router.verdict?.kind ?? ''] ?? 'a block'} instead of the page`,
};

const WALLS: Readonly<Record<string, string>> = {
  challenge: 'a challenge',
  captcha: 'a captcha',
  wall: 'a wall',
};

function by(scrape: ScrapeShape): string {
  const took = duration(scrape);
  const who = scrape.router.scraper ?? 'Sluice';
  const times = scrape.router.attempts?.length ?? 1;
  const tries = times > 1 ? ` with ${times} attempts` : '';
  return took === null ? `${who} fetched it${tries}` : `${who} fetched it${tries} in ${took}`;
}

function redirects({ router }: ScrapeShape): string {
  const count = router.redirects?.length ?? 0;
  return count === 0 ? '' : ` after ${count} ${count === 1 ? 'redirect' : 'redirects'}`;
}

function after(scrape: ScrapeShape): string {
  const took = duration(scrape);
  return took === null ? '' : ` after ${took}`;
}

function duration({ router }: ScrapeShape): string | null {
  const total = router.timing?.total ?? null;
  return total === null ? null : total < 1 ? 'less than 1 ms' : formatDuration(total);
}

function planned({ router }: ScrapeShape): string {
  const first = router.candidates?.find(({ selected }) => selected);
  if (first === undefined) return 'A dry run: nothing was fetched.';
  return `A dry run: nothing was fetched. It would have begun with ${first.scraper} over ${first.proxy_type}.`;
}

function failed(scrape: ScrapeShape): string {
  const times = scrape.router.attempts?.length ?? 0;
  const [first] = scrape.errors;
  const why = first === undefined ? OUTCOMES.failed.meaning : first.message;
  if (times === 0) return `Nothing was fetched: ${decapitalised(why)}`;
  return `No page came${after(scrape)}${times > 1 ? ` and ${times} attempts` : ''}: ${decapitalised(why)}`;
}

/** As the second half of a sentence; names in capitals stay, and it ends with a full stop. */
function decapitalised(text: string): string {
  const begin = /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
  return /[.!?]$/.test(begin) ? begin : `${begin}.`;
}
