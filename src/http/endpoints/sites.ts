import { Type } from 'typebox';
import { readsAll } from '../../domain/account.ts';
import { closed, count, orNull } from '../../domain/json-schema.ts';
import { ANY_RECORD, type RecordPage } from '../../domain/record.ts';
import type { Step } from '../../domain/scrape.ts';
import type { ScraperName } from '../../domain/scrapers.ts';
import { POOLED_TYPES, type PooledType } from '../../domain/task.ts';
import type { SiteDirectory } from '../../pipeline/site-directory.ts';
import type { RecordStore } from '../../ports/store.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { ScraperSchema } from '../../wire/scraper-schema.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, Refusal } from '../core/refusal.ts';
import { json, nothing } from '../core/responses.ts';
import { HOST, siteOf } from '../operations/site-host.ts';

const Scraper = ScraperSchema;
const ProxyType = Type.Enum([...POOLED_TYPES]);
const Share = Type.Number({ minimum: 0, maximum: 1 });

const SiteStep = closed({ scraper: Scraper, proxy_type: ProxyType }, { title: 'SiteStep' });

const SitePin = closed(
  { scraper: Scraper, proxy_type: Type.Optional(Type.Enum([...POOLED_TYPES], { default: 'datacenter' })) },
  {
    title: 'SitePin',
    description: 'The method that `auto` tries first on this site, if the request allows it.',
  },
);

const Site = closed(
  {
    host: Type.String({ description: 'Host name, with the port unless it is the default port.' }),
    pinned: orNull(SiteStep, { description: 'Method pinned by an administrator. null: none.' }),
    pages: Type.Array(
      closed({
        pattern: Type.String({
          description: 'First two path segments. `*` replaces names of single items.',
        }),
        attempts: count('Attempts recorded, including old ones with little weight.'),
        demands: Type.Array(closed({ name: Type.String(), words: Type.String(), probability: Share }), {
          description: 'Protections the site may use, most likely first.',
        }),
        history: Type.Array(
          closed({
            since: Type.String({ format: 'date-time' }),
            name: Type.String(),
            words: Type.String(),
          }),
          {
            description:
              'The protection that this kind of page was believed to have (with a probability of at least 0.7), the newest first, at most 10.',
          },
        ),
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

type SiteView = NonNullable<ReturnType<SiteDirectory['describe']>>;

/** The body of `GET /api/v1/sites/{host}/`. */
function siteObject({ site, pinned, pages }: SiteView) {
  return {
    host: site,
    pinned: stepOrNull(pinned),
    pages: pages.map(({ pattern, attempts, defenses, history, routes, next, reason }) => ({
      pattern,
      attempts,
      demands: defenses.map(({ name, words, p }) => ({ name, words, probability: roundToThousandth(p) })),
      history: history.map(({ at, name, words }) => ({ since: formatDateTime(at * 1000), name, words })),
      ways: routes.map((route) => ({
        ...stepObject(route),
        est_success: roundToThousandth(route.success),
        est_cost: roundToThousandth(route.effort),
        remembered: roundToThousandth(route.remembered),
      })),
      next: stepOrNull(next),
      reason,
    })),
  };
}

/** The router has experience only with proxy types that have pools. */
const stepObject = ({ scraper, proxyType }: Step) => ({
  scraper,
  proxy_type: proxyType as PooledType,
});

const stepOrNull = (step: Step | null) => (step === null ? null : stepObject(step));

const roundToThousandth = (value: number): number => Math.round(value * 1000) / 1000;

/** How often `hasRecord` calls the store. Each call searches a limited number of records and may find nothing. */
const MAX_PAGES = 20;

/** For DELETE of a site of which only a pin is known: pins are not forgotten. */
const onlyPinnedRefusal = (): Refusal =>
  Refusal.of(
    'request.not_found',
    'Nothing has been learned about this host. To remove a pinned method, send DELETE to its pin/.',
  );

/** Unlike `notFoundRefusal`, does not say that the site is unknown. */
const notPinnedRefusal = (): Refusal => Refusal.of('request.not_found', 'No method is pinned for this host.');

/** Whether the user has a record of a scrape at the host. */
async function hasRecord(records: RecordStore, userId: string, site: string): Promise<boolean> {
  const host = new URL(`http://${site}/`).hostname;
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const limit = 1;
    const page: RecordPage = await records.list({ ...ANY_RECORD, userId, host }, limit, after);
    if (page.items.length > 0) return true;
    if (page.next === null) return false;
    after = page.next;
  }
  return false;
}

const PIN_BODY = jsonBody(SitePin, {
  examples: { browser: { scraper: 'browser' } },
  read: (body) => ({
    scraper: body.scraper as ScraperName,
    proxyType: (body.proxy_type ?? 'datacenter') as PooledType,
  }),
});

export const SITES = [
  endpoint({
    method: 'get',
    path: '/api/v1/sites/{host}/',
    operationId: 'getSite',
    summary: 'Get what is known about a site',
    description:
      'Results of past attempts, the protections they suggest, and the method that `auto` would try first. Users see the hosts of their own records; administrators see all.',
    access: 'scope:admin',
    params: HOST,
    responses: { 200: json('The site.', Site) },
    handler: async ({ params, principal: { role, userId } }, { sites, store: { records } }) => {
      const site = siteOf(params.host);
      const description = sites.describe(site);
      if (description === null || (!readsAll(role) && !(await hasRecord(records, userId, site))))
        throw notFoundRefusal('site');
      return siteObject(description);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/sites/{host}/',
    operationId: 'forgetSite',
    summary: 'Forget what is known about a site',
    description: 'Pinned methods are kept. For administrators.',
    access: 'role:admin',
    params: HOST,
    responses: { 204: nothing('Forgotten.') },
    audit: ({ host }) => ({ action: 'site.forgotten', target: { type: 'site', id: siteOf(host) } }),
    handler: async ({ params }, { sites }) => {
      const site = siteOf(params.host);
      if (!(await sites.forget(site)))
        throw sites.describe(site) === null ? notFoundRefusal('site') : onlyPinnedRefusal();
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/sites/{host}/pin/',
    operationId: 'pinSite',
    summary: 'Pin the method that `auto` tries first on a site',
    description:
      'Applies to requests that allow this method and set no `router.order`. If the method fails, `auto` tries others as usual. For administrators.',
    access: 'role:admin',
    params: HOST,
    body: PIN_BODY,
    responses: { 200: json('The site.', Site) },
    audit: ({ host }, { scraper, proxyType }) => ({
      action: 'site.pinned',
      target: { type: 'site', id: siteOf(host) },
      details: { scraper, proxy_type: proxyType },
    }),
    handler: async ({ params, body }, { sites }) => {
      const description = await sites.pin(siteOf(params.host), body);
      if (description === null)
        throw Refusal.of('request.validation', 'The limit of 10,000 pins is reached; remove others first.');
      return siteObject(description);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/sites/{host}/pin/',
    operationId: 'unpinSite',
    summary: 'Remove a pin',
    description: 'For administrators.',
    access: 'role:admin',
    params: HOST,
    responses: { 204: nothing('The pin is removed.') },
    audit: ({ host }) => ({ action: 'site.unpinned', target: { type: 'site', id: siteOf(host) } }),
    handler: async ({ params }, { sites }) => {
      if (!(await sites.unpin(siteOf(params.host)))) throw notPinnedRefusal();
    },
  }),
];
