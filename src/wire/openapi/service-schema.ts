import { Type } from 'typebox';
import { ErrorCodeName, WarningCodeName } from '../answer/answer-schema.ts';
import { closed, orNull } from '../schema/build.ts';

export const ScraperList = closed(
  {
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
        price: orNull(Type.Number()),
        available: Type.Boolean(),
        reason: orNull(Type.String({ description: 'Why it is not available.' })),
      }),
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
