import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { AlertChannel, AlertChannelType, AlertEvent, AlertRule } from '../../../domain/alerts.ts';
import type { DeliveryState } from '../../../domain/webhooks.ts';
import type {
  AlertChange,
  AlertDelivery,
  AlertRound,
  AlertStore,
  NewAlertChannel,
} from '../../../ports/alerts.ts';
import {
  ALERT_EVENT_COLUMNS,
  ALERT_INSTANCE_COLUMNS,
  ALERT_RULE_COLUMNS,
  ALERT_RULE_SETTINGS,
  type AlertEventTable,
  type AlertInstanceTable,
  type AlertRuleTable,
} from '../schema/alert-tables.ts';
import { decodeRow, encodeChange, encodeRow } from '../schema/columns.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { forgetNotifyQueries, insertNotifyChannel, queryOf } from './notification-store.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';
import { tellUserStatements } from './tell.ts';
import { insertWebhook } from './webhook-store.ts';

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createAlertStore(db: Db, read: RunStatements, write: RunStatements): AlertStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));
  return { ...createRuleMethods(db, read, run), ...createEventMethods(db, rowsOf, run) };
}

/** No row has it. */
const NO_ID = new Uint8Array(16);

type Run = (...queries: readonly CompilableQuery[]) => ReturnType<RunStatements>;

function createRuleMethods(
  db: Db,
  read: RunStatements,
  run: Run,
): Pick<AlertStore, 'create' | 'get' | 'list' | 'enabled' | 'update' | 'delete'> {
  /** @param rules a query for the ids of the wanted rules */
  async function rulesOf(rules: RulesQuery): Promise<readonly AlertRule[]> {
    const ids = rules.select('id');
    const [found, own, shared, instances] = await read(
      [
        rules.selectAll().orderBy('id', 'desc'),
        db
          .selectFrom('alert_channels as c')
          .innerJoin('webhooks as w', 'w.source_id', 'c.id')
          .select(['c.id', 'c.rule_id', 'c.type', 'c.position', 'w.spec'])
          .where('c.rule_id', 'in', ids)
          .where('c.position', 'is not', null),
        db
          .selectFrom('notification_channels as t')
          .innerJoin('channels as c', 'c.id', 't.channel_id')
          .innerJoin('webhooks as w', 'w.source_id', 'c.id')
          .select(['c.id', 't.source_id as rule_id', 'c.type', 't.position', 'w.spec', 'c.name'])
          .where('t.source_id', 'in', ids),
        db.selectFrom('alert_instances').selectAll().where('rule_id', 'in', ids).orderBy('since'),
      ].map(statementOf),
    );
    const channels = [...own!.rows, ...shared!.rows] as ChannelRow[];
    channels.sort((a, b) => a.position - b.position);
    return (found!.rows as AlertRuleTable[]).map((row) =>
      ruleOf(
        row,
        channels.filter((channel) => sameId(channel.rule_id, row.id)),
        (instances!.rows as AlertInstanceTable[]).filter((instance) => sameId(instance.rule_id, row.id)),
      ),
    );
  }

  return {
    async create({ channels, ...rule }, limit) {
      const values = encodeRow(ALERT_RULE_SETTINGS, rule);
      const { id: key, user_id: userId } = values;
      const count = sql`(SELECT count(*) FROM alert_rules WHERE user_id = ${userId})`;
      const names = Object.keys(values).map((name) => sql.ref(name));
      const insert = sql`INSERT INTO alert_rules (${sql.join(names)}) SELECT ${sql.join(Object.values(values))} WHERE ${count} < ${limit}`;
      // What belongs to a rule that was not stored is deleted by the sweep.
      const [result] = await run(
        { compile: () => insert.compile(db) },
        ...channels.flatMap((channel, position) =>
          'shared' in channel
            ? [insertNotifyChannel(db, key, channel.shared, 'alert', position)]
            : insertChannel(db, key, userId, channel, position),
        ),
      );
      return result!.changes > 0;
    },
    async get(id, userId) {
      const key = idOrNull(id);
      if (key === null) return null;
      let query = db.selectFrom('alert_rules').where('id', '=', key);
      if (userId !== null) query = query.where('user_id', '=', idBytes(userId));
      return (await rulesOf(query))[0] ?? null;
    },
    async list(userId, limit, after) {
      let query = db.selectFrom('alert_rules').where('id', 'is not', null);
      if (userId !== null) query = query.where('user_id', '=', idOrNull(userId) ?? NO_ID);
      const cursor = after === null ? null : idOrNull(after);
      if (cursor !== null) query = query.where('id', '<', cursor);
      return await rulesOf(query.orderBy('id', 'desc').limit(limit));
    },
    enabled: () => rulesOf(db.selectFrom('alert_rules').where('enabled', '=', 1)),
    async update(id, change) {
      const key = idBytes(id);
      const columns = encodeChange(ALERT_RULE_COLUMNS, change);
      await run(
        ...(Object.keys(columns).length === 0
          ? []
          : [db.updateTable('alert_rules').set(columns).where('id', '=', key)]),
        ...(change.enabled === false ? [db.deleteFrom('alert_instances').where('rule_id', '=', key)] : []),
        ...(change.channels === undefined ? [] : await replaceChannels(db, read, key, change.channels)),
      );
    },
    async delete(id) {
      const key = idBytes(id);
      const channels = db.selectFrom('alert_channels').select('id').where('rule_id', '=', key);
      await run(
        db.deleteFrom('webhook_deliveries').where('state', '=', 'queued').where('source_id', 'in', channels),
        db.deleteFrom('webhooks').where('source_id', 'in', channels),
        db.deleteFrom('alert_channels').where('rule_id', '=', key),
        ...forgetNotifyQueries(db, key),
        db.deleteFrom('alert_instances').where('rule_id', '=', key),
        db.deleteFrom('alert_events').where('rule_id', '=', key),
        db.deleteFrom('alert_rules').where('id', '=', key),
      );
    },
  };
}

