import { Type } from 'typebox';
import { uuidBytes } from '../../base/uuid7.ts';
import { searchForm } from '../../domain/job-label.ts';
import { JOB_SORTS, type JobCursor, type JobFilter, type JobOrder } from '../../domain/job-lists.ts';
import { JOB_KINDS, JOB_STATES } from '../../domain/jobs.ts';
import { seesAllUsers } from '../record/record-query.ts';
import type { QueryReader, Viewer } from '../schema/query-reader.ts';
import { readSearch, SEARCH_TEXT } from './results-query.ts';

interface JobsQuery extends Omit<JobOrder, 'now'> {
  readonly filter: JobFilter;
}

type Order = Pick<JobOrder, 'sort' | 'descending'>;

/** The cursor of a page: in the order of creation the id, which is valid in both directions. */
export const jobCursor = ({ value, id, now }: JobCursor, { sort, descending }: Order): string =>
  sort === 'created'
    ? id
    : Buffer.from(JSON.stringify([sort, descending, value, id, now])).toString('base64url');

function cursorOf(text: string, { sort, descending }: Order): JobCursor | null {
  if (sort === 'created')
    return uuidBytes(text) === null ? null : { value: 0, id: text.toLowerCase(), now: 0 };
  try {
    const [of, down, value, id, now] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const isValue =
      sort === 'name' ? typeof value === 'string' && !value.includes('\0') : Number.isSafeInteger(value);
    return of === sort &&
      down === descending &&
      isValue &&
      Number.isSafeInteger(now) &&
      uuidBytes(String(id)) !== null
      ? { value: value as string | number, id: String(id), now: now as number }
      : null;
  } catch {
    return null;
  }
}

function readCursor(query: QueryReader, order: Order): JobCursor | null {
  const text = query.text('cursor');
  if (text === null) return null;
  return cursorOf(text, order) ?? query.addProblem('cursor', 'is not a cursor of this list in this order');
}

function readOwner(query: QueryReader, viewer: Viewer): string | null {
  const userId = query.text('user_id');
  if (!seesAllUsers(viewer)) {
    if (userId !== null) query.addProblem('user_id', "is only for administrators' sessions");
    return viewer.userId;
  }
  return userId === null || uuidBytes(userId) !== null
    ? (userId?.toLowerCase() ?? null)
    : query.addProblem('user_id', 'must be the id of a user');
}

/** The query of `GET /api/v1/jobs/`. */
export const JOBS_QUERY = {
  parameters: {
    q: {
      description:
        'Only jobs whose name or first URL contains this text, in any case. A page searches 10,000 jobs, so it may be short or empty although there is a next one.',
      schema: SEARCH_TEXT,
    },
    kind: { description: 'Only jobs of this kind.', schema: Type.Enum([...JOB_KINDS]) },
    state: { description: 'Only jobs in this state.', schema: Type.Enum([...JOB_STATES]) },
    user_id: {
      description: 'Owner. Only for sessions of administrators, which see the jobs of all users.',
      schema: Type.String({ format: 'uuid' }),
    },
    tag: { description: 'A tag, as `name:value`.', schema: Type.String() },
    from: { description: 'Created at or after this time.', schema: Type.String({ format: 'date-time' }) },
    to: { description: 'Created before this time.', schema: Type.String({ format: 'date-time' }) },
    with_runs: {
      description: 'Also jobs that are runs of monitors and schedules.',
      schema: Type.Boolean({ default: false }),
    },
    sort: {
      description:
        'By creation, label, duration, cost, or share of `ok` items. All but `created` sort the newest 10,000 jobs within `from` and `to`.',
      schema: Type.Enum([...JOB_SORTS], { default: 'created' }),
    },
    order: {
      description: 'Ascending or descending.',
      schema: Type.Enum(['asc', 'desc'], { default: 'desc' }),
    },
    limit: {
      description: 'Jobs per page.',
      schema: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    },
    cursor: {
      description: '`next_cursor` of the previous page, with the same filters, `sort` and `order`.',
      schema: Type.String(),
    },
  },
  read(query: QueryReader, viewer: Viewer): JobsQuery {
    const search = readSearch(query);
    const order = {
      sort: query.oneOf('sort', JOB_SORTS) ?? 'created',
      descending: query.oneOf('order', ['asc', 'desc'] as const) !== 'asc',
    };
    return {
      filter: {
        userId: readOwner(query, viewer),
        kind: query.oneOf('kind', JOB_KINDS),
        state: query.oneOf('state', JOB_STATES),
        tag: query.nameValue('tag'),
        from: query.dateTime('from'),
        to: query.dateTime('to'),
        withRuns: query.flag('with_runs'),
        search: search === null ? null : searchForm(search),
      },
      ...order,
      limit: query.integer('limit', 1, 200) ?? 50,
      after: readCursor(query, order),
    };
  },
};
