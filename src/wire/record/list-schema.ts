import { Type } from 'typebox';
import { closed, mapOf, orNull } from '../schema/build.ts';
import { OUTCOMES } from './outcomes.ts';

const Text = orNull(Type.String());
const Whole = orNull(Type.Integer());

export const ScrapeSummary = closed(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: Type.String({ format: 'date-time' }),
    url: Text,
    host: Type.String(),
    method: Text,
    requested_scraper: Text,
    scraper: Text,
    proxy_type: Text,
    http_status: Whole,
    status_code: Whole,
    outcome: Type.Enum([...OUTCOMES], { title: 'Outcome' }),
    error_code: Text,
    duration_ms: Type.Integer(),
    content_bytes: Whole,
    request_cost: orNull(Type.Number()),
    tags: mapOf(Type.String()),
    key_id: Text,
    has_screenshot: Type.Boolean(),
    user_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Owner of the scrape. Only in sessions of administrators.',
      }),
    ),
  },
  { title: 'ScrapeSummary' },
);

export const ScrapeList = closed(
  {
    items: Type.Array(ScrapeSummary),
    next_cursor: orNull(Type.String(), {
      description:
        'Cursor of the next page. null on the last page. A short or empty page can still have a next one.',
    }),
  },
  { title: 'ScrapeList' },
);
