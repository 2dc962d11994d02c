import { sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { ClaimedDelivery, DeliveryRow, NewWebhook } from '../../../domain/webhooks.ts';
import type { DeliveryClaim, DeliveryEnd, DeliveryFilter, WebhookStore } from '../../../ports/webhooks.ts';
import { decodeRow } from '../schema/columns.ts';
import {
  type Db,
  DELIVERY_COLUMNS,
  type DeliveryTable,
  idBytes,
  idOrNull,
  type WebhookUserTable,
} from '../schema/tables.ts';
import type { ClaimedDeliveryRow } from './delivery-rules.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

export function insertWebhook(db: Db, id: Uint8Array, userId: Uint8Array, webhook: NewWebhook) {
  const { source, receiver, events, spec } = webhook;
  return db.insertInto('webhooks').values({
    source_id: id,
    user_id: userId,
    source,
    receiver,
    events: JSON.stringify(events),
    spec,
  });
}

function insertTestDelivery(
  db: Db,
  id: Uint8Array,
  userId: Uint8Array,
  { receiver }: NewWebhook,
  now: number,
) {
  return db.insertInto('webhook_deliveries').values({
    source_id: id,
    sequence: 1,
    user_id: userId,
    receiver,
    type: 'webhook.test',
    at: now,
    item: null,
    queued_at: now,
    next_at: now,
  });
}

const deliveryQuery = (db: Db) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.source_id', 'd.source_id')
    .selectAll('d')
    .select(['w.spec', 'w.source']);

/** Numbers of the deliveries of a source: those of its webhook, and those to the channels that were told of its events. */
function numbersOf(db: Db, id: Uint8Array | null) {
  const key = id ?? new Uint8Array();
  const toChannels = db
    .selectFrom('notifications as n')
    .innerJoin('webhook_deliveries as c', 'c.sequence', 'n.number')
    .innerJoin('channels', 'channels.id', 'c.source_id')
    .whereRef('channels.user_id', '=', 'n.user_id')
    .where('n.source_id', '=', key)
    .select('c.number');
  return db
    .selectFrom('webhook_deliveries')
    .where('source_id', '=', key)
    .select('number')
    .unionAll(toChannels);
}

function listQuery(
  db: Db,
  { userId, sourceId, state }: DeliveryFilter,
  limit: number,
  before: number | null,
) {
  let query = deliveryQuery(db).orderBy('d.number', 'desc').limit(limit);
  if (userId !== null) query = query.where('d.user_id', '=', idBytes(userId));
  if (sourceId !== null) query = query.where('d.number', 'in', numbersOf(db, idOrNull(sourceId)));
  if (state !== null) query = query.where('d.state', '=', state);
  return before === null ? query : query.where('d.number', '<', before);
}

function redeliverQuery(db: Db, id: Uint8Array, sequence: number, now: number) {
  return db
    .updateTable('webhook_deliveries')
    .set({ state: 'queued', tries: 0, queued_at: now, next_at: now, error: null })
    .where('source_id', '=', id)
    .where('sequence', '=', sequence)
    .where('state', 'in', ['delivered', 'failed']);
}

function giveUpQuery(db: Db, before: number, error: string, limit: number) {
  const waiting = db
    .selectFrom('webhook_deliveries')
    .select('number')
    .where('state', '=', 'queued')
    .where('queued_at', '<', before)
    .limit(limit);
  return db.updateTable('webhook_deliveries').set({ state: 'failed', error }).where('number', 'in', waiting);
}

/** Deliveries are numbered in the order of their times, so the oldest are found without an index of times. */
function sweepQueries(db: Db, before: number, limit: number) {
  const oldest = db.selectFrom('webhook_deliveries').select(['number', 'at']).orderBy('number').limit(limit);
  const old = db.selectFrom(oldest.as('oldest')).select('number').where('at', '<', before);
  return [
    db.deleteFrom('webhook_deliveries').where('number', 'in', old),
    db
      .deleteFrom('webhooks')
      .where('source', '=', 'test')
      .where('source_id', 'not in', db.selectFrom('webhook_deliveries').select('source_id')),
  ] as const;
}

function putUser(db: Db, userId: Uint8Array, values: Partial<WebhookUserTable>, update: object) {
  return db
    .insertInto('webhook_users')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(update));
}

interface WebhookStoreDeps {
  readonly db: Db;
  readonly read: RunStatements;
  readonly write: RunStatements;
  readonly claimDeliveries: (claim: DeliveryClaim) => Promise<unknown>;
  readonly endDelivery: (end: DeliveryEnd) => Promise<unknown>;
}

