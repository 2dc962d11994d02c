import { Type } from 'typebox';
import { closed } from '../../domain/json-schema.ts';
import { ScrapeRequest } from '../request/scrape-request-schema.ts';
import { JOB_MEMBERS } from './job-members.ts';

/** Requests in one JSON body. As NDJSON there may be more. */
export const MAX_BATCH_REQUESTS = 100_000;

/** Items are checked one by one, so that a problem names its item. */
const BatchItem = Type.Unsafe<unknown>({
  title: 'BatchItem',
  description: 'A scrape request, with an optional `ref`: your own name for it, at most 128 characters.',
  type: 'object',
  properties: { ref: Type.String({ maxLength: 128 }), ...ScrapeRequest.properties },
});

export const BatchRequest = closed(
  {
    requests: Type.Array(BatchItem, { minItems: 1, maxItems: MAX_BATCH_REQUESTS }),
    defaults: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description: 'Members that every request gets that does not have them itself.',
      }),
    ),
    invalid: Type.Optional(
      Type.Enum(['refuse', 'skip'], {
        default: 'refuse',
        description: '`skip`: requests that are not valid are skipped, and listed in the answer.',
      }),
    ),
    ...JOB_MEMBERS,
  },
  { title: 'BatchRequest' },
);
