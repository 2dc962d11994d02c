import { type Static, Type } from 'typebox';
import { CRAWL_SCOPES, type CrawlSettings, SITEMAP_MODES } from '../../domain/crawl.ts';
import { type Failure, isFailure } from '../../domain/failure.ts';
import { closed, isObject, optional } from '../../domain/json-schema.ts';
import type { ExtractTemplates } from '../../domain/template.ts';
import { compileNameMatch, compileUrlMatch } from '../../domain/url-match.ts';
import { readTarget } from '../request/target-url.ts';
import { addProblem, type Problems } from '../schema/problems.ts';
import { type ItemRequest, readItemRequest } from './item-request.ts';
import { JOB_MEMBERS } from './job-members.ts';

const MAX_PATTERNS = 100;
const MAX_PATTERN_LENGTH = 510;
const MAX_START_URLS = 1_000;

const Url = Type.String({ minLength: 1, maxLength: 8_192 });

const patterns = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH }), {
      maxItems: MAX_PATTERNS,
      description,
    }),
  );

const PATTERN_SYNTAX =
  'Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL.';

/** Members that crawls and maps have in common. */
export const SCOPE_MEMBERS = {
  ...optional({
    scope: Type.Enum([...CRAWL_SCOPES], {
      default: 'host',
      description:
        'Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.',
    }),
    sitemap: Type.Enum([...SITEMAP_MODES], {
      default: 'include',
      description:
        'Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.',
    }),
  }),
  include: patterns(
    `Only URLs that match one of these are visited; start URLs always are. ${PATTERN_SYNTAX}`,
  ),
  exclude: patterns('URLs that match one of these are not visited; start URLs always are. As in `include`.'),
};

const RequestMembersBody = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' });

/** The members of a crawl, without those of its job. */
const CRAWL_MEMBERS = {
  ...optional({
    url: Url,
    urls: Type.Array(Url, {
      minItems: 1,
      maxItems: MAX_START_URLS,
      description: 'Several start URLs, instead of `url`.',
    }),
    limit: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 1_000,
      description: 'Pages that are visited at most. Skipped URLs do not count.',
    }),
    max_depth: Type.Integer({
      minimum: 0,
      maximum: 50,
      default: 10,
      description: 'Links between a start URL and a page, at most.',
    }),
  }),
  ...SCOPE_MEMBERS,
  ...optional({
    feeds: Type.Boolean({
      default: false,
      description: 'Also visits the feeds of pages, and what they list.',
    }),
    nofollow: Type.Enum(['ignore', 'respect'], {
      default: 'ignore',
      description:
        '`respect`: links with `rel=nofollow`, and all links of pages that ask for it, are not followed.',
    }),
    ignore_query: Type.Union(
      [
        Type.Literal(true),
        Type.Array(Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH }), {
          maxItems: MAX_PATTERNS,
        }),
      ],
      {
        description:
          'Parameters that do not change the page, by names (`*` is any text) or regular expressions between slashes; `true`: all. They are dropped, as known tracking parameters always are.',
      },
    ),
    max_urls_per_pattern: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      default: 10_000,
      description:
        'URLs of one form, such as `/item/#?page`, that are visited. Others are skipped with `skip.trap`.',
    }),
    delay_ms: Type.Integer({
      minimum: 0,
      maximum: 600_000,
      default: 0,
      description:
        'Pause between the starts of two requests to a host. A longer `Crawl-delay` of robots.txt counts, up to 60 s.',
    }),
    per_host: Type.Integer({
      minimum: 1,
      maximum: 64,
      default: 2,
      description:
        'Requests to one host at the same time. The operator may have set a lower limit for all jobs.',
    }),
    robots: Type.Enum(['respect', 'ignore'], {
      default: 'respect',
      description: '`ignore` needs the permission of the operator.',
    }),
    rules: Type.Array(
      closed({
        match: Type.String({ minLength: 1, maxLength: MAX_PATTERN_LENGTH }),
        request: RequestMembersBody,
      }),
      {
        maxItems: MAX_PATTERNS,
        description:
          'Members of the request for URLs that match, as in `include`. Of several rules, the last one counts.',
      },
    ),
    request: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description:
        'Members of the scrape request for every page, but not `url`. Other hosts than those of the start URLs do not get its cookies and secret headers.',
    }),
  }),
};

