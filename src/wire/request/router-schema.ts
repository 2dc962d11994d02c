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
        description: 'One of these statuses.',
      }),
    ),
    selector: Type.Optional(Type.String({ maxLength: 2000, description: 'CSS, on HTML or XML.' })),
    contains: Type.Optional(
      Type.String({ maxLength: 10_000, description: 'A text in the content; case counts.' }),
    ),
    not_contains: Type.Optional(
      Type.String({ maxLength: 10_000, description: 'A text that must not be there.' }),
    ),
    min_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Of the content, decoded.',
      }),
    ),
    json_path: Type.Optional(
      Type.String({ maxLength: 2000, description: 'RFC 9535, on what parses as JSON.' }),
    ),
  },
  { description: "The caller's own definition of success; all members must be met." },
);
export type AcceptAsk = Static<typeof AcceptAsk>;

export const RouterObject = closed(
  {
    sort: Type.Optional(
      Type.Enum([...SORTS], {
        default: 'balanced',
        description: 'What `auto` prefers among the ways that can do the request.',
      }),
    ),
    order: Type.Optional(Steps('Tried first: `scraper` or `scraper/proxy_type`.')),
    only: Type.Optional(Steps('Nothing else is taken.')),
    ignore: Type.Optional(Steps('Never taken.')),
    allow_fallbacks: Type.Optional(
      Type.Boolean({ default: true, description: 'After `order`, the others may be tried.' }),
    ),
    max_attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description: '3 with `auto`, 1 with a named scraper, unless given.',
      }),
    ),
    max_cost: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description:
          'Hard ceiling over all attempts together, in `cost_unit`; 0: only what is free. What has no price is not taken.',
      }),
    ),
    escalate_proxy: Type.Optional(
      Type.Union([Type.Literal(false), Type.Array(Type.Enum([...POOLED_TYPES]), { maxItems: 3 })], {
        description: 'Proxy types that may be tried after that of `proxy`, in this order.',
      }),
    ),
    accept: Type.Optional(AcceptAsk),
    on_blocked: Type.Optional(
      Type.Enum(['return', 'fail'], {
        default: 'return',
        description:
          '`fail`: a page that the target blocked is answered with 502 `target.blocked`, and still given.',
      }),
    ),
    robots: Type.Optional(
      Type.Enum([...ROBOTS_MODES], {
        default: 'ignore',
        description:
          'Whether robots.txt (RFC 9309) is asked before the page: `report` tells what it says, `respect` ends with 403 `policy.robots`. The operator may demand more than the request.',
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
      Type.Boolean({ default: false, description: 'Plans the way, and fetches nothing.' }),
    ),
    trace: Type.Optional(
      Type.Boolean({ default: true, description: 'Off: `router` of the answer is short.' }),
    ),
    tags: Type.Optional(
      mapOf(Type.String({ maxLength: 64 }), {
        maxProperties: 10,
        description: 'To find the scrape by later. Names and values of at most 64 characters.',
      }),
    ),
    retain: Type.Optional(
      Type.Enum(['full', 'metadata', 'none'], {
        default: 'full',
        description:
          'What the record keeps. `metadata`: no content and headers; `none`: hardly more than the outcome.',
      }),
    ),
    archive: Type.Optional(Type.Enum(['none', 'har', 'warc'], { default: 'none', ...LATER })),
  },
  { title: 'RouterAsk' },
);
export type RouterObject = Static<typeof RouterObject>;

export const RouterField = Type.Union([Type.Enum([...SORTS]), RouterObject], {
  description: 'A string is shorthand for `sort`.',
});
export type RouterField = Static<typeof RouterField>;
