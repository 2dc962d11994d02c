import { type Static, Type } from 'typebox';
import { microToCurrency } from '../base/numbers.ts';
import type { Failure } from '../domain/failure.ts';
import { amountOrNull, closed, isObject, orNull, textOrNull } from '../domain/json-schema.ts';
import { OUTCOMES, type Scrape } from '../domain/scrape.ts';
import { SCRAPER_NAMES, type ScraperName, scraperNamed } from '../domain/scrapers.ts';
import { POOLED_TYPES, type ProxyType, type Task } from '../domain/task.ts';
import type { ExtractTemplate } from '../domain/template.ts';
import { VERDICT_KINDS } from '../domain/verdict.ts';
import { errorEntries, toldOrNull, warningEntry } from './answer/answer-json.ts';
import { ErrorEntry, WarningEntry } from './answer/answer-schema.ts';
import { explanationOf } from './answer/explanation.ts';
import type { Written } from './answer/json-members.ts';
import { withPrefix } from './jobs/item-request.ts';
import { parseTask } from './request/parse-task.ts';
import { isRequested } from './schema/json-value.ts';
import { addProblem, type Problems, quote } from './schema/problems.ts';
import { ScraperSchema } from './scraper-schema.ts';

/** Types of proxy that a way may name. A proxy of the caller is in the request. */
const WAY_TYPES = [...POOLED_TYPES, 'none'] as const;

export const CompareRequest = closed(
  {
    request: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description:
        'A scrape request, without what the methods decide: `scraper`, and of `router` the members `order`, `only`, `ignore`, `allow_fallbacks` and `escalate_proxy`. If a method names a type of proxy, `proxy` may only be an object without `type`, `server`, `username` and `password`. `router.dry_run`, `webhook`, `channels`, `notify_on` and `compare_to` are refused.',
    }),
    ways: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 2,
      maxItems: 8,
      description:
        'The methods to compare: `scraper` or `scraper/proxy_type`, such as `http`, `auto`, `vendor:name` or `browser/residential`. A method without a type of proxy uses `request.proxy`.',
    }),
  },
  { title: 'CompareRequest' },
);

const ComparedScrape = closed(
  {
    id: orNull(Type.String({ format: 'uuid' }), {
      description: 'Id of the record, which has the whole result. null: it could not be stored.',
    }),
    status_code: orNull(Type.Integer(), { description: "Status of the target's response." }),
    final_url: orNull(Type.String()),
    scraper: orNull(ScraperSchema, { description: 'That delivered the page, or was tried last.' }),
    proxy_type: orNull(Type.String()),
    verdict: orNull(Type.Enum([...VERDICT_KINDS])),
    content_bytes: orNull(Type.Integer({ minimum: 0 })),
    attempts: Type.Integer({ minimum: 0 }),
    warnings: Type.Array(WarningEntry),
    explanation: Type.String({ description: 'As `router.explanation`.' }),
  },
  { title: 'ComparedScrape' },
);

export const ComparisonSchema = closed(
  {
    items: Type.Array(
      closed(
        {
          way: Type.String({ description: 'As in the request.' }),
          outcome: Type.Enum([...OUTCOMES]),
          scrape: orNull(ComparedScrape, {
            description: 'null: the method was refused before it began a scrape; `errors` says why.',
          }),
          errors: Type.Array(ErrorEntry, {
            description: 'Those of the scrape, or of its refusal. Pointers are those of a scrape request.',
          }),
          likeness: orNull(Type.Number({ minimum: 0, maximum: 1 }), {
            description:
              'How alike its main content is to that of the best method: of all runs of three words in them, the share that is in both. Contents that are not text: 1 if all bytes are the same, otherwise 0. null: one of them has no content, or there is no best method.',
          }),
          duration_ms: orNull(Type.Integer({ minimum: 0 }), { description: 'Of the scrape.' }),
          cost: amountOrNull('In `cost_unit`. null: it is not known, or there was no scrape.'),
        },
        { title: 'ComparisonItem' },
      ),
      { description: 'In the order of `ways`.' },
    ),
    best: textOrNull(
      'The method to use: of those that got the whole page, the cheapest, then the fastest. null: none did.',
    ),
    saved_per_1000: amountOrNull(
      'What 1,000 scrapes by the best method cost less than by the most expensive method that got the whole page. null: the costs are not known.',
    ),
    cost_unit: Type.String({
      description: 'Currency set by the operator, or `effort` if no prices are configured.',
    }),
  },
  { title: 'Comparison' },
);

export interface ComparedWay {
  /** As the caller wrote it. */
  readonly name: string;
  readonly scraper: ScraperName | 'auto';
  /** null: that of the request. */
  readonly proxyType: ProxyType | null;
}

export interface ReadComparison {
  readonly request: Readonly<Record<string, unknown>>;
  readonly ways: readonly ComparedWay[];
}

