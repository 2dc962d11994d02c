import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import pg from 'pg';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import { postgresDialect } from '../../../src/adapters/store/postgres/records/postgres-record-store.ts';
import { createPostgresCompiler, statementOf } from '../../../src/adapters/store/queries/query-compiler.ts';
import { listQuery, recordRange, scanEndQuery } from '../../../src/adapters/store/queries/record-lists.ts';
import type { RecordFilter } from '../../../src/domain/record.ts';
import { ANNA, BERT, filter } from '../../contracts/samples.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';

interface PlanNode {
  readonly Plans?: readonly PlanNode[];
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
}

const LIMIT = 51;
/** Each partition gives one row to be compared with those of the others. */
const PARTITIONS = 10;
/** Of each user. */
const RECORDS = 40_000;
const { ofUser, ofAllUsers } = postgresDialect.maxScanned;

/** Records of ANNA, then of BERT, in the last second. */
const FILL = `INSERT INTO records (id, user_id, created_at, url, host, outcome, duration_ms, tags, has_screenshot, content_in_blob)
SELECT decode(lpad(to_hex($1::bigint), 12, '0') || '7000' || '8' || lpad(to_hex(n), 15, '0'), 'hex'),
  CASE WHEN n <= ${RECORDS} THEN $2::bytea ELSE $3::bytea END, $1, 'https://example.com/' || n, 'example.com', 'ok', 12,
  '{"team":"blue"}', 0, 0
FROM generate_series(1, ${2 * RECORDS}) AS n`;

const bytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** Rows that the nodes which read tables and indexes have read. */
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  if (node['Relation Name'] === undefined) return below;
  return below + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

describe('PostgreSQL: rows that a list of records reads', { skip: noPostgres }, () => {
  let url = '';
  const db = createPostgresCompiler();

  before(async () => {
    url = await testDatabase();
    await (await openPostgresStore({ url, directUrl: null, readUrl: null })).close();
    const client = new pg.Client(url);
    await client.connect();
    await client.query(FILL, [Date.now(), bytes(ANNA), bytes(BERT)]);
    await client.query('ANALYZE');
    await client.end();
  });

  async function readBy(query: Parameters<typeof statementOf>[0]): Promise<number> {
    const [text, values] = statementOf(query);
    const client = new pg.Client(url);
    await client.connect();
    try {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
      return rowsRead((rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan);
    } finally {
      await client.end();
    }
  }

  const list = (change: Partial<RecordFilter>) => {
    const by = filter(change);
    return readBy(listQuery(db, postgresDialect, by, recordRange(by, null)!, LIMIT));
  };

  test('a page of a user is read without the newer records of others', async () => {
    for (const userId of [ANNA, BERT, null])
      for (const oldestFirst of [false, true]) {
        const read = await list({ userId, oldestFirst });
        assert.ok(read >= LIMIT && read <= LIMIT + PARTITIONS, `${userId} ${oldestFirst}: ${read} rows`);
      }
  });

  test('a filter without matches ends after so many rows, whatever the planner believes', async () => {
    const filters: Partial<RecordFilter>[] = [
      { status: 418 },
      { host: 'none.example' },
      { host: '*none*' },
      { tag: { name: 'team', value: 'red' } },
      { keyId: 'none', oldestFirst: true },
    ];
    for (const userId of [ANNA, BERT, null])
      for (const change of filters) {
        const most = userId === null ? ofAllUsers : ofUser;
        const read = await list({ ...change, userId });
        assert.ok(
          read >= most && read <= most + PARTITIONS,
          `${userId} ${JSON.stringify(change)}: ${read} rows`,
        );
        const range = recordRange(filter({ ...change, userId }), null)!;
        const end = await readBy(scanEndQuery(db, postgresDialect, range));
        assert.ok(end >= most && end <= most + PARTITIONS, `${userId}: the end is found by ${end} rows`);
      }
  });
});
