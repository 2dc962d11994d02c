import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import type { Step } from '../domain/scrape.ts';
import { isAttempts, type RouteSpending, type SpendingStep } from '../domain/site-stats.ts';
import type { LearnedRoute } from './learned-routes.ts';

/** What the cheapest route that works as well would have saved in the last twelve months. */
export interface SiteSaving {
  /** null: not known. */
  readonly value: MicroUnits | null;
  /** The cheaper route; null: there is none, or it is not known. */
  readonly step: Step | null;
  /** A sentence for people. */
  readonly reason: string;
}

interface SavingRequest {
  /** By route, of the time for which the saving is asked. */
  readonly spending: readonly RouteSpending[];
  /** The share of scrapes that were successful in that time, from 0 to 1. */
  readonly okShare: number;
  /** Of the last months, as far as they tell what works now. */
  readonly recent: readonly RouteSpending[];
  /** Steps that can be taken now. */
  readonly steps: readonly Step[];
  readonly learned: (step: Step) => LearnedRoute | null;
  /** The price of an attempt where it was not paid yet; null: it is not known, or depends on the traffic. */
  readonly price: (step: Step) => MicroUnits | null;
  /** null: no prices are configured. */
  readonly currency: string | null;
}

/** A route that gets a page in this share of attempts works, even if all scrapes were successful. */
const WORKS = 0.95;
/** Attempts after which what is remembered of a route counts as known. */
const MIN_REMEMBERED = 1;
/** Attempts of the last months after which their share of pages counts as known. */
const MIN_ATTEMPTS = 3;

interface Candidate {
  readonly step: Step;
  readonly success: number;
  /** How that is known, in words: the rest of a sentence. */
  readonly proof: string;
  /** Of an attempt. */
  readonly price: MicroUnits;
  readonly saving: MicroUnits;
}

const unknown = (reason: string): SiteSaving => ({ value: null, step: null, reason });

/**
 * Compares what the pages of a site have cost with what they would have cost by each route of which it is known that it works
 * at least as well. The pages that a route itself has got would not have cost less than they did, even if it works better today.
 * Attempts without a known cost are left out.
 */
export function siteSaving(request: SavingRequest): SiteSaving {
  const { currency } = request;
  if (currency === null) return unknown('No prices are configured.');
  const attempts = request.spending.filter(isAttempts);
  const paid = attempts.filter((route) => route.attempts > route.unpriced);
  if (attempts.length === 0) return unknown('There were no attempts.');
  if (paid.length === 0) return unknown('The cost of no attempt is known.');
  const spent = paid.reduce((sum, { cost }) => sum + cost, 0);
  const pages = paid.reduce((sum, route) => sum + pricedPages(route), 0);
  if (spent === 0) return { value: 0, step: null, reason: 'The attempts were free.' };
  if (Math.round(pages) === 0) return unknown('No attempt got a page.');
  const needed = Math.min(WORKS, request.okShare);
  const known = candidates(request, paid, spent, pages);
  const fitting = known.filter(({ success }) => success >= needed).sort((a, b) => b.saving - a.saving);
  const best = fitting[0];
  if (best !== undefined && best.saving > 0) return saved(best, Math.round(pages), spent, currency);
  const main = paid.reduce((most, route) => (route.cost > most.cost ? route : most));
  if (known.every(({ step }) => isSameRoute(step, main)))
    return unknown(
      'No other method was tried at this site lately, so it is not known whether a cheaper one works.',
    );
  return { value: 0, step: null, reason: 'No cheaper method is known to work as well at this site.' };
}

const isSameRoute = (step: Step, route: RouteSpending): boolean =>
  step.scraper === route.scraper && step.proxyType === route.proxyType;

/** The pages of those attempts whose cost is known, if these are as successful as the others. */
const pricedPages = ({ attempts, unpriced, ok }: RouteSpending): number =>
  (ok * (attempts - unpriced)) / attempts;

/** The routes of which both price and success are known. */
function candidates(
  { steps, recent, learned, price }: SavingRequest,
  paid: readonly SpendingStep[],
  spent: MicroUnits,
  pages: number,
): readonly Candidate[] {
  const of = (routes: readonly RouteSpending[], step: Step) =>
    routes.find((route) => isSameRoute(step, route));
  return steps.flatMap((step) => {
    const own = of(paid, step);
    const each = own === undefined ? price(step) : own.cost / (own.attempts - own.unpriced);
    const known = knownSuccess(learned(step), of(recent, step));
    if (each === null || known === null || known.success === 0) return [];
    const perPage = each / known.success;
    const ownPages = own === undefined ? 0 : pricedPages(own);
    const ownCost = Math.max(own?.cost ?? 0, ownPages * perPage);
    const saving = Math.round(spent - ownCost - (pages - ownPages) * perPage);
    return [{ step, ...known, price: each, saving }];
  });
}

/** P(page) as learned, or by the attempts of the last months (rule of succession); null: too little is known. */
function knownSuccess(
  learned: LearnedRoute | null,
  recent: RouteSpending | undefined,
): Pick<Candidate, 'success' | 'proof'> | null {
  if (learned !== null && learned.remembered >= MIN_REMEMBERED) {
    const { success } = learned;
    return { success, proof: `today Sluice expects that ${Math.round(success * 100)} of 100 get the page` };
  }
  if (recent === undefined || recent.attempts < MIN_ATTEMPTS) return null;
  const { ok, attempts } = recent;
  return {
    success: (ok + 1) / (attempts + 2),
    proof: `${count(ok)} of its ${count(attempts)} attempts of this month and last month got the page`,
  };
}

const count = (value: number): string => value.toLocaleString('en-US');

function saved(
  { step, proof, price, saving }: Candidate,
  pages: number,
  spent: MicroUnits,
  currency: string,
): SiteSaving {
  const money = (value: MicroUnits) => `${Number(microToCurrency(value).toPrecision(3))} ${currency}`;
  const reason = `${nameOf(step)} alone would have got the ${count(pages)} pages of the last twelve months for about ${money(spent - saving)} instead of ${money(spent)}: an attempt costs ${money(price)}, and ${proof}.`;
  return { value: saving, step, reason };
}

const nameOf = ({ scraper, proxyType }: Step): string =>
  proxyType === 'datacenter' || proxyType === 'none' ? scraper : `${scraper} with a ${proxyType} proxy`;
