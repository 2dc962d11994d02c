import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { Notification, Notify } from '../../../domain/notifications.ts';
import type { NotificationStore } from '../../../ports/notifications.ts';
import { decodeRow, encodeRow } from '../schema/columns.ts';
import {
  NOTIFICATION_COLUMNS,
  NOTIFY_COLUMNS,
  type NotificationTable,
  type NotificationTables,
} from '../schema/notification-tables.ts';
import { type Db, idBytes } from '../schema/tables.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements, Statement } from './statements.ts';
import { tellStatements } from './tell.ts';

type SourceRow = Omit<NotificationTables['notification_sources'], 'user_id'>;

/** The queries that store who is told of a source, in place of what was stored. @param notify null: nobody */
export function notifyQueries(
  db: Db,
  sourceId: Uint8Array,
  userId: Uint8Array,
  notify: Notify | null,
): readonly CompilableQuery[] {
  return [
    ...forgetNotifyQueries(db, sourceId),
    ...(notify === null
      ? []
      : [
          db
            .insertInto('notification_sources')
            .values({ source_id: sourceId, user_id: userId, ...encodeRow(NOTIFY_COLUMNS, notify) }),
          ...notify.channels.map((channel, position) =>
            insertNotifyChannel(db, sourceId, channel, notify.source, position),
          ),
        ]),
  ];
}

/** @param channel its id */
export const insertNotifyChannel = (
  db: Db,
  sourceId: Uint8Array,
  channel: string,
  source: string,
  position: number,
): CompilableQuery =>
  db
    .insertInto('notification_channels')
    .values({ source_id: sourceId, channel_id: idBytes(channel), source, position })
    .onConflict((conflict) => conflict.doNothing());

export const forgetNotifyQueries = (db: Db, sourceId: Uint8Array): readonly CompilableQuery[] => [
  db.deleteFrom('notification_sources').where('source_id', '=', sourceId),
  db.deleteFrom('notification_channels').where('source_id', '=', sourceId),
];

/** Statements among the queries of a transaction. */
export const queryOf = ([text, parameters]: Statement): CompilableQuery => ({
  compile: () => ({ sql: text, parameters }),
});

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createNotificationStore(
  db: Db,
  read: RunStatements,
  write: RunStatements,
): NotificationStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));

  async function notifyOfAll(sourceIds: readonly string[]): Promise<ReadonlyMap<string, Notify>> {
    if (sourceIds.length === 0) return new Map();
    const ids = sourceIds.map(idBytes);
    const [sources, channels] = await read(
      [
        db
          .selectFrom('notification_sources')
          .select(['source_id', 'source', 'title', 'events'])
          .where('source_id', 'in', ids),
        db
          .selectFrom('notification_channels')
          .select(['source_id', 'channel_id'])
          .where('source_id', 'in', ids)
          .orderBy('position'),
      ].map(statementOf),
    );
    const channelsOf = Map.groupBy(
      channels!.rows as { source_id: Uint8Array; channel_id: Uint8Array }[],
      ({ source_id: id }) => uuidText(id),
    );
    return new Map(
      (sources!.rows as SourceRow[]).map(({ source_id: bytes, ...row }) => {
        const id = uuidText(bytes);
        const ofSource = channelsOf.get(id) ?? [];
        return [
          id,
          {
            ...decodeRow(NOTIFY_COLUMNS, row),
            channels: ofSource.map(({ channel_id: channel }) => uuidText(channel)),
          },
        ];
      }),
    );
  }

  return {
    async setNotify(sourceId, userId, notify) {
      await run(...notifyQueries(db, idBytes(sourceId), idBytes(userId), notify));
    },
    notifyOf: async (sourceId) => (await notifyOfAll([sourceId])).get(sourceId) ?? null,
    notifyOfAll,
    async tell(told) {
      await write(tellStatements({ ...told, sourceId: idBytes(told.sourceId) }));
    },
    async get(number) {
      const query = db.selectFrom('notifications').selectAll().where('number', '=', number);
      const [row] = await rowsOf<NotificationTable>(query);
      return row === undefined ? null : notificationOf(row);
    },
    async find(sourceId, sequence) {
      const query = db
        .selectFrom('notifications')
        .selectAll()
        .where('source_id', '=', idBytes(sourceId))
        .where('sequence', '=', sequence);
      const [row] = await rowsOf<NotificationTable>(query);
      return row === undefined ? null : notificationOf(row);
    },
    async list({ userId, unread }, limit, before) {
      let query = db
        .selectFrom('notifications')
        .selectAll()
        .where('user_id', '=', idBytes(userId))
        .orderBy('number', 'desc')
        .limit(limit);
      if (unread) query = query.where('read_at', 'is', null);
      if (before !== null) query = query.where('number', '<', before);
      return (await rowsOf<NotificationTable>(query)).map(notificationOf);
    },
    async countUnread(userId) {
      const query = db
        .selectFrom('notifications')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', idBytes(userId))
        .where('read_at', 'is', null);
      const [row] = await rowsOf<{ count: number }>(query);
      return row!.count;
    },
    async markRead(userId, which, now) {
      const unread = db
        .updateTable('notifications')
        .set({ read_at: now })
        .where('user_id', '=', idBytes(userId))
        .where('read_at', 'is', null);
      const [result] = await run(
        'upTo' in which
          ? unread.where('number', '<=', which.upTo)
          : unread.where('number', 'in', [...which.numbers]),
      );
      return result!.changes;
    },
    async sweep(before, perUser, limit) {
      const old = db
        .selectFrom('notifications')
        .select('number')
        .where('at', '<', before)
        .orderBy('number')
        .limit(limit);
      const excess = sql<number>`SELECT n.number FROM users AS u JOIN notifications AS n ON n.user_id = u.id
AND n.number <= (SELECT m.number FROM notifications AS m WHERE m.user_id = u.id ORDER BY m.number DESC LIMIT 1 OFFSET ${perUser})
LIMIT ${limit}`;
      const [expired, beyond] = await run(
        db.deleteFrom('notifications').where('number', 'in', old),
        db.deleteFrom('notifications').where(sql<boolean>`number IN (${excess})`),
      );
      return expired!.changes + beyond!.changes;
    },
  };
}

const notificationOf = (row: NotificationTable): Notification => decodeRow(NOTIFICATION_COLUMNS, row);
