import { Type } from 'typebox';
import { BROWSER_TYPES } from '../../domain/browsers-here.ts';
import { ErrorCodeName, WarningCodeName } from '../answer/answer-schema.ts';
import { closed, orNull } from '../schema/build.ts';

const BrowserHere = closed({
  browser_type: Type.Enum([...BROWSER_TYPES]),
  version: orNull(Type.String()),
  build_age_days: orNull(Type.Integer({ description: 'Days since it was built, where its files tell.' })),
  source: Type.Enum(['configured', 'installed', 'playwright', 'package'], {
    description: '`configured`: named by the operator; `package`: it came along with Sluice.',
  }),
  headless: Type.Boolean(),
  headed: Type.Boolean({ description: 'Also with `headless: false`.' }),
  used: Type.Boolean({ description: 'What a scrape with its `browser_type` and `headless: true` gets.' }),
  reason: orNull(
    Type.String({
      description: 'Why it is not used, and which one is used instead; or why it opens no windows.',
    }),
  ),
});

export const ScraperList = closed(
  {
    cost_unit: Type.String({
      description: "The operator's currency, or `effort` while nothing is priced.",
    }),
    items: Type.Array(
      closed({
        name: Type.String(),
        capabilities: closed({
          methods: Type.Array(Type.String()),
          javascript: Type.Boolean(),
          page_actions: Type.Boolean(),
          screenshot: Type.Boolean(),
          impersonation: Type.Boolean(),
        }),
        options: Type.Object(
          {},
          { additionalProperties: true, description: 'JSON Schema of `scraper_options`.' },
        ),
        price: orNull(
          Type.Number({ minimum: 0, description: 'Of one attempt, without its exit, in `cost_unit`.' }),
        ),
        available: Type.Boolean(),
        reason: orNull(Type.String({ description: 'Why it is not available.' })),
      }),
    ),
    browsers: closed(
      {
        sandbox: Type.Enum(['on', 'off'], {
          description:
            '`off`: the operator lets browsers run without the sandbox between pages and the machine.',
        }),
        items: Type.Array(BrowserHere, { description: 'Those of this machine, the preferred ones first.' }),
      },
      { description: 'What `scraper: browser` is made of here.' },
    ),
  },
  { title: 'ScraperList' },
);

export const ErrorsTable = closed(
  {
    errors: Type.Array(
      closed({
        code: ErrorCodeName,
        status: orNull(Type.Integer()),
        source: Type.String(),
        retryable: Type.Boolean(),
        title: Type.String(),
        help: Type.String(),
      }),
    ),
    warnings: Type.Array(closed({ code: WarningCodeName, source: Type.String(), help: Type.String() })),
  },
  { title: 'ErrorsTable' },
);

export const Health = Type.Object({ status: Type.String() }, { title: 'Health', additionalProperties: true });

export const Readiness = closed(
  {
    status: Type.Enum(['ok', 'degraded'], {
      description: '`degraded`: a browser that should start does not. Requests are taken all the same.',
    }),
    browser: closed({
      state: Type.Enum(['ready', 'unknown', 'unavailable', 'down'], {
        description:
          '`unknown`: nobody has looked yet. `unavailable`: none can be had on this machine, `GET /api/v1/scrapers/` says why. `down`: it should start, and does not. HTTP scrapers work in every case.',
      }),
      sandbox: Type.Enum(['on', 'off']),
    }),
    warnings: Type.Array(Type.String(), { description: 'What an operator should know, in words.' }),
  },
  { title: 'Readiness' },
);