function createEventMethods(
  db: Db,
  rowsOf: <T>(query: CompilableQuery) => Promise<T[]>,
  run: Run,
): Pick<AlertStore, 'record' | 'events' | 'eventOf' | 'deliveries' | 'sweep'> {
  return {
    async record(round) {
      await run(...roundQueries(db, round));
    },
    async events({ userId, ruleId }, limit, before) {
      let query = db.selectFrom('alert_events').selectAll().orderBy('id', 'desc').limit(limit);
      if (userId !== null) query = query.where('user_id', '=', idOrNull(userId) ?? NO_ID);
      if (ruleId !== null) query = query.where('rule_id', '=', idOrNull(ruleId) ?? new Uint8Array());
      const cursor = before === null ? null : idOrNull(before);
      if (cursor !== null) query = query.where('id', '<', cursor);
      return (await rowsOf<AlertEventTable>(query)).map(eventOf);
    },
    async eventOf(id, n) {
      const key = idBytes(id);
      const ofChannel = db.selectFrom('alert_channels').select('rule_id').where('id', '=', key);
      const query = db
        .selectFrom('alert_events')
        .selectAll()
        .where((eb) => eb.or([eb('rule_id', '=', key), eb('rule_id', 'in', ofChannel)]))
        .where('n', '=', n);
      const [row] = await rowsOf<AlertEventTable>(query);
      return row === undefined ? null : eventOf(row);
    },
    async deliveries(eventIds) {
      if (eventIds.length === 0) return [];
      const query = db
        .selectFrom('alert_events as e')
        .innerJoin('alert_channels as c', 'c.rule_id', 'e.rule_id')
        .innerJoin('webhook_deliveries as d', (join) =>
          join.onRef('d.source_id', '=', 'c.id').onRef('d.sequence', '=', 'e.n'),
        )
        .select(['e.id', 'c.type', 'd.state', 'd.status', 'd.error', 'd.tries', 'd.last_at'])
        .where('e.id', 'in', eventIds.map(idBytes))
        .orderBy('d.number');
      // Of channels of the user, deliveries have the number of the notification.
      const shared = db
        .selectFrom('alert_events as e')
        .innerJoin('notifications as n', (join) =>
          join.onRef('n.source_id', '=', 'e.rule_id').onRef('n.sequence', '=', 'e.n'),
        )
        .innerJoin('notification_channels as t', 't.source_id', 'e.rule_id')
        .innerJoin('channels as c', 'c.id', 't.channel_id')
        .innerJoin('webhook_deliveries as d', (join) =>
          join.onRef('d.source_id', '=', 'c.id').onRef('d.sequence', '=', 'n.number'),
        )
        .select(['e.id', 'c.type', 'd.state', 'd.status', 'd.error', 'd.tries', 'd.last_at'])
        .where('e.id', 'in', eventIds.map(idBytes))
        .orderBy('d.number');
      const rows = [...(await rowsOf<JoinedDelivery>(query)), ...(await rowsOf<JoinedDelivery>(shared))];
      return rows.map(
        ({ id, type, state, status, error, tries, last_at: lastAt }): AlertDelivery => ({
          eventId: uuidText(id),
          type: type as AlertChannelType,
          state: state as DeliveryState,
          status,
          error,
          tries,
          lastAt,
        }),
      );
    },
    async sweep(before) {
      const rules = db.selectFrom('alert_rules').select('id');
      const delivered = db.selectFrom('webhook_deliveries').select('source_id');
      const used = db
        .selectFrom('alert_channels')
        .select('id')
        .where('position', 'is not', null)
        .where('rule_id', 'in', rules);
      await run(
        db.deleteFrom('alert_events').where('at', '<', before),
        db.deleteFrom('alert_instances').where('rule_id', 'not in', rules),
        db
          .deleteFrom('notification_channels')
          .where('source', '=', 'alert')
          .where('source_id', 'not in', rules),
        db
          .deleteFrom('webhooks')
          .where('source', '=', 'alert')
          .where('source_id', 'not in', used)
          .where('source_id', 'not in', delivered),
        db
          .deleteFrom('alert_channels')
          .where('id', 'not in', db.selectFrom('webhooks').select('source_id').where('source', '=', 'alert')),
      );
    },
  };
}

