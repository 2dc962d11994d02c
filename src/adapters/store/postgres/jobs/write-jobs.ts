import { uuidText } from '../../../../base/uuid7.ts';
import type { PostgresConnection } from '../../../postgres/postgres.ts';
import { endOfJob } from '../../queries/jobs/end-of-job.ts';
import { MAX_BLOCKS } from '../../queries/jobs/job-rules.ts';
import { tellStatements } from '../../queries/tell.ts';
import { hexOf, jsonRows } from './json-rows.ts';
import type { LockedJob } from './locked-job.ts';

/** Other processes hear on it of jobs whose state has changed: the id, as text. */
export const JOBS_CHANNEL = 'sluice_jobs';

const CHANGE_ITEMS = `UPDATE job_items AS t SET state = x.state, n = x.n, tries = x.tries, run_at = x.run_at, outcome = x.outcome,
error = x.error, scrape_id = coalesce(decode(x.scrape_id, 'hex'), t.scrape_id), ended_at = x.ended_at, lease_until = NULL,
status_code = CASE WHEN x.has_facts THEN x.status_code ELSE t.status_code END,
verdict = CASE WHEN x.has_facts THEN x.verdict ELSE t.verdict END,
title = CASE WHEN x.has_facts THEN x.title ELSE t.title END,
bytes = CASE WHEN x.has_facts THEN x.bytes ELSE t.bytes END
FROM json_to_recordset(?::json) AS x (job text, item bigint, state text, n bigint, tries bigint, run_at bigint, outcome text,
  error text, scrape_id text, ended_at bigint, has_facts boolean, status_code bigint, verdict text, title text, bytes bigint)
WHERE t.job_id = decode(x.job, 'hex') AND t.item = x.item`;

const ADD_ITEMS = `INSERT INTO job_items (job_id, item, n, ref, url, host, fingerprint, depth, parent, request, repeatable, state, error, ended_at)
SELECT decode(job, 'hex'), item, n, ref, url, host, decode(fingerprint, 'hex'), depth, parent, decode(request, 'hex'), repeatable,
  state, error, ended_at
FROM json_to_recordset(?::json) AS x (job text, item bigint, n bigint, ref text, url text, host text, fingerprint text,
  depth bigint, parent bigint, request text, repeatable smallint, state text, error text, ended_at bigint)`;

const PUT_HOSTS = `INSERT INTO job_hosts (job_id, host, queued, running, ready_at, delay_ms, pages)
SELECT decode(job, 'hex'), host, queued, running, ready_at, delay_ms, pages
FROM json_to_recordset(?::json) AS x (job text, host text, queued bigint, running bigint, ready_at bigint, delay_ms bigint, pages bigint)
ON CONFLICT (job_id, host) DO UPDATE SET queued = excluded.queued, running = excluded.running, ready_at = excluded.ready_at,
  delay_ms = excluded.delay_ms, pages = excluded.pages`;

const PUT_COUNTERS = `INSERT INTO job_counters (job_id, counter, count)
SELECT decode(job, 'hex'), decode(counter, 'hex'), count
FROM json_to_recordset(?::json) AS x (job text, counter text, count bigint)
ON CONFLICT (job_id, counter) DO UPDATE SET count = excluded.count`;

const COUNT_BLOCKS = `INSERT INTO job_blocks (job_id, host, block, pages, last_page)
SELECT decode(job, 'hex'), host, block, pages, "lastPage"
FROM json_to_recordset(?::json) AS x (job text, host text, block bigint, pages bigint, "lastPage" bigint)
ON CONFLICT (job_id, host, block) DO UPDATE SET pages = job_blocks.pages + excluded.pages, last_page = excluded.last_page`;

// An array, because PostgreSQL would compare each block with each row of a subquery.
const FORGET_BLOCKS = `DELETE FROM job_blocks WHERE job_id = $1 AND host = $2 AND block = ANY (ARRAY (
SELECT block FROM job_blocks WHERE job_id = $1 AND host = $2 ORDER BY pages DESC, last_page DESC OFFSET ${MAX_BLOCKS}))`;

const ADD_EVENTS = `INSERT INTO job_events (job_id, sequence, at, type, item)
SELECT decode(job, 'hex'), sequence, at, type, item
FROM json_to_recordset(?::json) AS x (job text, sequence bigint, at bigint, type text, item bigint)`;

const ADD_DELIVERIES = `WITH added AS (
  INSERT INTO webhook_deliveries (source_id, sequence, user_id, receiver, type, at, item, queued_at, next_at)
  SELECT decode(job, 'hex'), sequence, decode("user", 'hex'), receiver, type, at, item, at, at
  FROM json_to_recordset($1::json) AS x (job text, sequence bigint, "user" text, receiver text, type text, at bigint, item bigint)
  ORDER BY job, sequence
  RETURNING number, source_id, sequence
)
INSERT INTO webhook_contents (number, sealed)
SELECT added.number, decode(c.content, 'hex')
FROM json_to_recordset($1::json) AS c (job text, sequence bigint, content text)
JOIN added ON added.source_id = decode(c.job, 'hex') AND added.sequence = c.sequence WHERE c.content IS NOT NULL`;

