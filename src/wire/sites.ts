import { type Static, Type } from 'typebox';
import { POOLED_TYPES, type PooledType } from '../domain/job.ts';
import { closed, orNull } from '../domain/json-schema.ts';
import { SCRAPER_NAMES, type ScraperName } from '../domain/scrapers.ts';
import { bodyParser } from './schema/body-parser.ts';

const Scraper = Type.Enum([...SCRAPER_NAMES]);
const ProxyType = Type.Enum([...POOLED_TYPES]);
const Share = Type.Number({ minimum: 0, maximum: 1 });

export const SiteStep = closed({ scraper: Scraper, proxy_type: ProxyType }, { title: 'SiteStep' });

export const SitePin = closed(
  { scraper: Scraper, proxy_type: Type.Optional(Type.Enum([...POOLED_TYPES], { default: 'datacenter' })) },
  {
    title: 'SitePin',
    description: 'The method that `auto` tries first on this site, if the request allows it.',
  },
);
export type SitePin = Static<typeof SitePin>;

export const Site = closed(
  {
    host: Type.String({ description: 'Host name, with the port unless it is the default port.' }),
    pinned: orNull(SiteStep, { description: 'Method pinned by an administrator. null: none.' }),
    pages: Type.Array(
      closed({
        pattern: Type.String({
          description: 'First two path segments. `*` replaces names of single items.',
        }),
        attempts: Type.Integer({
          minimum: 0,
          description: 'Attempts recorded, including old ones with little weight.',
        }),
        demands: Type.Array(closed({ name: Type.String(), words: Type.String(), probability: Share }), {
          description: 'Protections the site may use, most likely first.',
        }),
        ways: Type.Array(
          closed({
            scraper: Scraper,
            proxy_type: ProxyType,
            est_success: Share,
            est_cost: Type.Number({ description: 'Relative cost; a plain HTTP request is 1.' }),
            remembered: Type.Number({ description: 'Weighted number of attempts with this method.' }),
          }),
        ),
        next: orNull(SiteStep, {
          description: 'The method that `auto` would try first for a plain request without proxy settings.',
        }),
        reason: Type.String(),
      }),
      { maxItems: 64 },
    ),
  },
  { title: 'Site', description: 'What Sluice knows about a site.' },
);

interface StepDescription {
  readonly scraper: string;
  readonly proxyType: string;
}

/** The shape of what the router tells of a site. */
interface SiteDescription {
  readonly site: string;
  readonly pinned: StepDescription | null;
  readonly pages: readonly {
    readonly pattern: string;
    readonly attempts: number;
    readonly defenses: readonly { readonly name: string; readonly words: string; readonly p: number }[];
    readonly routes: readonly (StepDescription & {
      readonly success: number;
      readonly cost: number;
      readonly remembered: number;
    })[];
    readonly next: StepDescription | null;
    readonly reason: string;
  }[];
}

/** The answer of `GET /api/v1/sites/{host}/`. */
export function siteObject({ site, pinned, pages }: SiteDescription) {
  return {
    host: site,
    pinned: stepObject(pinned),
    pages: pages.map(({ pattern, attempts, defenses, routes, next, reason }) => ({
      pattern,
      attempts,
      demands: defenses.map(({ name, words, p }) => ({ name, words, probability: roundToThousandth(p) })),
      ways: routes.map((route) => ({
        ...stepObject(route),
        est_success: roundToThousandth(route.success),
        est_cost: roundToThousandth(route.cost),
        remembered: roundToThousandth(route.remembered),
      })),
      next: stepObject(next),
      reason,
    })),
  };
}

const stepObject = (step: StepDescription | null) =>
  step === null ? null : { scraper: step.scraper, proxy_type: step.proxyType };

const roundToThousandth = (value: number): number => Math.round(value * 1000) / 1000;

/** Body of `POST /api/v1/sites/{host}/pin/`. */
export const parseSitePin = bodyParser(SitePin, (body) => ({
  scraper: body.scraper as ScraperName,
  proxyType: (body.proxy_type ?? 'datacenter') as PooledType,
}));
