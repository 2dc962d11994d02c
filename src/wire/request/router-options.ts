import { type Static, Type } from 'typebox';
import { closed, mapOf, optional, UNAVAILABLE } from '../../domain/json-schema.ts';
import { SCRAPER_NAMES, scraperNamed } from '../../domain/scrapers.ts';
import {
  type AcceptCriteria,
  POOLED_TYPES,
  PROXY_TYPES,
  ROBOTS_MODES,
  type RouterOptions,
  SORTS,
  type StepPattern,
} from '../../domain/task.ts';
import { CompareToSchema, readCompareTo } from '../compare-options.ts';
import { NOTIFY_MEMBERS, readNotify } from '../notifications/notify-members.ts';
import { isRequested } from '../schema/json-value.ts';
import { addProblem, addUnavailable, childPointer, type Problems, quote } from '../schema/problems.ts';
import { readWebhook, WebhookSchema } from '../webhooks/webhook-schema.ts';

const StepList = (description: string) =>
  Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50, description });

const AcceptField = closed(
  optional({
    status: Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
      maxItems: 100,
      description: 'The status of the page must be one of these.',
    }),
    selector: Type.String({
      maxLength: 2000,
      description: 'A CSS selector that must match in the HTML or XML page.',
    }),
    contains: Type.String({
      maxLength: 10_000,
      description: 'Text that the content must contain. Case-sensitive.',
    }),
    not_contains: Type.String({
      maxLength: 10_000,
      description: 'Text that the content must not contain. Case-sensitive.',
    }),
    min_bytes: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Minimum size of the decoded content.',
    }),
    json_path: Type.String({
      maxLength: 2000,
      description: 'A JSONPath (RFC 9535) that must match in the JSON content.',
    }),
  }),
  { description: 'Your own definition of success. All conditions must be met.' },
);
type AcceptField = Static<typeof AcceptField>;

export const RouterSettings = closed(
  optional({
    sort: Type.Enum([...SORTS], {
      default: 'balanced',
      description: 'What `auto` optimises for.',
    }),
    order: StepList('Try these first, in this order: `scraper` or `scraper/proxy_type`.'),
    only: StepList('Use only these.'),
    ignore: StepList('Never use these.'),
    allow_fallbacks: Type.Boolean({
      default: true,
      description: 'If true, other methods may be tried after those in `order`.',
    }),
    max_attempts: Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'Default: 3 with `auto`, 1 with a named scraper.',
    }),
    max_cost: Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      description:
        'Maximum cost of all attempts together, in `cost_unit`. 0: only free methods. Methods without a price are not used.',
    }),
    forward_credentials: Type.Boolean({
      default: false,
      description:
        'Vendors get the credentials of the request: `Authorization`, cookies, user and password of the URL. If false, a request with credentials uses no vendor.',
    }),
    escalate_proxy: Type.Union(
      [Type.Literal(false), Type.Array(Type.Enum([...POOLED_TYPES]), { maxItems: 3 })],
      {
        description: 'Proxy types that may be tried after the type in `proxy`, in this order.',
      },
    ),
    accept: AcceptField,
    on_blocked: Type.Enum(['return', 'fail'], {
      default: 'return',
      description:
        'What to do with a block page. `return`: respond with 200 and the page. `fail`: respond with 502 `target.blocked`; the page is still included.',
    }),
    robots: Type.Enum([...ROBOTS_MODES], {
      default: 'ignore',
      description:
        'How to treat robots.txt (RFC 9309). `report`: read it and include the result. `respect`: respond with 403 `policy.robots` if it forbids the page. The operator can enforce a stricter setting.',
    }),
    cache: closed(
      {
        mode: Type.Optional(Type.Enum(['off', 'use', 'refresh', 'only'], { default: 'off' })),
        max_age_ms: Type.Optional(Type.Number({ minimum: 0, default: 0 })),
      },
      UNAVAILABLE,
    ),
    dry_run: Type.Boolean({ default: false, description: 'Plan the request without fetching anything.' }),
    trace: Type.Boolean({
      default: true,
      description: 'If false, `router` in the response has only the basic fields.',
    }),
    tags: mapOf(Type.String({ maxLength: 64 }), {
      maxProperties: 10,
      description: 'Labels for finding the scrape later. Names and values have at most 64 characters.',
    }),
    retain: Type.Enum(['full', 'metadata', 'none'], {
      default: 'full',
      description:
        'What the stored record keeps. `metadata`: everything except content and headers. `none`: little more than the outcome.',
    }),
    webhook: WebhookSchema,
    channels: NOTIFY_MEMBERS.channels,
    notify_on: NOTIFY_MEMBERS.notify_on,
    compare_to: CompareToSchema,
    archive: Type.Enum(['none', 'har', 'warc'], { default: 'none', ...UNAVAILABLE }),
  }),
  { title: 'RouterAsk' },
);
export type RouterSettings = Static<typeof RouterSettings>;

export const RouterField = Type.Union([Type.Enum([...SORTS]), RouterSettings], {
  description: 'Routing options. A string is shorthand for `sort`.',
});
export type RouterField = Static<typeof RouterField>;