export function createWebhookStore(deps: WebhookStoreDeps): WebhookStore {
  const { db, read, write, claimDeliveries, endDelivery } = deps;
  const rowsOf = async (query: CompilableQuery) => (await read([statementOf(query)]))[0]!.rows;
  const change = async (...queries: CompilableQuery[]) => (await write(queries.map(statementOf)))[0]!.changes;
  return {
    async webhookOf(sourceId) {
      const query = db
        .selectFrom('webhooks')
        .select(['source', 'receiver', 'events', 'spec'])
        .where('source_id', '=', idBytes(sourceId));
      const [row] = (await rowsOf(query)) as (Omit<NewWebhook, 'events'> & { events: string })[];
      return row === undefined ? null : { ...row, events: JSON.parse(row.events) };
    },
    async activeOf(sourceIds) {
      if (sourceIds.length === 0) return new Map();
      const query = db
        .selectFrom('webhooks')
        .select(['source_id', 'source', 'receiver', 'events', 'spec'])
        .where('source_id', 'in', sourceIds.map(idBytes))
        .where('gone', '=', 0);
      const rows = (await rowsOf(query)) as (Omit<NewWebhook, 'events'> & {
        source_id: Uint8Array;
        events: string;
      })[];
      return new Map(
        rows.map(({ source_id: id, events, ...row }) => [
          uuidText(id),
          { ...row, events: JSON.parse(events) },
        ]),
      );
    },
    async addTest(id, userId, webhook, now) {
      const ids = [idBytes(id), idBytes(userId)] as const;
      await change(insertWebhook(db, ...ids, webhook), insertTestDelivery(db, ...ids, webhook, now));
    },
    async list(filter, limit, before) {
      return ((await rowsOf(listQuery(db, filter, limit, before))) as DeliveryTable[]).map(deliveryRow);
    },
    async get(sourceId, sequence, userId) {
      const id = idOrNull(sourceId);
      if (id === null) return null;
      let query = deliveryQuery(db).where('d.source_id', '=', id).where('d.sequence', '=', sequence);
      if (userId !== null) query = query.where('d.user_id', '=', idBytes(userId));
      const [row] = (await rowsOf(query)) as DeliveryTable[];
      return row === undefined ? null : deliveryRow(row);
    },
    async nextDue() {
      const { min } = db.fn;
      const deliveries = db.selectFrom('webhook_deliveries');
      const [queued, sending] = await read([
        statementOf(deliveries.select(min('next_at').as('at')).where('state', '=', 'queued')),
        statementOf(deliveries.select(min('lease_until').as('at')).where('state', '=', 'sending')),
      ]);
      const times = [queued!, sending!].map(({ rows }) => (rows[0] as { at: number | null }).at);
      const known = times.filter((at) => at !== null);
      return known.length === 0 ? null : Math.min(...known);
    },
    async claim(request) {
      const rows = (await claimDeliveries(request)) as ClaimedDeliveryRow[];
      return rows.map(
        (row): ClaimedDelivery => ({
          ...deliveryRow(row),
          state: 'sending',
          lease: row.lease,
          contentBytes: row.content_bytes,
          collected: row.collected,
        }),
      );
    },
    async content(number) {
      const query = db.selectFrom('webhook_contents').select('sealed').where('number', '=', number);
      const [row] = (await rowsOf(query)) as { sealed: Uint8Array }[];
      return row?.sealed ?? null;
    },
    end: async (end) => (await endDelivery(end)) as boolean,
    async recover(now) {
      await change(
        db
          .updateTable('webhook_deliveries')
          .set({ state: 'queued', next_at: now })
          .where('state', '=', 'sending'),
      );
    },
    redeliver: async (sourceId, sequence, now) =>
      (await change(redeliverQuery(db, idBytes(sourceId), sequence, now))) > 0,
    giveUp: (before, error, limit) => change(giveUpQuery(db, before, error, limit)),
    sweep: (before, limit) => change(...sweepQueries(db, before, limit)),

    async user(userId) {
      const query = db.selectFrom('webhook_users').selectAll().where('user_id', '=', idBytes(userId));
      const [row] = (await rowsOf(query)) as WebhookUserTable[];
      if (row === undefined) return null;
      const { secret, previous, previous_until: previousUntil, defaults } = row;
      return { secret, previous, previousUntil, defaults };
    },
    async insertSecret(userId, secret) {
      const kept = { secret: sql`coalesce(webhook_users.secret, excluded.secret)` };
      await change(putUser(db, idBytes(userId), { secret }, kept));
    },
    async rotateSecret(userId, secret, previousUntil) {
      const rotated = { secret, previous: sql`webhook_users.secret`, previous_until: previousUntil };
      await change(putUser(db, idBytes(userId), { secret }, rotated));
    },
    async setDefaults(userId, defaults) {
      await change(putUser(db, idBytes(userId), { defaults }, { defaults }));
    },
  };
}

const deliveryRow = (row: DeliveryTable): DeliveryRow => decodeRow(DELIVERY_COLUMNS, row);
