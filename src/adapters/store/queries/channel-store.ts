import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { Channel, NotifySource } from '../../../domain/notifications.ts';
import type { ChannelStore } from '../../../ports/notifications.ts';
import { decodeRow, encodeRow } from '../schema/columns.ts';
import { CHANNEL_COLUMNS, CHANNEL_SETTINGS, type ChannelTable } from '../schema/notification-tables.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';
import { insertWebhook } from './webhook-store.ts';

const channelOf = (row: ChannelTable): Channel => decodeRow(CHANNEL_COLUMNS, row);

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createChannelStore(db: Db, read: RunStatements, write: RunStatements): ChannelStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));
  const ofUser = (userId: string) =>
    db
      .selectFrom('channels')
      .innerJoin('webhooks', 'webhooks.source_id', 'channels.id')
      .selectAll('channels')
      .select('webhooks.spec')
      .where('channels.user_id', '=', idBytes(userId));

  return {
    async create({ webhook, ...channel }, limit) {
      const values = encodeRow(CHANNEL_SETTINGS, channel);
      const { id, user_id: userId } = values;
      const count = sql`(SELECT count(*) FROM channels WHERE user_id = ${userId})`;
      const names = Object.keys(values).map((name) => sql.ref(name));
      const insert = sql`INSERT INTO channels (${sql.join(names)}) SELECT ${sql.join(Object.values(values))} WHERE ${count} < ${limit}`;
      const [result] = await run(
        { compile: () => insert.compile(db) },
        insertWebhook(db, id, userId, webhook),
      );
      if (result!.changes > 0) return true;
      await run(db.deleteFrom('webhooks').where('source_id', '=', id));
      return false;
    },
    async get(id, userId) {
      const key = idOrNull(id);
      if (key === null) return null;
      const [row] = await rowsOf<ChannelTable>(ofUser(userId).where('channels.id', '=', key));
      return row === undefined ? null : channelOf(row);
    },
    async list(userId, limit, after) {
      let query = ofUser(userId).orderBy('channels.id', 'desc').limit(limit);
      const cursor = after === null ? null : idOrNull(after);
      if (cursor !== null) query = query.where('channels.id', '<', cursor);
      return (await rowsOf<ChannelTable>(query)).map(channelOf);
    },
    async known(userId, ids) {
      if (ids.length === 0) return [];
      const query = db
        .selectFrom('channels')
        .select('id')
        .where('user_id', '=', idBytes(userId))
        .where(
          'id',
          'in',
          ids.map((id) => idOrNull(id) ?? new Uint8Array()),
        );
      return (await rowsOf<{ id: Uint8Array }>(query)).map(({ id }) => uuidText(id));
    },
    async update(id, { name, webhook }) {
      const key = idBytes(id);
      const channel = db.updateTable('channels').where('id', '=', key);
      const queries: CompilableQuery[] = [];
      if (name !== undefined) queries.push(channel.set({ name }));
      if (webhook !== undefined) {
        const { receiver, spec } = webhook;
        queries.push(
          channel.set({ state: 'ok', failing_since: null, paused_at: null, last_error: null }),
          db.updateTable('webhooks').set({ receiver, spec, gone: 0 }).where('source_id', '=', key),
          // What waits goes to the new place.
          db
            .updateTable('webhook_deliveries')
            .set({ receiver })
            .where('source_id', '=', key)
            .where('state', '=', 'queued'),
        );
      }
      if (queries.length > 0) await run(...queries);
    },
    async resume(id, deliveredAt) {
      const key = idBytes(id);
      await run(
        db
          .updateTable('channels')
          .set({
            state: 'ok',
            failing_since: null,
            paused_at: null,
            last_error: null,
            ...(deliveredAt === null ? {} : { last_delivered_at: deliveredAt }),
          })
          .where('id', '=', key),
        db.updateTable('webhooks').set({ gone: 0 }).where('source_id', '=', key),
      );
    },
    async uses(ids, limit) {
      if (ids.length === 0) return [];
      const query = sql<UseRow>`SELECT t.channel_id, t.source, t.source_id,
  coalesce(m.name, r.name, p.name, j.name, s.title) AS name
FROM notification_channels AS t
LEFT JOIN notification_sources AS s ON s.source_id = t.source_id
LEFT JOIN monitors AS m ON m.id = t.source_id
LEFT JOIN alert_rules AS r ON r.id = t.source_id
LEFT JOIN profiles AS p ON p.id = t.source_id
LEFT JOIN jobs AS j ON j.id = t.source_id
WHERE t.channel_id IN (${sql.join(ids.map(idBytes))})
AND (t.source NOT IN ('job', 'scrape') OR j.state IN ('queued', 'running', 'paused'))
AND (t.source <> 'profile' OR p.id IS NOT NULL)
ORDER BY t.source_id LIMIT ${limit}`;
      const rows = await rowsOf<UseRow>({ compile: () => query.compile(db) });
      return rows.map(({ channel_id: channelId, source, source_id: sourceId, name }) => ({
        channelId: uuidText(channelId),
        source,
        sourceId: uuidText(sourceId),
        name,
      }));
    },
    async delete(id) {
      const key = idBytes(id);
      await run(
        db.deleteFrom('webhook_deliveries').where('state', '=', 'queued').where('source_id', '=', key),
        db.deleteFrom('webhooks').where('source_id', '=', key),
        db.deleteFrom('notification_channels').where('channel_id', '=', key),
        db.deleteFrom('channels').where('id', '=', key),
      );
    },
  };
}

interface UseRow {
  readonly channel_id: Uint8Array;
  readonly source: NotifySource;
  readonly source_id: Uint8Array;
  readonly name: string | null;
}