type RulesQuery = ReturnType<typeof rulesQuery>;
const rulesQuery = (db: Db) => db.selectFrom('alert_rules').where('enabled', '=', 1);

interface ChannelRow {
  readonly id: Uint8Array;
  readonly rule_id: Uint8Array;
  readonly type: string;
  readonly position: number;
  readonly spec: Uint8Array;
  /** Only of channels of the user. */
  readonly name?: string;
}

interface JoinedDelivery {
  readonly id: Uint8Array;
  readonly type: string;
  readonly state: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly tries: number;
  readonly last_at: number | null;
}

const sameId = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const insertChannel = (
  db: Db,
  ruleId: Uint8Array,
  userId: Uint8Array,
  { id, type, webhook }: NewAlertChannel,
  position: number,
): readonly CompilableQuery[] => [
  db.insertInto('alert_channels').values({ id: idBytes(id), rule_id: ruleId, position, type }),
  insertWebhook(db, idBytes(id), userId, webhook),
];

/** Channels that are left out get nothing more. Their rows stay as long as their deliveries. */
async function replaceChannels(
  db: Db,
  read: RunStatements,
  ruleId: Uint8Array,
  channels: NonNullable<AlertChange['channels']>,
): Promise<readonly CompilableQuery[]> {
  const owner = db.selectFrom('alert_rules').select('user_id').where('id', '=', ruleId);
  const [found] = await read([statementOf(owner)]);
  const [row] = found!.rows as { user_id: Uint8Array }[];
  if (row === undefined) return [];
  const ofRule = db.selectFrom('alert_channels').select('id').where('rule_id', '=', ruleId);
  const stay = channels.filter((channel) => typeof channel === 'string').map(idBytes);
  const gone = stay.length === 0 ? ofRule : ofRule.where('id', 'not in', stay);
  return [
    db.updateTable('webhooks').set({ gone: 1 }).where('source_id', 'in', gone),
    db.updateTable('alert_channels').set({ position: null }).where('rule_id', '=', ruleId),
    ...forgetNotifyQueries(db, ruleId),
    ...channels.flatMap((channel, position) => {
      if (typeof channel !== 'string')
        return 'shared' in channel
          ? [insertNotifyChannel(db, ruleId, channel.shared, 'alert', position)]
          : insertChannel(db, ruleId, row.user_id, channel, position);
      return [
        db
          .updateTable('alert_channels')
          .set({ position })
          .where('rule_id', '=', ruleId)
          .where('id', '=', idBytes(channel)),
      ];
    }),
  ];
}

