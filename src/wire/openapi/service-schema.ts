import { Type } from 'typebox';
import { BROWSER_TYPES } from '../../domain/browser-options.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import { ErrorCodeName, WarningCodeName } from '../answer/answer-schema.ts';

const BrowserHere = closed({
  browser_type: Type.Enum([...BROWSER_TYPES]),
  version: orNull(Type.String()),
  build_age_days: orNull(Type.Integer({ description: 'Days since the browser was built. null if unknown.' })),
  source: Type.Enum(['configured', 'installed', 'playwright', 'package'], {
    description: '`configured`: set by the operator. `package`: bundled with Sluice.',
  }),
  headless: Type.Boolean(),
  headed: Type.Boolean({ description: 'Whether it can run with `headless: false`.' }),
  used: Type.Boolean({
    description: 'Whether scrapes with this `browser_type` and `headless: true` use it.',
  }),
  reason: orNull(
    Type.String({
      description:
        'Why it is not used and which browser is used instead, or why it cannot run with `headless: false`.',
    }),
  ),
});

export const ScraperList = closed(
  {
    cost_unit: Type.String({
      description: 'Currency set by the operator, or `effort` if no prices are configured.',
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
          { additionalProperties: true, description: 'JSON Schema of `scraper_options` for this scraper.' },
        ),
        price: orNull(
          Type.Number({ minimum: 0, description: 'Price per attempt in `cost_unit`, without the proxy.' }),
        ),
        available: Type.Boolean(),
        reason: orNull(Type.String({ description: 'Why it is not available.' })),
      }),
    ),
    browsers: closed(
      {
        sandbox: Type.Enum(['on', 'off'], {
          description: '`off`: the operator has turned off the browser sandbox.',
        }),
        items: Type.Array(BrowserHere, { description: 'Browsers on this machine, preferred ones first.' }),
      },
      { description: 'Browsers available to `scraper: browser`.' },
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
      description: '`degraded`: the browser does not start. The service still accepts requests.',
    }),
    browser: closed({
      state: Type.Enum(['ready', 'unknown', 'unavailable', 'down'], {
        description:
          '`unknown`: not checked yet. `unavailable`: this machine has no usable browser; `GET /api/v1/scrapers/` says why. `down`: a browser should start but does not. HTTP scrapers work in every case.',
      }),
      sandbox: Type.Enum(['on', 'off']),
    }),
    warnings: Type.Array(Type.String(), { description: 'Messages for the operator.' }),
  },
  { title: 'Readiness' },
);
