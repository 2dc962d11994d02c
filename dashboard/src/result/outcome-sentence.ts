import { formatDuration } from '../ui/format.ts';
import { OUTCOMES } from '../ui/outcome.tsx';
import type { ScrapeShape } from './scrape-shape.ts';

/** What happened, in plain words: `OK: http got the page (200) in 120 ms.` */
export function outcomeSentence(scrape: ScrapeShape): string {
  const { router, errors } = scrape;
  if (errors[0]?.code === 'request.cancelled')
    return `The client disconnected${after(scrape)}. The scrape was stopped, and nothing was returned.`;
  if (router.outcome === 'planned') return planned(scrape);
  if (router.outcome === 'failed') return failed(scrape);
  // Only the outcome and the duration were kept.
  if (scrape.status_code === null) return `${OUTCOMES[router.outcome].meaning} More was not stored.`;
  const facts = [`status ${scrape.status_code}`, redirects(scrape), attempts(scrape), duration(scrape)];
  const who = router.scraper ?? 'Sluice';
  return `${(WORDS[router.outcome] ?? WORDS.ok!)(scrape, who)} (${facts.filter((one) => one !== null).join(', ')}).`;
}

/** The message that the sentence has in it. */
export function saidOf({ router, errors, status_code }: ScrapeShape): string | undefined {
  const told = router.outcome === 'failed' || (router.outcome === 'partial' && status_code !== null);
  return told && errors[0]?.code !== 'request.cancelled' ? errors[0]?.message : undefined;
}

const WORDS: Readonly<
  Partial<Record<ScrapeShape['router']['outcome'], (scrape: ScrapeShape, who: string) => string>>
> = {
  ok: (_, who) => `${who} got the page`,
  target_error: (_, who) => `The site returned an error page; ${who} fetched it`,
  partial: ({ errors }, who) =>
    `${who} got the page, but not everything requested: ${withoutStop(decapitalised(errors[0]?.message ?? 'see below'))}`,
  unaccepted: (_, who) => `${who} got a page, but it does not meet the accept conditions of the request`,
  blocked: (scrape) => `Blocked: the site sent ${blockText(scrape)} instead of the content`,
};

const BLOCKS: Readonly<Record<string, string>> = {
  challenge: 'a bot challenge',
  captcha: 'a captcha',
  block: 'an access-denied page',
  rate: 'a rate-limit page',
};
const WALLS: Readonly<Record<string, string>> = {
  login: 'a login page',
  geo: 'a notice that it is not available in this location',
  consent: 'a consent page',
};

function blockText({ router, errors }: ScrapeShape): string {
  const wall = errors.find(({ code }) => code === 'target.blocked')?.details?.wall;
  return WALLS[String(wall)] ?? BLOCKS[router.verdict?.kind ?? ''] ?? 'a block page';
}

function attempts({ router }: ScrapeShape): string | null {
  const times = router.attempts?.length ?? 1;
  return times > 1 ? `${times} attempts` : null;
}

function redirects({ router }: ScrapeShape): string | null {
  const count = router.redirects?.length ?? 0;
  return count === 0 ? null : `${count} ${count === 1 ? 'redirect' : 'redirects'}`;
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
  return `A dry run: nothing was fetched. It would start with ${first.scraper} · ${first.proxy_type}.`;
}

function failed(scrape: ScrapeShape): string {
  const times = scrape.router.attempts?.length ?? 0;
  const [first] = scrape.errors;
  const why = first === undefined ? OUTCOMES.failed.meaning : first.message;
  if (times === 0) return `Nothing was fetched: ${decapitalised(why)}`;
  return `No page${after(scrape)}${times > 1 ? ` and ${times} attempts` : ''}: ${decapitalised(why)}`;
}

const withoutStop = (text: string): string => text.replace(/[.!?]$/, '');

/** As the second half of a sentence; names in capitals stay, and it ends with a full stop. */
function decapitalised(text: string): string {
  const begin = /^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;
  return /[.!?]$/.test(begin) ? begin : `${begin}.`;
}
