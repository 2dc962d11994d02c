import { BadRequest } from './bad-request.ts';
import { SITEMAP_MODES } from './crawl.ts';
import type { DialectCall } from './dialect-call.ts';
import { newDraft } from './draft.ts';
import {
  booleanAt,
  choiceAt,
  type Json,
  type Members,
  numberAt,
  objectAt,
  readMembers,
  refused,
  stored,
  supported,
  textAt,
} from './members.ts';
import { targetAt } from './scrape.ts';
import { CLIENT_MEMBERS, SCRAPE_OPTIONS } from './scrape-options.ts';
import { settle } from './settle.ts';

interface MapDraft {
  readonly map: Record<string, unknown>;
  readonly scrape: ReturnType<typeof newDraft>;
  ignoresQuery: boolean;
  limit: number;
  /** null: the order is that of our maps. */
  search: string | null;
}

const ofScrape = (name: 'location' | 'threatProtection') =>
  supported<MapDraft>('as of scrapes', (value, { scrape }, at) => {
    const row = SCRAPE_OPTIONS[name]!;
    if (row.kind === 'supported') row.read(value, scrape, at);
  });

/** The members of `POST /v2/map` besides `url`. */
export const MAP_MEMBERS: Members<MapDraft> = {
  search: stored('URLs in whose text or title more of these words stand come first', 'search', textAt),
  sitemap: supported('`include`, `only`, `skip`', (value, { map }, at) => {
    map.sitemap = SITEMAP_MODES[choiceAt(value, at, ['include', 'only', 'skip'])];
  }),
  includeSubdomains: supported('default `true`', (value, { map }, at) => {
    map.scope = booleanAt(value, at) ? 'domain' : 'host';
  }),
  ignoreQueryParameters: supported(
    'default `true`: URLs without their queries, each once',
    (value, draft, at) => {
      draft.ignoresQuery = booleanAt(value, at);
    },
  ),
  limit: supported('1 to 100,000; default 5,000', (value, draft, at) => {
    draft.limit = numberAt(value, at);
    if (!Number.isInteger(draft.limit) || draft.limit < 1 || draft.limit > MAX_URLS)
      throw new BadRequest(`${at} must be a whole number from 1 to ${MAX_URLS}.`);
  }),
  timeout: supported('1,000 to 300,000 ms', (value, { map }, at) => {
    map.timeout_ms = numberAt(value, at);
  }),
  ignoreRobotsTxt: supported('if the operator allows it', (value, { map }, at) => {
    if (booleanAt(value, at)) map.robots = 'ignore';
  }),
  ignoreCache: supported('there is no cache', (value, _, at) => {
    booleanAt(value, at);
  }),
  location: ofScrape('location'),
  threatProtection: ofScrape('threatProtection'),
  auditMetadata: refused('a map has no record.'),
  ...CLIENT_MEMBERS,
};

const MAX_URLS = 100_000;

interface MapAnswer {
  readonly items: readonly { readonly url: string; readonly title: string | null }[];
}

/** `POST /v2/map`. */
export async function map({ body, caller, deps }: DialectCall): Promise<Json> {
  const { url, ...options } = objectAt(body, 'The request');
  const draft: MapDraft = {
    map: { scope: 'domain' },
    scrape: newDraft(),
    ignoresQuery: true,
    limit: 5_000,
    search: null,
  };
  readMembers(MAP_MEMBERS, options, draft, '');
  await settle(draft.scrape, { caller, hasModel: deps.hasModel });
  const { headers, request } = draft.scrape;
  const answer = (await caller.post('/api/v1/maps/', {
    url: targetAt(url, 'url'),
    ...draft.map,
    // Several URLs may become one without their queries, and the best are chosen of all.
    limit: draft.ignoresQuery || draft.search !== null ? MAX_URLS : draft.limit,
    request: { ...request, ...(Object.keys(headers).length === 0 ? {} : { headers }) },
  })) as unknown as MapAnswer;
  return { success: true, links: linksOf(answer, draft) };
}

/** By the share of the words that stand in URL or title; of equal ones the order stays. */
function byLikeness(items: MapAnswer['items'], search: string): MapAnswer['items'] {
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const likeness = ({ url, title }: MapAnswer['items'][number]): number => {
    const text = `${decoded(url)} ${title ?? ''}`.toLowerCase();
    const parts = new Set(text.match(/[\p{L}\p{N}]+/gu));
    // A whole word counts more than a part of one.
    return words.reduce((sum, word) => sum + (parts.has(word) ? 2 : text.includes(word) ? 1 : 0), 0);
  };
  const rated = items.map((item) => ({ item, rank: likeness(item) }));
  return rated.sort((a, b) => b.rank - a.rank).map(({ item }) => item);
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    // Not UTF-8.
    return url;
  }
}

function linksOf({ items }: MapAnswer, { ignoresQuery, limit, search }: MapDraft): readonly Json[] {
  const links = new Map<string, Json>();
  for (const { url: found, title } of search === null ? items : byLikeness(items, search)) {
    const url = ignoresQuery ? found.replace(/\?[^#]*/, '') : found;
    if (!links.has(url)) links.set(url, { url, ...(title === null ? {} : { title }) });
    if (links.size === limit) break;
  }
  return [...links.values()];
}
