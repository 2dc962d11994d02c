import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type {
  AlertChannel,
  AlertChannelType,
  AlertEvent,
  AlertInstance,
  AlertKind,
  AlertRule,
} from '../../../domain/alerts.ts';
import type { DeliveryState } from '../../../domain/webhooks.ts';
import type {
  AlertChange,
  AlertDelivery,
  AlertRound,
  AlertStore,
  NewAlertChannel,
} from '../../../ports/alerts.ts';
import type { RunStatements } from '../prepared-statements.ts';
import { type CompilableQuery, statementOf } from '../query-compiler.ts';
import { type Db, idBytes, idOrNull } from '../tables.ts';
import { insertWebhook } from '../webhooks/webhook-store.ts';
import type { AlertEventTable, AlertInstanceTable, SelectedAlertRule } from './alert-tables.ts';

/**
 * @param read runs statements in the reader thread
 * @param write runs statements as one transaction in the writer thread
 */
export function createAlertStore(db: Db, read: RunStatements, write: RunStatements): AlertStore {
  const rowsOf = async <T>(query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows as T[];
  const run = async (...queries: readonly CompilableQuery[]) => await write(queries.map(statementOf));
  return { ...createRuleMethods(db, read, run), ...createEventMethods(db, rowsOf, run) };
}

type Run = (...queries: readonly CompilableQuery[]) => ReturnType<RunStatements>;

function createRuleMethods(
  db: Db,
  read: RunStatements,
  run: Run,
): Pick<AlertStore, 'create' | 'get' | 'list' | 'enabled' | 'update' | 'delete'> {
  /** @param rules a query for the ids of the wanted rules */
  async function rulesOf(rules: RulesQuery): Promise<readonly AlertRule[]> {
    const ids = rules.select('id');
    const [found, channels, instances] = await read(
      [
        rules.selectAll().orderBy('id', 'desc'),
        db
          .selectFrom('alert_channels as c')
          .innerJoin('webhooks as w', 'w.source_id', 'c.id')
          .select(['c.id', 'c.rule_id', 'c.type', 'w.spec'])
          .where('c.rule_id', 'in', ids)
          .where('c.position', 'is not', null)
          .orderBy('c.position'),
        db.selectFrom('alert_instances').selectAll().where('rule_id', 'in', ids).orderBy('since'),
      ].map(statementOf),
    );
    return (found!.rows as SelectedAlertRule[]).map((row) =>
      ruleOf(
        row,
        (channels!.rows as ChannelRow[]).filter((channel) => sameId(channel.rule_id, row.id)),
        (instances!.rows as AlertInstanceTable[]).filter((instance) => sameId(instance.rule_id, row.id)),
      ),
    );
  }

  return {
    async create({ channels, ...rule }, limit) {
      const key = idBytes(rule.id);
      const userId = idBytes(rule.userId);
      const values = {
        id: key,
        user_id: userId,
        name: rule.name,
        kind: rule.kind,
        conditions: JSON.stringify(rule.conditions),
        for_s: rule.forS,
        clear_for_s: rule.clearForS,
        enabled: rule.enabled ? 1 : 0,
        created_at: rule.createdAt,
      };
      const count = sql`(SELECT count(*) FROM alert_rules WHERE user_id = ${userId})`;
      const names = Object.keys(values).map((name) => sql.ref(name));
      const insert = sql`INSERT INTO alert_rules (${sql.join(names)}) SELECT ${sql.join(Object.values(values))} WHERE ${count} < ${limit}`;
      // What belongs to a rule that was not stored is deleted by the sweep.
      const [result] = await run(
        { compile: () => insert.compile(db) },
        ...channels.flatMap((channel, position) => insertChannel(db, key, userId, channel, position)),
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
      let query = db.selectFrom('alert_rules').where('user_id', '=', idBytes(userId));
      const cursor = after === null ? null : idOrNull(after);
      if (cursor !== null) query = query.where('id', '<', cursor);
      return await rulesOf(query.orderBy('id', 'desc').limit(limit));
    },
    enabled: () => rulesOf(db.selectFrom('alert_rules').where('enabled', '=', 1)),
    async update(id, change) {
      const key = idBytes(id);
      const columns = changedColumns(change);
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
      let query = db
        .selectFrom('alert_events')
        .selectAll()
        .where('user_id', '=', idBytes(userId))
        .orderBy('id', 'desc')
        .limit(limit);
      if (ruleId !== null) query = query.where('rule_id', '=', idOrNull(ruleId) ?? new Uint8Array());
      const cursor = before === null ? null : idOrNull(before);
      if (cursor !== null) query = query.where('id', '<', cursor);
      return (await rowsOf<AlertEventTable>(query)).map(eventOf);
    },
    async eventOf(channelId, n) {
      const query = db
        .selectFrom('alert_events as e')
        .innerJoin('alert_channels as c', 'c.rule_id', 'e.rule_id')
        .selectAll('e')
        .where('c.id', '=', idBytes(channelId))
        .where('e.n', '=', n);
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
      return (await rowsOf<JoinedDelivery>(query)).map(
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
  readonly spec: Uint8Array;
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
    ...channels.flatMap((channel, position) =>
      typeof channel === 'string'
        ? [
            db
              .updateTable('alert_channels')
              .set({ position })
              .where('rule_id', '=', ruleId)
              .where('id', '=', idBytes(channel)),
          ]
        : insertChannel(db, ruleId, row.user_id, channel, position),
    ),
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
    ...events.map((event) => db.insertInto('alert_events').values(eventColumns(event))),
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
      const { rule_id, subject, ...columns } = instanceColumns(ruleId, instance);
      return db
        .insertInto('alert_instances')
        .values({ rule_id, subject, ...columns })
        .onConflict((conflict) => conflict.columns(['rule_id', 'subject']).doUpdateSet(columns));
    }),
    ...events
      .filter(({ isSilenced }) => !isSilenced)
      .map(({ n, state }) => addDeliveries(db, ruleId, n, state, now)),
    ...late.map((n) => addDeliveries(db, ruleId, n, 'firing', now)),
  ];
}

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

function changedColumns({ name, conditions, forS, clearForS, enabled, silencedUntil }: AlertChange) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    ...(forS === undefined ? {} : { for_s: forS }),
    ...(clearForS === undefined ? {} : { clear_for_s: clearForS }),
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
    ...(silencedUntil === undefined ? {} : { silenced_until: silencedUntil }),
  };
}