/** Columns of `jobs` that transactions change, with their types. */
const JOB_COLUMNS = {
  ...{ key_id: 'text', state: 'text', outcomes: 'text', pause_reason: 'text' },
  ...{ error: 'text', last_error: 'text' },
  ...{
    queued: 'bigint',
    running: 'bigint',
    ok: 'bigint',
    failed: 'bigint',
    skipped: 'bigint',
    cost: 'bigint',
  },
  ...{
    duplicates: 'bigint',
    unlisted: 'bigint',
    visits: 'bigint',
    pause_since: 'bigint',
    resumes_at: 'bigint',
  },
  ...{ started_at: 'bigint', ended_at: 'bigint', expires_at: 'bigint' },
  ...{ last_item: 'bigint', last_n: 'bigint', last_event: 'bigint' },
} as const;

const COLUMN_NAMES = Object.keys(JOB_COLUMNS) as (keyof typeof JOB_COLUMNS)[];

const CHANGE_JOBS = `UPDATE jobs AS t SET ${COLUMN_NAMES.map((name) => `${name} = x.${name}`).join(', ')}
FROM json_to_recordset(?::json) AS x (id text, ${COLUMN_NAMES.map((name) => `${name} ${JOB_COLUMNS[name]}`).join(', ')})
WHERE t.id = decode(x.id, 'hex')`;

const FIRST_ERROR = `SELECT error FROM job_items WHERE job_id = ? AND error IS NOT NULL ORDER BY item LIMIT 1`;

/** Stores the changes of locked jobs. Each kind of row needs one statement, however many there are. */
export async function writeJobs(connection: PostgresConnection, jobs: readonly LockedJob[]): Promise<void> {
  const put = async (sql: string, rowsOf: (job: LockedJob) => Iterable<object>) => {
    const rows = jobs.flatMap((job) => {
      const id = hexOf(job.row.id);
      return Array.from(rowsOf(job), (row) => ({ job: id, ...row }));
    });
    if (rows.length > 0) await connection.run(sql, [jsonRows(rows)]);
  };
  await put(CHANGE_ITEMS, ({ changes }) =>
    [...changes.values()].map(({ facts = null, ...change }) => ({
      ...change,
      scrape_id: hexOf(change.scrape_id),
      has_facts: facts !== null,
      ...(facts && { status_code: facts.statusCode, ...facts }),
    })),
  );
  await put(ADD_ITEMS, ({ added }) => added);
  await put(PUT_HOSTS, ({ hosts }) => hosts.values());
  await put(PUT_COUNTERS, ({ counters }) =>
    [...counters].flatMap(([counter, { count, isChanged }]) => (isChanged ? [{ counter, count }] : [])),
  );
  await put(COUNT_BLOCKS, ({ blocks }) => blocks.values());
  for (const { row, forgetful } of jobs)
    for (const host of forgetful) await connection.run(FORGET_BLOCKS, [row.id, host]);
  for (const job of jobs) await endIfDone(connection, job);
  await put(ADD_EVENTS, ({ events }) =>
    events.map(({ sequence, at, type, item }) => ({ sequence, at, type, item })),
  );
  await put(ADD_DELIVERIES, deliveriesOf);
  for (const job of jobs.filter(({ row }) => row.tells === 1))
    for (const { type, sequence, at } of job.events)
      if (type === 'done' || type === 'failed')
        for (const [sql, parameters] of tellStatements(
          endOfJob(job.row.id, sequence, { ...job.row, state: type }, at),
        ))
          await connection.run(sql, parameters);
  const rows = jobs.map(({ row }) => ({ ...row, id: hexOf(row.id) }));
  if (rows.length > 0) await connection.run(CHANGE_JOBS, [jsonRows(rows)]);
  const changed = jobs.filter(({ row, stateBefore }) => row.state !== stateBefore);
  if (changed.length > 0)
    await connection.run(`SELECT pg_notify('${JOBS_CHANNEL}', id) FROM unnest(?::text[]) AS id`, [
      changed.map(({ row }) => uuidText(row.id)),
    ]);
}

function deliveriesOf({ row, webhook, events }: LockedJob): object[] {
  const { user_id: user } = row;
  return events
    .filter(({ message }) => message !== null)
    .map(({ sequence, at, item, message, content }) => ({
      ...{ sequence, at, item, type: message, content: hexOf(content) },
      ...{ user: hexOf(user), receiver: webhook!.receiver },
    }));
}

/** Ends a job whose last item has ended. A crawl that visited no page has failed. */
async function endIfDone(connection: PostgresConnection, job: LockedJob): Promise<void> {
  const { row, endedAt } = job;
  if (endedAt === null || row.queued > 0 || row.running > 0 || !job.isOpen) return;
  if (row.kind !== 'crawl' || row.ok > 0) return job.setEnd('done', null, endedAt);
  const { rows } = await connection.run(FIRST_ERROR, [row.id]);
  job.setEnd('failed', (rows[0] as { error: string } | undefined)?.error ?? null, endedAt);
}
