import { type Static, Type } from 'typebox';
import { POOLED_TYPES, SORTS } from '../../domain/job.ts';
import { ROBOTS_MODES } from '../../domain/robots-told.ts';
import { closed, mapOf } from '../schema/build.ts';
import { LATER } from '../schema/notes.ts';

const Steps = (description: string) =>
  Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50, description });

export const AcceptAsk = closed(
  {
    status: Type.Optional(
      Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
        maxItems: 100,
        description: 'The status of the page must be one of these.',
      }),
    ),
    selector: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'A CSS selector that must match in the HTML or XML page.',
      }),
    ),
    contains: Type.Optional(
      Type.String({ maxLength: 10_000, description: 'Text that the content must contain. Case-sensitive.' }),
    ),
    not_contains: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description: 'Text that the content must not contain. Case-sensitive.',
      }),
    ),
    min_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Minimum size of the decoded content.',
      }),
    ),
    json_path: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'A JSONPath (RFC 9535) that must match in the JSON content.',
      }),
    ),
  },
  { description: 'Your own definition of success. All conditions must be met.' },
);
export type AcceptAsk = Static<typeof AcceptAsk>;

export const RouterObject = closed(
  {
    sort: Type.Optional(
      Type.Enum([...SORTS], {
        default: 'balanced',
        description: 'What `auto` optimises for.',
      }),
    ),
    order: Type.Optional(Steps('Try these first, in this order: `scraper` or `scraper/proxy_type`.')),
    only: Type.Optional(Steps('Use only these.')),
    ignore: Type.Optional(Steps('Never use these.')),
    allow_fallbacks: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'If true, other methods may be tried after those in `order`.',
      }),
    ),
    max_attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description: 'Default: 3 with `auto`, 1 with a named scraper.',
      }),
    ),
    max_cost: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description:
          'Maximum cost of all attempts together, in `cost_unit`. 0: only free methods. Methods without a price are not used.',
      }),
    ),
    escalate_proxy: Type.Optional(
      Type.Union([Type.Literal(false), Type.Array(Type.Enum([...POOLED_TYPES]), { maxItems: 3 })], {
        description: 'Proxy types that may be tried after the type in `proxy`, in this order.',
      }),
    ),
    accept: Type.Optional(AcceptAsk),
    on_blocked: Type.Optional(
      Type.Enum(['return', 'fail'], {
        default: 'return',
        description:
          'What to do with a block page. `return`: respond with 200 and the page. `fail`: respond with 502 `target.blocked`; the page is still included.',
      }),
    ),
    robots: Type.Optional(
      Type.Enum([...ROBOTS_MODES], {
        default: 'ignore',
        description:
          'How to treat robots.txt (RFC 9309). `report`: read it and include the result. `respect`: respond with 403 `policy.robots` if it forbids the page. The operator can enforce a stricter setting.',
      }),
    ),
    cache: Type.Optional(
      closed(
        {
          mode: Type.Optional(Type.Enum(['off', 'use', 'refresh', 'only'], { default: 'off' })),
          max_age_ms: Type.Optional(Type.Number({ minimum: 0, default: 0 })),
        },
        LATER,
      ),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Plan the request without fetching anything.' }),
    ),
    trace: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'If false, `router` in the response has only the basic fields.',
      }),
    ),
    tags: Type.Optional(
      mapOf(Type.String({ maxLength: 64 }), {
        maxProperties: 10,
        description: 'Labels for finding the scrape later. Names and values have at most 64 characters.',
      }),
    ),
    retain: Type.Optional(
      Type.Enum(['full', 'metadata', 'none'], {
        default: 'full',
        description:
          'What the stored record keeps. `metadata`: everything except content and headers. `none`: little more than the outcome.',
      }),
    ),
    archive: Type.Optional(Type.Enum(['none', 'har', 'warc'], { default: 'none', ...LATER })),
  },
  { title: 'RouterAsk' },
);
export type RouterObject = Static<typeof RouterObject>;

export const RouterField = Type.Union([Type.Enum([...SORTS]), RouterObject], {
  description: 'Routing options. A string is shorthand for `sort`.',
});
export type RouterField = Static<typeof RouterField>;
