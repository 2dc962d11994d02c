import { type Static, Type } from 'typebox';
import { closed, optional, orNull } from '../../domain/json-schema.ts';
import type { ExtractTemplates } from '../../domain/template.ts';
import { addProblem, type Problems } from '../schema/problems.ts';
import { type ReadCrawl, readCrawl, SCOPE_MEMBERS } from './crawl-request.ts';

export const MapRequestBody = closed(
  {
    url: Type.String({ minLength: 1, maxLength: 8_192 }),
    ...optional({
      search: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Only URLs that contain all of these words, in the URL or the title.',
      }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 100_000,
        default: 5_000,
        description: 'URLs that are returned at most.',
      }),
    }),
    ...SCOPE_MEMBERS,
    ...optional({
      robots: Type.Enum(['respect', 'ignore'], {
        default: 'respect',
        description:
          'Whether URLs that robots.txt forbids are dropped. `ignore` needs the permission of the operator.',
      }),
      timeout_ms: Type.Integer({
        minimum: 1_000,
        maximum: 300_000,
        default: 60_000,
        description: 'What was found by then is returned.',
      }),
      request: Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description:
          'Members of the scrape request for the page, such as `scraper` and `proxy`; not `url` and `timeout_ms`.',
      }),
    }),
  },
  { title: 'MapRequest' },
);
export type MapRequestMembers = Static<typeof MapRequestBody>;

const Count = Type.Integer({ minimum: 0 });
const Status = orNull(Type.Integer(), { description: 'Status of the response; null: there was none.' });
const MapError = orNull(closed({ code: Type.String(), message: Type.String() }, { title: 'MapError' }));

export const MapResult = closed(
  {
    items: Type.Array(
      closed({
        url: Type.String(),
        source: Type.Enum(['sitemap', 'page', 'feed', 'record'], {
          description: '`record`: an earlier scrape of yours.',
        }),
        title: orNull(Type.String()),
        last_modified: orNull(Type.String()),
      }),
    ),
    page: orNull(closed({ url: Type.String(), status: Status, error: MapError }), {
      description: 'The page whose links were read; null with `sitemap: only`.',
    }),
    sitemaps: Type.Array(closed({ url: Type.String(), status: Status, urls: Count, error: MapError }), {
      description: 'The sitemaps in the order in which they were read.',
    }),
    dropped: Type.Unsafe<Readonly<Record<string, number>>>({
      type: 'object',
      additionalProperties: Count,
      description: 'How many URLs are not in `items`, by reason.',
    }),
    truncated: Type.Boolean({ description: 'There are more URLs than `limit`.' }),
  },
  { title: 'MapResult' },
);

/** A map as a crawl that visits one page. @returns null: there are problems */
export function readMap(
  body: MapRequestMembers,
  templates: ExtractTemplates,
  problems: Problems,
): ReadCrawl | null {
  const { search: _search, limit: _limit, timeout_ms: timeoutMs = 60_000, request = {}, ...scope } = body;
  for (const name of ['timeout_ms', 'data', 'scraper_options'])
    if (request[name] !== undefined)
      addProblem(problems, `/request/${name}`, 'is not allowed, because a map only reads links');
  const members = { ...request, timeout_ms: timeoutMs };
  return readCrawl({ ...scope, request: members }, templates, problems, false);
}