export function readComparison(
  { request, ways: names }: Static<typeof CompareRequest>,
  problems: Problems,
): ReadComparison {
  const ways = names.flatMap((name, index) => readWay(name, `/ways/${index}`, problems));
  if (ways.length < names.length) return { request, ways };
  // The default of `proxy`. If a way names a type, the request has none.
  const routes = ways.map(({ scraper, proxyType }) => `${scraper}/${proxyType ?? 'datacenter'}`);
  for (const [index, route] of routes.entries())
    if (routes.indexOf(route) < index)
      addProblem(problems, `/ways/${index}`, `is the same method as \`/ways/${routes.indexOf(route)}\``);
  refuseMembers(request, ways, problems);
  return { request, ways };
}

function readWay(name: string, pointer: string, problems: Problems): ComparedWay | [] {
  const [scraperName, typeName, ...rest] = name.split('/');
  const scraper = scraperName === 'auto' ? 'auto' : scraperNamed(scraperName!);
  const proxyType = typeName === undefined ? null : WAY_TYPES.find((type) => type === typeName);
  if (scraper !== null && proxyType !== undefined && rest.length === 0) return { name, scraper, proxyType };
  addProblem(
    problems,
    pointer,
    `must be a scraper (auto, ${SCRAPER_NAMES.join(', ')}, vendor:<name>), or scraper/proxy_type (${WAY_TYPES.join(', ')}), got ${quote(name)}`,
  );
  return [];
}

/** What the ways decide, and what needs a single scrape. */
function refuseMembers(
  { scraper, proxy, router }: Readonly<Record<string, unknown>>,
  ways: readonly ComparedWay[],
  problems: Problems,
): void {
  const refuse = (path: string, why: string) =>
    addProblem(problems, `/request${path}`, `is not allowed: ${why}`);
  if (isRequested(scraper)) refuse('/scraper', 'the scrapers are in `ways`');
  if (ways.some(({ proxyType }) => proxyType !== null)) {
    const why = '`ways` name types of proxy';
    if (typeof proxy === 'string') refuse('/proxy', why);
    else if (isObject(proxy))
      for (const name of ['type', 'server', 'username', 'password'])
        if (isRequested(proxy[name])) refuse(`/proxy/${name}`, why);
  }
  if (!isObject(router)) return;
  for (const name of ['order', 'only', 'ignore', 'escalate_proxy'])
    if (isRequested(router[name])) refuse(`/router/${name}`, '`ways` say what is tried');
  if (router.allow_fallbacks === false) refuse('/router/allow_fallbacks', '`ways` say what is tried');
  if (isRequested(router.dry_run)) refuse('/router/dry_run', 'there would be nothing to compare');
  if (isRequested(router.webhook)) refuse('/router/webhook', 'the response is the result');
  for (const member of ['channels', 'notify_on'] as const)
    if (isRequested(router[member]))
      refuse(`/router/${member}`, 'is only for `Prefer: respond-async`: the response is the result');
  if (isRequested(router.compare_to))
    refuse('/router/compare_to', 'the methods are compared with each other');
}

/**
 * The scrape request of each way, checked.
 * @param template that the request names; null: none
 */
export function tasksOfWays(
  { request, ways }: ReadComparison,
  template: ExtractTemplate | null,
): readonly Task[] | { readonly problems: readonly Failure[] } {
  const tasks: Task[] = [];
  for (const { scraper, proxyType } of ways) {
    const { proxy } = request;
    const members = isObject(proxy) ? proxy : {};
    const { task, problems } = parseTask(
      { ...request, scraper, ...(proxyType === null ? {} : { proxy: { ...members, type: proxyType } }) },
      template,
    );
    // Another way would have the same problems.
    if (task === null) return { problems: problems.map((problem) => withPrefix(problem, '/request')) };
    // One copy of the body is enough.
    tasks.push(tasks.length === 0 ? task : Object.freeze({ ...task, body: tasks[0]!.body }));
  }
  return tasks;
}

export type ComparisonItemJson = Written<typeof ComparisonSchema>['items'][number];

/** An item of a comparison, without its likeness, which needs all items. */
export function comparisonItem(way: string, scrape: Scrape): Omit<ComparisonItemJson, 'likeness'> {
  const { delivered, verdict, cost } = scrape;
  const page = delivered?.page ?? null;
  return {
    way,
    outcome: scrape.outcome,
    scrape: {
      id: scrape.id,
      status_code: toldOrNull(page, 'status_code', page?.statusCode),
      final_url: toldOrNull(page, 'final_url', page?.finalUrl),
      scraper: scrape.scraper,
      proxy_type: scrape.proxyType,
      verdict: verdict?.kind ?? null,
      content_bytes: delivered?.content?.bytes.length ?? null,
      attempts: scrape.attempts.length,
      warnings: scrape.warnings.map(warningEntry),
      explanation: explanationOf(scrape),
    },
    errors: errorEntries(scrape.errors, scrape.sentOnce),
    duration_ms: Math.round(scrape.timing.total),
    cost: cost === null ? null : microToCurrency(cost),
  };
}

/** The item of a way that was refused before it began a scrape. */
export const refusedItem = (
  way: string,
  errors: readonly Failure[],
): Omit<ComparisonItemJson, 'likeness'> => ({
  way,
  outcome: 'failed',
  scrape: null,
  errors: errorEntries(errors),
  duration_ms: null,
  cost: null,
});