const ruleOf = (
  row: SelectedAlertRule,
  channels: readonly ChannelRow[],
  instances: readonly AlertInstanceTable[],
): AlertRule => ({
  id: uuidText(row.id),
  userId: uuidText(row.user_id),
  name: row.name,
  kind: row.kind as AlertKind,
  conditions: JSON.parse(row.conditions),
  forS: row.for_s,
  clearForS: row.clear_for_s,
  enabled: row.enabled === 1,
  silencedUntil: row.silenced_until,
  createdAt: row.created_at,
  lastN: row.last_n,
  channels: channels.map(
    ({ id, type, spec }): AlertChannel => ({ id: uuidText(id), type: type as AlertChannelType, spec }),
  ),
  instances: instances.map(instanceOf),
});

const instanceOf = (row: AlertInstanceTable): AlertInstance => ({
  subject: row.subject,
  state: row.state as AlertInstance['state'],
  since: row.since,
  value: row.value,
  summary: row.summary,
  seenAt: row.seen_at,
  calmSince: row.calm_since,
  firedN: row.fired_n,
  isNotified: row.notified === 1,
});

const instanceColumns = (ruleId: Uint8Array, instance: AlertInstance) => ({
  rule_id: ruleId,
  subject: instance.subject,
  state: instance.state,
  since: instance.since,
  value: instance.value,
  summary: instance.summary,
  seen_at: instance.seenAt,
  calm_since: instance.calmSince,
  fired_n: instance.firedN,
  notified: instance.isNotified ? 1 : 0,
});

const eventOf = (row: AlertEventTable): AlertEvent => ({
  id: uuidText(row.id),
  ruleId: uuidText(row.rule_id),
  n: row.n,
  userId: uuidText(row.user_id),
  state: row.state as AlertEvent['state'],
  at: row.at,
  name: row.name,
  kind: row.kind as AlertKind,
  subject: row.subject,
  value: row.value,
  threshold: row.threshold,
  since: row.since,
  summary: row.summary,
  isSilenced: row.silenced === 1,
});

const eventColumns = (event: AlertEvent) => ({
  id: idBytes(event.id),
  rule_id: idBytes(event.ruleId),
  n: event.n,
  user_id: idBytes(event.userId),
  state: event.state,
  at: event.at,
  name: event.name,
  kind: event.kind,
  subject: event.subject,
  value: event.value,
  threshold: event.threshold,
  since: event.since,
  summary: event.summary,
  silenced: event.isSilenced ? 1 : 0,
});