export const CrawlRequest = closed({ ...CRAWL_MEMBERS, ...JOB_MEMBERS }, { title: 'CrawlRequest' });

const { priority, concurrency, max_cost, retries } = JOB_MEMBERS;
/** The crawl of a monitor. The monitor itself has the name and the webhook, and says how long runs are kept. */
export const MonitorCrawl = closed(
  { ...CRAWL_MEMBERS, priority, concurrency, max_cost, retries },
  { title: 'MonitorCrawl' },
);
export type MonitorCrawl = Static<typeof MonitorCrawl>;
export type CrawlRequestBody = Static<typeof CrawlRequest>;

export interface ReadCrawl {
  /** Without canonical start URLs. */
  readonly settings: CrawlSettings;
  /** The request of the first start URL. */
  readonly first: ItemRequest;
  /** The same with the members of each rule. */
  readonly ruled: readonly ItemRequest[];
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * @param isSent see `readItemRequest`
 * @returns null: there are problems
 */
export function readCrawl(
  body: CrawlRequestBody,
  templates: ExtractTemplates,
  problems: Problems,
  isSent: boolean,
): ReadCrawl | null {
  const startUrls = readStartUrls(body, problems);
  const members = body.request ?? {};
  refuseMembers(members, '/request', problems);
  checkPatterns(body, problems);
  const ignoreQuery = body.ignore_query ?? [];
  if (ignoreQuery !== true) addIfFailure(compileNameMatch(ignoreQuery, '/ignore_query'), problems);
  if (problems.length > 0) return null;
  const [url] = startUrls;
  const options = { ofCrawl: true, isSent };
  const first = readItemRequest({ url }, members, templates, '/request', problems, options);
  if (first === null) return null;
  const ruled = (body.rules ?? []).flatMap(({ request }, index) => {
    const pointer = `/rules/${index}/request`;
    refuseMembers(request, pointer, problems);
    return readItemRequest({ ...request, url }, members, templates, pointer, problems, options) ?? [];
  });
  const settings: CrawlSettings = {
    startUrls,
    maxDepth: body.max_depth ?? 10,
    include: body.include ?? [],
    exclude: body.exclude ?? [],
    scope: body.scope ?? 'host',
    sitemap: body.sitemap ?? 'include',
    feeds: body.feeds ?? false,
    respectsNofollow: body.nofollow === 'respect',
    ignoreQuery,
    maxUrlsPerPattern: body.max_urls_per_pattern ?? 10_000,
    robots: body.robots ?? 'respect',
    rules: body.rules ?? [],
  };
  return problems.length > 0 ? null : { settings, first, ruled, members };
}

function readStartUrls({ url, urls }: CrawlRequestBody, problems: Problems): readonly string[] {
  if ((url === undefined) === (urls === undefined)) {
    addProblem(problems, '', 'must have either `url` or `urls`');
    return [];
  }
  const all = urls ?? [url!];
  return all.flatMap((text, index) => {
    const pointer = urls === undefined ? '/url' : `/urls/${index}`;
    const target = readTarget(text, undefined, pointer, problems);
    if (target !== null && target.authorization !== null)
      addProblem(problems, pointer, 'may have no user and password; use `request.headers`');
    return target === null ? [] : [target.href];
  });
}

/** What the crawl itself decides. */
function refuseMembers(
  members: Readonly<Record<string, unknown>>,
  pointer: string,
  problems: Problems,
): void {
  if (members.url !== undefined)
    addProblem(problems, `${pointer}/url`, 'is not allowed, because the crawl chooses the URLs');
  if (isObject(members.router) && members.router.robots !== undefined)
    addProblem(problems, `${pointer}/router/robots`, 'is not allowed; use `robots` of the crawl');
}

/** The patterns of a crawl or a map. */
export function checkPatterns(
  body: Pick<CrawlRequestBody, 'include' | 'exclude' | 'rules'>,
  problems: Problems,
): void {
  for (const name of ['include', 'exclude'] as const)
    for (const [index, pattern] of (body[name] ?? []).entries())
      addIfFailure(compileUrlMatch(pattern, `/${name}/${index}`), problems);
  for (const [index, { match }] of (body.rules ?? []).entries())
    addIfFailure(compileUrlMatch(match, `/rules/${index}/match`), problems);
}

function addIfFailure(compiled: unknown, problems: Problems): void {
  if (isFailure(compiled)) problems.push(compiled as Failure);
}
