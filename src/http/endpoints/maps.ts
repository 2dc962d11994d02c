import type { FastifyRequest } from 'fastify';
import { type Principal, payerOf } from '../../domain/account.ts';
import type { Failure } from '../../domain/failure.ts';
import { domainRefusal } from '../../domain/url-check.ts';
import { Frontier } from '../../jobs/crawl/frontier.ts';
import { mapSite, type SiteMap } from '../../jobs/crawl/map-site.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import { MapRequestBody, type MapRequestMembers, MapResult, readMap } from '../../wire/jobs/map-request.ts';
import { MAX_PROBLEMS } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';
import { json, problem } from '../core/responses.ts';

async function map(
  deps: EndpointDeps,
  body: MapRequestMembers,
  principal: Principal,
  request: FastifyRequest,
): Promise<SiteMap> {
  const problems: Failure[] = [];
  const read = readMap(body, {}, problems);
  if (read === null) throw new Refusal(problems.slice(0, MAX_PROBLEMS));
  const { settings, first } = read;
  refuseIf(domainRefusal(principal, new URL(first.task.url)));
  const task = { ...first.task, router: { ...first.task.router, robots: settings.robots } };
  const frontier = new Frontier(settings, task.method);
  await deps.pipeline.discover(task);
  const payer = payerOf(principal, task.host);
  refuseIf(await deps.accounts.reserveBudget(payer));
  const planned = deps.pipeline.plan(task);
  if (planned.plan === null) {
    deps.accounts.releaseBudget(payer);
    throw new Refusal([withPrefix(planned.failure, '/request')], { candidates: planned.candidates });
  }
  request.cancel ??= new AbortController();
  const { cancel } = request;
  deps.inFlight.add(cancel);
  try {
    const { records } = deps.store;
    const words = (body.search ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const limit = body.limit ?? 5_000;
    const { plan } = planned;
    const site = await mapSite(
      { ...deps, records },
      { task, plan, frontier, principal, words, limit, cancel, requestId: request.id },
    );
    deps.accounts.spend(principal, site.page?.cost ?? 0);
    return site;
  } finally {
    deps.inFlight.delete(cancel);
  }
}

const errorOf = (cause: Failure | null | undefined) =>
  cause === null || cause === undefined ? null : { code: cause.code, message: cause.message };

const resultJson = ({ items, page, sitemaps, dropped, truncated }: SiteMap) => ({
  items: items.map(({ lastModified, ...item }) => ({ ...item, last_modified: lastModified })),
  page:
    page === null
      ? null
      : {
          url: page.delivered?.page.finalUrl ?? page.task.url,
          status: page.delivered?.page.statusCode ?? null,
          error: errorOf(page.errors[0]),
        },
  sitemaps: sitemaps.map(({ url, statusCode, links, failure }) => ({
    url,
    status: statusCode,
    urls: links.length,
    error: errorOf(failure),
  })),
  dropped,
  truncated,
});

export const MAPS = [
  endpoint({
    method: 'post',
    path: '/api/v1/maps/',
    operationId: 'createMap',
    summary: 'List the URLs of a site',
    description:
      'Reads the sitemaps of the site, the links of one page, and your earlier scrapes of the host. Counts one scrape, and has no record. The status is 200 whatever was found; `page` and `sitemaps` say what could not be read.',
    access: 'scope:scrape',
    needsPermit: true,
    body: jsonBody(MapRequestBody, {
      examples: {
        site: { url: 'https://example.com/' },
        search: { url: 'https://example.com/', search: 'blog', limit: 100 },
      },
    }),
    responses: {
      200: json('What was found.', MapResult),
      402: problem('The daily budget of the key is used up: `budget.exhausted`.'),
      422: problem('No scraper and proxy can do this request; `candidates` says why.'),
    },
    handler: async ({ body, principal, request }, deps) => {
      const work = map(deps, body, principal, request);
      // The permit is held until the work has settled, even if the caller disconnects.
      request.work = work;
      return resultJson(await work);
    },
  }),
];