const NO_STEPS: readonly StepPattern[] = Object.freeze([]);
const NO_TAGS: Readonly<Record<string, string>> = Object.freeze({});
const NO_TYPES: RouterOptions['escalateProxy'] = Object.freeze([]);
const DEFAULT_ROUTER: RouterOptions = Object.freeze({
  sort: 'balanced',
  escalateProxy: NO_TYPES,
  order: NO_STEPS,
  only: NO_STEPS,
  ignore: NO_STEPS,
  allowFallbacks: true,
  maxAttempts: null,
  accept: null,
  onBlocked: 'return',
  maxCost: null,
  forwardCredentials: false,
  robots: 'ignore',
  dryRun: false,
  trace: true,
  tags: NO_TAGS,
  retain: 'full',
  webhook: null,
  notify: null,
  compareTo: null,
});

export function readRouter(router: RouterField | undefined, problems: Problems): RouterOptions {
  if (router === undefined) return DEFAULT_ROUTER;
  if (typeof router === 'string') return { ...DEFAULT_ROUTER, sort: router };
  refuseUnavailable(router, problems);
  return {
    sort: router.sort ?? 'balanced',
    escalateProxy: router.escalate_proxy || NO_TYPES,
    order: readSteps(router.order, '/router/order', problems),
    only: readSteps(router.only, '/router/only', problems),
    ignore: readSteps(router.ignore, '/router/ignore', problems),
    allowFallbacks: router.allow_fallbacks ?? true,
    maxAttempts: router.max_attempts ?? null,
    accept: router.accept === undefined ? null : readAccept(router.accept),
    onBlocked: router.on_blocked ?? 'return',
    // Rounded down to micro-units. The factor compensates the binary error of decimals: 0.29 × 10⁶ is 289,999.99….
    maxCost: router.max_cost === undefined ? null : Math.floor(router.max_cost * 1_000_000 * (1 + 1e-12)),
    forwardCredentials: router.forward_credentials ?? false,
    robots: router.robots ?? 'ignore',
    dryRun: router.dry_run ?? false,
    trace: router.trace ?? true,
    tags: router.tags === undefined ? NO_TAGS : readTags(router.tags, problems),
    retain: router.retain ?? 'full',
    webhook: router.webhook === undefined ? null : readWebhook(router.webhook, '/router/webhook', problems),
    notify:
      router.channels === undefined && router.notify_on === undefined
        ? null
        : readNotify(router, 'job', '/router', problems),
    compareTo:
      router.compare_to === undefined
        ? null
        : readCompareTo(router.compare_to, '/router/compare_to', problems),
  };
}

/** Refuses members that this version does not have yet, unless they have their default. */
function refuseUnavailable({ cache, archive }: RouterSettings, problems: Problems): void {
  if (cache?.mode !== undefined && cache.mode !== 'off')
    addUnavailable(problems, '/router/cache/mode', cache.mode);
  if (isRequested(cache?.max_age_ms)) addUnavailable(problems, '/router/cache/max_age_ms');
  if (archive !== undefined && archive !== 'none') addUnavailable(problems, '/router/archive', archive);
}

function readSteps(
  steps: readonly string[] | undefined,
  pointer: string,
  problems: Problems,
): readonly StepPattern[] {
  if (steps === undefined || steps.length === 0) return NO_STEPS;
  return steps.flatMap((text, i) => {
    const [scraperName, proxyName, ...rest] = text.split('/');
    const scraper = scraperNamed(scraperName!);
    const proxyType = proxyName === undefined ? null : PROXY_TYPES.find((name) => name === proxyName);
    if (scraper !== null && proxyType !== undefined && rest.length === 0) {
      return [{ scraper, proxyType }];
    }
    addProblem(
      problems,
      childPointer(pointer, i),
      `must be a scraper (${SCRAPER_NAMES.join(', ')}, vendor:<name>), or scraper/proxy_type (${PROXY_TYPES.join(', ')}), got ${quote(text)}`,
    );
    return [];
  });
}

/** The syntax of `selector` and `json_path` is checked later, by `requestProblems`: this room may not import their parsers. */
function readAccept(accept: AcceptField): AcceptCriteria | null {
  if (!isRequested(accept)) return null;
  return {
    status: accept.status ?? [],
    selector: nonEmpty(accept.selector),
    contains: nonEmpty(accept.contains),
    notContains: nonEmpty(accept.not_contains),
    minBytes: accept.min_bytes ?? 0,
    jsonPath: nonEmpty(accept.json_path),
  };
}

function nonEmpty(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** Checks the length of the names. The schema checks only the values. */
function readTags(tags: Readonly<Record<string, string>>, problems: Problems): RouterOptions['tags'] {
  for (const name of Object.keys(tags)) {
    const length = [...name.slice(0, 200)].length;
    if (length === 0 || length > 64) {
      addProblem(problems, childPointer('/router/tags', name), 'must have a name of 1 to 64 characters');
    }
  }
  return tags;
}
