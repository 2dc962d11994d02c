import type { PooledType, ScraperName } from '../../domain/job.ts';
import { parser } from '../account/parse-account.ts';
import { SitePin } from './site-schema.ts';

interface ShownStep {
  readonly scraper: string;
  readonly proxyType: string;
}

/** The shape of what the router tells of a site. */
interface ShownSite {
  readonly site: string;
  readonly pinned: ShownStep | null;
  readonly pages: readonly {
    readonly pattern: string;
    readonly attempts: number;
    readonly demands: readonly { readonly name: string; readonly words: string; readonly p: number }[];
    readonly ways: readonly (ShownStep & {
      readonly success: number;
      readonly cost: number;
      readonly remembered: number;
    })[];
    readonly next: ShownStep | null;
    readonly reason: string;
  }[];
}

/** The answer of `GET /api/v1/sites/{host}/`. */
export function siteObject({ site, pinned, pages }: ShownSite) {
  return {
    host: site,
    pinned: stepObject(pinned),
    pages: pages.map(({ pattern, attempts, demands, ways, next, reason }) => ({
      pattern,
      attempts,
      demands: demands.map(({ name, words, p }) => ({ name, words, probability: round(p) })),
      ways: ways.map((way) => ({
        ...stepObject(way),
        est_success: round(way.success),
        est_cost: round(way.cost),
        remembered: round(way.remembered),
      })),
      next: stepObject(next),
      reason,
    })),
  };
}

const stepObject = (step: ShownStep | null) =>
  step === null ? null : { scraper: step.scraper, proxy_type: step.proxyType };

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Body of `POST /api/v1/sites/{host}/pin/`. */
export const parseSitePin = parser(SitePin, (body) => ({
  scraper: body.scraper as ScraperName,
  proxyType: (body.proxy_type ?? 'datacenter') as PooledType,
}));
