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
/** With fewer pages, or a smaller part of the cost to be saved, there is no advice: it would rest on chance. */
const MIN_PAGES = 20;
const MIN_SAVED_SHARE = 0.05;
/** If a smaller share of scrapes was successful, the site refuses them, and a cheaper way to be refused saves nothing. */
const MIN_OK_SHARE = 0.5;

interface Candidate {
  readonly step: Step;
  readonly success: number;
  /** How that is known, in words: the rest of a sentence. */
  readonly proof: string;
  /** Of an attempt. */
  readonly price: MicroUnits;
  /** What it got itself, and what that has cost with failed attempts; null: that counts no more than as many other pages would. */
  readonly own: { readonly pages: number; readonly cost: MicroUnits } | null;
  readonly saving: MicroUnits;
}

/** The pages that are compared, and what they have cost. */
interface Paid {
  readonly pages: number;
  readonly spent: MicroUnits;
  /** The route with the highest cost. */
  readonly main: SpendingStep;
  /** Whether there are attempts without a known cost. */
  readonly isPart: boolean;
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
  if (request.okShare < MIN_OK_SHARE) return unknown(refusedReason(request, attempts));
  if (pages < MIN_PAGES)
    return unknown(`Only ${count(Math.round(pages))} pages were got, too few to compare methods by them.`);
  const needed = Math.min(WORKS, request.okShare);
  const known = candidates(request, paid, spent, pages);
  const fitting = known.filter(({ success }) => success >= needed).sort((a, b) => b.saving - a.saving);
  const best = fitting[0];
  const main = paid.reduce((most, route) => (route.cost > most.cost ? route : most));
  if (best !== undefined && best.saving >= MIN_SAVED_SHARE * spent) {
    const isPart = attempts.some(({ unpriced }) => unpriced > 0);
    return saved(best, { pages: Math.round(pages), spent, main, isPart }, currency);
  }
  if (known.every(({ step }) => isSameRoute(step, main)))
    return unknown(
      'No other method was tried at this site lately, so it is not known whether a cheaper one works.',
    );
  const cheaper = known.filter(({ success, saving }) => success < needed && saving > 0);
  return { value: 0, step: null, reason: noneReason(cheaper, needed) };
}

const isSameRoute = (step: Step, route: RouteSpending): boolean =>
  step.scraper === route.scraper && step.proxyType === route.proxyType;

/** Advice for a site that refuses most scrapes: the method that gets pages, not the cheapest. */
function refusedReason({ recent }: SavingRequest, attempts: readonly SpendingStep[]): string {
  const share = ({ ok, attempts: all }: RouteSpending) => ok / all;
  const working = [...recent.filter(isAttempts), ...attempts]
    .filter(({ ok }) => ok > 0)
    .reduce<SpendingStep | null>(
      (best, route) => (best === null || share(route) > share(best) ? route : best),
      null,
    );
  const best =
    working === null
      ? 'No method got a page'
      : `${nameOf(working)} got the page in ${count(working.ok)} of ${count(working.attempts)} attempts, more than the others`;
  return `Most scrapes of this site failed, so cheaper ones would save nothing. ${best}: compare the methods at a page, or configure another proxy.`;
}

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
    const ownCost = own?.cost ?? 0;
    const isDearer = ownCost > ownPages * perPage;
    const saving = Math.round(spent - Math.max(ownCost, ownPages * perPage) - (pages - ownPages) * perPage);
    return [
      {
        ...{ step, ...known, price: each, saving },
        own: isDearer ? { pages: Math.round(ownPages), cost: ownCost } : null,
      },
    ];
  });
}

/** The router learns nothing about a site from these failures, so its figure may be better than the share of OK. */
const ASIDE = 'failures of proxies and refused connections aside';

/** P(page) as learned, or by the attempts of the last months (rule of succession); null: too little is known. */
function knownSuccess(
  learned: LearnedRoute | null,
  recent: RouteSpending | undefined,
): Pick<Candidate, 'success' | 'proof'> | null {
  const counts = recent !== undefined && recent.attempts >= MIN_ATTEMPTS;
  if (counts && recent.ok === 0) return null;
  if (learned !== null && learned.remembered >= MIN_REMEMBERED) {
    const { success } = learned;
    return { success, proof: `today Sluice expects that ${percent(success)} of 100 get the page, ${ASIDE}` };
  }
  if (!counts) return null;
  const { ok, attempts } = recent;
  const success = (ok + 1) / (attempts + 2);
  const proof = `${count(ok)} of its ${count(attempts)} attempts of this month and last month got the page`;
  return { success, proof: `${proof}, which counts as ${percent(success)} of 100` };
}

/** Rounded down, so that what is below the limit does not look equal to it. */
const percent = (share: number): number => Math.floor(share * 100 + 1e-9);

const count = (value: number): string => value.toLocaleString('en-US');

/** Why no method is advised. @param cheaper those that do not work well enough */
function noneReason(cheaper: readonly Candidate[], needed: number): string {
  const none = 'No cheaper method is known to work as well at this site.';
  if (cheaper.length === 0) return none;
  const { step, proof } = cheaper.reduce((most, one) => (one.success > most.success ? one : most));
  return `${none} The best of the cheaper ones is ${nameOf(step)}: ${proof}; at least ${Math.ceil(needed * 100 - 1e-9)} of 100 are needed to count as equal.`;
}

/** The parts of the sum are named, so that a reader can follow it. */
function saved(
  { step, proof, price, own, saving }: Candidate,
  { pages, spent, main, isPart }: Paid,
  currency: string,
): SiteSaving {
  const money = (value: MicroUnits) => `${Number(microToCurrency(value).toPrecision(3))} ${currency}`;
  const most = isSameRoute(step, main) ? '' : `, of which ${money(main.cost)} went to ${nameOf(main)}`;
  const result = `${nameOf(step)} alone would have got the ${count(pages)} pages of the last twelve months${isPart ? ' whose cost is known' : ''} for about ${money(spent - saving)} instead of ${money(spent)}${most}`;
  const each = `an attempt costs ${money(price)}, and ${proof}`;
  if (own === null) return { value: saving, step, reason: `${result}: ${each}.` };
  const included = `This includes ${money(own.cost)} for the ${count(own.pages)} pages that it got itself, failed attempts included.`;
  const others = pages - own.pages;
  const rest = others === 0 ? '' : ` For the other ${count(others)} pages, ${each}.`;
  return { value: saving, step, reason: `${result}. ${included}${rest}` };
}

const nameOf = ({ scraper, proxyType }: Step): string =>
  proxyType === 'datacenter' || proxyType === 'none' ? scraper : `${scraper} with a ${proxyType} proxy`;
