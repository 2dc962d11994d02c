import { type Static, Type } from 'typebox';
import { closed, optional, placeholder } from '../../domain/json-schema.ts';
import { JOB_MEMBERS } from './job-members.ts';

/** Requests in one batch. */
export const MAX_BATCH_REQUESTS = 100_000;

/** Not checked by the schema of the body, but one by one, so that invalid ones can be skipped. */
const BatchItem = placeholder<unknown>('BatchItem', 'object');

const SETTINGS = {
  ...optional({
    defaults: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'Members that every request gets that does not have them itself.',
    }),
    invalid: Type.Enum(['refuse', 'skip'], {
      default: 'refuse',
      description: '`skip`: requests that are not valid are skipped, and listed in the answer.',
    }),
  }),
  ...JOB_MEMBERS,
};

/** `job` in the first line of a batch of lines. */
export const BatchSettings = closed(SETTINGS, { title: 'BatchSettings' });
export type BatchSettings = Static<typeof BatchSettings>;

export const BatchRequest = closed(
  {
    requests: Type.Array(BatchItem, { minItems: 1, maxItems: MAX_BATCH_REQUESTS }),
    ...SETTINGS,
  },
  { title: 'BatchRequest' },
);
export type BatchRequest = Static<typeof BatchRequest>;

/** Each page is compared in each run. */
const MAX_MONITOR_REQUESTS = 1_000;

/** The batch of a monitor. */
export const MonitorBatch = closed(
  {
    requests: Type.Array(BatchItem, { minItems: 1, maxItems: MAX_MONITOR_REQUESTS }),
    defaults: SETTINGS.defaults,
  },
  { title: 'MonitorBatch' },
);
export type MonitorBatch = Static<typeof MonitorBatch>;
