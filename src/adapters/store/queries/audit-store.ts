import { type Expression, sql } from 'kysely';
import { uuidText } from '../../../base/uuid7.ts';
import type { AuditEvent, AuditFilter } from '../../../domain/audit.ts';
import type { AuditStore } from '../../../ports/audit.ts';
import type { AuditTable } from '../schema/sign-in-tables.ts';
import { type Db, idBytes, idOrNull } from '../schema/tables.ts';
import { type CompilableQuery, statementOf } from './query-compiler.ts';
import type { RunStatements } from './statements.ts';

const optionalId = (id: string | null): Uint8Array | null => (id === null ? null : idBytes(id));

function rowOf({ id, at, action, actor, userId, target, address, details }: AuditEvent): AuditTable {
  return {
    id: idBytes(id),
    at,
    action,
    actor_user_id: optionalId(actor.userId),
    actor_key_id: actor.keyId,
    via: actor.via,
    user_id: optionalId(userId),
    target_type: target?.type ?? null,
    target_id: target?.id ?? null,
    address,
    details: JSON.stringify(details),
  };
}

function eventOf(row: AuditTable): AuditEvent {
  const textOrNull = (id: Uint8Array | null) => (id === null ? null : uuidText(id));
  const target = { type: row.target_type, id: row.target_id } as AuditEvent['target'];
  return {
    id: uuidText(row.id),
    at: row.at,
    action: row.action as AuditEvent['action'],
    actor: {
      userId: textOrNull(row.actor_user_id),
      keyId: row.actor_key_id,
      via: row.via as AuditEvent['actor']['via'],
    },
    userId: textOrNull(row.user_id),
    target: row.target_type === null ? null : target,
    address: row.address,
    details: JSON.parse(row.details),
  };
}

export function appendAudit(db: Db, event: AuditEvent) {
  return db.insertInto('audit_events').values(rowOf(event));
}

/** Adds the event if `rows`, a query of the same transaction, finds something. */
export function appendAuditIf(db: Db, event: AuditEvent, rows: Expression<unknown>) {
  const row = rowOf(event);
  const values = sql`SELECT ${sql.join(Object.values(row))} WHERE EXISTS ${rows}`;
  return (
    db
      .insertInto('audit_events')
      .columns(Object.keys(row) as (keyof AuditTable)[])
      // biome-ignore lint/suspicious/noExplicitAny: Kysely has no type for a SELECT without FROM.
      .expression(values as any)
  );
}

/** The statements that add an event, before the change that it tells of. @param rows what the change will find */
export const auditBefore = (
  db: Db,
  audit: AuditEvent | undefined,
  rows: Expression<unknown>,
): CompilableQuery[] => (audit === undefined ? [] : [appendAuditIf(db, audit, rows)]);

export const appended = (db: Db, audit: AuditEvent | undefined): CompilableQuery[] =>
  audit === undefined ? [] : [appendAudit(db, audit)];

function listQuery(db: Db, filter: AuditFilter, limit: number, after: string | null) {
  const { action, userId, targetId, from, to } = filter;
  let query = db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(limit);
  if (after !== null) query = query.where('id', '<', idBytes(after));
  if (action !== null) query = query.where('action', '=', action);
  if (targetId !== null) query = query.where('target_id', '=', targetId);
  if (from !== null) query = query.where('at', '>=', from);
  if (to !== null) query = query.where('at', '<', to);
  if (userId !== null) {
    // The nil UUID has no events.
    const id = idOrNull(userId) ?? new Uint8Array(16);
    query = query.where((eb) => eb.or([eb('actor_user_id', '=', id), eb('user_id', '=', id)]));
  }
  return query;
}

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread, in one transaction
 */
export function createAuditStore(db: Db, read: RunStatements, write: RunStatements): AuditStore {
  return {
    async append(event) {
      await write([statementOf(appendAudit(db, event))]);
    },
    async list(filter, limit, after) {
      const [result] = await read([statementOf(listQuery(db, filter, limit, after))]);
      return (result!.rows as AuditTable[]).map(eventOf);
    },
    async sweep(before, max) {
      const oldest = db.selectFrom('audit_events').select('id').orderBy('id', 'desc').limit(1).offset(max);
      await write([
        statementOf(db.deleteFrom('audit_events').where('at', '<', before)),
        statementOf(db.deleteFrom('audit_events').where('id', '<=', oldest)),
      ]);
    },
  };
}