function roundQueries(
  db: Db,
  { rule, events, instances, removed, late, now }: AlertRound,
): CompilableQuery[] {
  const ruleId = idBytes(rule.id);
  const ofRule = db.deleteFrom('alert_instances').where('rule_id', '=', ruleId);
  const lastN = Math.max(rule.lastN, ...events.map(({ n }) => n));
  return [
    ...(removed.length === 0 ? [] : [ofRule.where('subject', 'in', [...removed])]),
    // The number is unique, so a second evaluation that has read the same rule stores nothing.
    ...events.map((event) => db.insertInto('alert_events').values(encodeRow(ALERT_EVENT_COLUMNS, event))),
    ...(events.length === 0
      ? []
      : [db.updateTable('alert_rules').set({ last_n: lastN }).where('id', '=', ruleId)]),
    ...(late.length === 0
      ? []
      : [
          db
            .updateTable('alert_events')
            .set({ silenced: 0 })
            .where('rule_id', '=', ruleId)
            .where('n', 'in', [...late]),
        ]),
    ...instances.map((instance) => {
      const { subject, ...columns } = encodeRow(ALERT_INSTANCE_COLUMNS, instance);
      return db
        .insertInto('alert_instances')
        .values({ rule_id: ruleId, subject, ...columns })
        .onConflict((conflict) => conflict.columns(['rule_id', 'subject']).doUpdateSet(columns));
    }),
    ...events
      .filter(({ isSilenced }) => !isSilenced)
      .flatMap(({ n, state, summary }) => [
        addDeliveries(db, ruleId, n, state, now),
        ...tellUser(rule, n, state, summary, now),
      ]),
    ...late.flatMap((n) => [
      addDeliveries(db, ruleId, n, 'firing', now),
      ...tellUser(rule, n, 'firing', instances.find(({ firedN }) => firedN === n)?.summary ?? '', now),
    ]),
  ];
}

const tellUser = (
  { id, userId, name }: AlertRound['rule'],
  sequence: number,
  state: AlertEvent['state'],
  summary: string,
  at: number,
): CompilableQuery[] =>
  tellUserStatements({
    userId: idBytes(userId),
    sourceId: idBytes(id),
    sequence,
    type: `alert.${state}`,
    at,
    title: name,
    facts: { summary },
  }).map(queryOf);

/** A delivery of the event for each channel of the rule. */
function addDeliveries(
  db: Db,
  ruleId: Uint8Array,
  n: number,
  state: AlertEvent['state'],
  now: number,
): CompilableQuery {
  const insert = sql`INSERT INTO webhook_deliveries (source_id, sequence, user_id, receiver, type, at, queued_at, next_at)
SELECT w.source_id, ${n}, w.user_id, w.receiver, ${`alert.${state}`}, ${now}, ${now}, ${now}
FROM alert_channels AS c JOIN webhooks AS w ON w.source_id = c.id
WHERE c.rule_id = ${ruleId} AND c.position IS NOT NULL AND w.gone = 0`;
  return { compile: () => insert.compile(db) };
}

const ruleOf = (
  row: AlertRuleTable,
  channels: readonly ChannelRow[],
  instances: readonly AlertInstanceTable[],
): AlertRule => ({
  ...decodeRow(ALERT_RULE_COLUMNS, row),
  channels: channels.map(
    ({ id, type, spec, name }): AlertChannel => ({
      id: uuidText(id),
      type: type as AlertChannelType,
      spec,
      sharedName: name ?? null,
    }),
  ),
  instances: instances.map((instance) => decodeRow(ALERT_INSTANCE_COLUMNS, instance)),
});

const eventOf = (row: AlertEventTable): AlertEvent => decodeRow(ALERT_EVENT_COLUMNS, row);
