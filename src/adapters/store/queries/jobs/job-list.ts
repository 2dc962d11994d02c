import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { uuidText } from '../../../../base/uuid7.ts';
import type { JobCursor, JobFilter, JobListPage, JobOrder, JobSort } from '../../../../domain/job-lists.ts';
import type { JobStore } from '../../../../ports/jobs.ts';
import { type Db, firstIdAt, idBytes, idOrNull, type SelectedJob, type Tables } from '../../schema/tables.ts';
import { statementOf } from '../query-compiler.ts';
import type { RunStatements } from '../statements.ts';
import type { JobDialect } from './job-dialect.ts';
import { HIDDEN_STATES, jobQuery, jobRow } from './job-row.ts';

/** Jobs that a page with a search, or in another order than that of their creation, looks at: the newest. */
const MAX_SEARCHED = 10_000;

interface FoundJob {
  readonly id: Uint8Array;
  readonly value: string | number;
}

/** By what a list is sorted. Of a job that has not started, or that has no items which ended, -1. */
const sortValue = (sort: JobSort, now: number): RawBuilder<string | number> =>
  ({
    created: sql<number>`0`,
    name: sql<string>`coalesce(search, '')`,
    duration: sql<number>`coalesce(coalesce(ended_at, ${now}) - started_at, -1)`,
    cost: sql<number>`cost`,
    // Whole numbers, which are the same in cursors and in all databases.
    ok_share: sql<number>`CASE WHEN ok + failed = 0 THEN -1 ELSE (ok * 1000000) / (ok + failed) END`,
  })[sort];

type OfJobs<O> = SelectQueryBuilder<Tables, 'jobs', O>;

/** The conditions for which there is an index: owner, time, which the id contains, and whether it is a run. */
function ofOwnerAndTime<O>(query: OfJobs<O>, { userId, from, to, withRuns }: JobFilter): OfJobs<O> {
  let jobs = query;
  if (!withRuns) jobs = jobs.where('monitor_id', 'is', null).where('schedule_id', 'is', null);
  if (userId !== null) jobs = jobs.where('user_id', '=', idBytes(userId));
  if (from !== null) jobs = jobs.where('id', '>=', firstIdAt(from));
  if (to !== null) jobs = jobs.where('id', '<', firstIdAt(to));
  return jobs;
}

/** Lists of jobs, in pages. */
export function createJobList(db: Db, read: RunStatements, dialect: JobDialect): Pick<JobStore, 'list'> {
  const at = sql.raw(dialect.position);

  function withFacts<O>(query: OfJobs<O>, { kind, state, tag, search }: JobFilter): OfJobs<O> {
    let jobs = query;
    if (kind !== null) jobs = jobs.where('kind', '=', kind);
    if (state !== null) jobs = jobs.where('state', '=', state);
    if (tag !== null) jobs = jobs.where(dialect.hasTag('jobs.tags', tag.name, tag.value));
    if (search !== null) jobs = jobs.where(sql<boolean>`${at}(coalesce(search, ''), ${search}) > 0`);
    return jobs;
  }

  /** The newest, or the next ones in the order of their creation. They are filtered afterwards. */
  function searched(filter: JobFilter, { sort, descending, after, now }: JobOrder) {
    const byCreation = sort === 'created';
    const goesDown = descending || !byCreation;
    let query = ofOwnerAndTime(
      db
        .selectFrom('jobs')
        .select(['id', 'kind', 'state', 'tags', 'search', sortValue(sort, now).as('value')]),
      filter,
    )
      .where('state', 'not in', HIDDEN_STATES)
      .orderBy('id', goesDown ? 'desc' : 'asc')
      .limit(MAX_SEARCHED);
    const cursor = after === null || !byCreation ? null : idOrNull(after.id);
    if (cursor !== null) query = query.where('id', descending ? '<' : '>', cursor);
    return query;
  }

  async function jobsOf(found: readonly FoundJob[]) {
    if (found.length === 0) return [];
    const query = jobQuery(db).where(
      'id',
      'in',
      found.map(({ id }) => id),
    );
    const [result] = await read([statementOf(query)]);
    const jobs = new Map((result!.rows as SelectedJob[]).map((row) => [uuidText(row.id), jobRow(row)]));
    // One may have been deleted meanwhile.
    return found.flatMap(({ id }) => jobs.get(uuidText(id)) ?? []);
  }

  return {
    async list(filter, order): Promise<JobListPage> {
      const { sort, descending, limit, after, now } = order;
      const compare = descending ? '<' : '>';
      const direction = descending ? 'desc' : 'asc';
      const cursorOf = ({ id, value }: FoundJob): JobCursor => ({ value, id: uuidText(id), now });
      const pageOf = async (found: readonly FoundJob[], end: FoundJob | undefined): Promise<JobListPage> => {
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : end;
        return { jobs: await jobsOf(page), next: last === undefined ? null : cursorOf(last) };
      };
      const after16 = after === null ? null : idOrNull(after.id);
      if (sort === 'created' && filter.search === null) {
        let query = withFacts(
          ofOwnerAndTime(db.selectFrom('jobs').select(['id', sql<number>`0`.as('value')]), filter),
          filter,
        )
          .where('state', 'not in', HIDDEN_STATES)
          .orderBy('id', direction)
          .limit(limit + 1);
        if (after16 !== null) query = query.where('id', compare, after16);
        const [result] = await read([statementOf(query)]);
        return await pageOf(result!.rows as FoundJob[], undefined);
      }
      const source = searched(filter, order);
      let query = withFacts(
        db.selectFrom(source.as('jobs')).select(['id', 'value']) as unknown as OfJobs<FoundJob>,
        filter,
      )
        .orderBy(sql`value`, direction)
        .orderBy('id', direction)
        .limit(limit + 1);
      if (after16 !== null && sort !== 'created')
        query = query.where(
          sql<boolean>`(value ${sql.raw(compare)} ${after!.value} OR (value = ${after!.value} AND id ${sql.raw(compare)} ${after16}))`,
        );
      const last = db.selectFrom(source.as('jobs')).select(['id', 'value']).orderBy('id', direction);
      const [result, end] = await read([
        statementOf(query),
        ...(sort === 'created' ? [statementOf(last.limit(1).offset(MAX_SEARCHED - 1))] : []),
      ]);
      return await pageOf(result!.rows as FoundJob[], (end?.rows as FoundJob[] | undefined)?.[0]);
    },
  };
}
