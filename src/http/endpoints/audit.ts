import { Type } from 'typebox';
import { OPERATOR } from '../../account/account-actions.ts';
import type { Accounts } from '../../account/accounts.ts';
import { uuidBytes } from '../../base/uuid7.ts';
import { AUDIT_ACTIONS, AUDIT_TARGETS, AUDIT_WAYS, type AuditEvent } from '../../domain/audit.ts';
import { closed, orNull, textOrNull } from '../../domain/json-schema.ts';
import type { AuditStore } from '../../ports/audit.ts';
import { StorageError } from '../../ports/store.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { csvLine, EXPORT_MEDIA_TYPES } from '../../wire/record/record-list.ts';
import type { ExportFormat } from '../../wire/record/record-query.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import { endpoint } from '../core/endpoint.ts';
import { json, text } from '../core/responses.ts';
import { sendStream } from '../core/streaming.ts';
import { MAX_PAGE_SIZE, pageOf, pageParameters } from '../operations/page.ts';

const Email = textOrNull('Its present e-mail address; of a deleted user, the address at that time.');
const AuditEntry = closed(
  {
    id: Type.String({ format: 'uuid' }),
    at: Type.String({ format: 'date-time' }),
    actor: closed({
      user_id: textOrNull('null: the operator at the command line, or a failed sign-in of an unknown user.'),
      email: Email,
      key_id: orNull(Type.String()),
      key_name: textOrNull('Its present name, also if it was revoked.'),
      via: Type.Enum([...AUDIT_WAYS], {
        description:
          '`sign_in`: with a password or a link. `command_line`: also settings applied at the start.',
      }),
    }),
    action: Type.Enum([...AUDIT_ACTIONS]),
    user_id: textOrNull('User whose account it concerns.'),
    email: Email,
    target: orNull(
      closed({
        type: Type.Enum([...AUDIT_TARGETS]),
        id: Type.String(),
        name: textOrNull(
          'The present name of a key, the e-mail address of a user, also if it was deleted, or the name of an alert, a channel or a profile at that time; otherwise as `id`. null: a session, or not known.',
        ),
      }),
    ),
    address: textOrNull('IP address of the caller.'),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`changed`: names of the fields that were set. Never their values, except e-mail addresses and roles of users, names of alerts, and `scraper` and `proxy_type` of a pin.',
    }),
  },
  { title: 'AuditEntry' },
);
const AuditPage = closed(
  { items: Type.Array(AuditEntry), next_cursor: orNull(Type.String()) },
  { title: 'AuditPage' },
);

const textOf = (detail: AuditEvent['details'][string] | undefined): string | null =>
  typeof detail === 'string' ? detail : null;

function entryOf(accounts: Accounts, event: AuditEvent) {
  const emailOf = (id: string | null) =>
    id === null ? null : (accounts.findUser(OPERATOR, id)?.email ?? null);
  const keyNameOf = (id: string | null) =>
    id === null ? null : (accounts.findKey(OPERATOR, id)?.name ?? null);
  const targetName = ({ type, id }: NonNullable<AuditEvent['target']>): string | null => {
    if (type === 'session') return null;
    if (type === 'user') return userEmail;
    if (type === 'key') return keyNameOf(id);
    if (type === 'alert' || type === 'profile' || type === 'channel') return textOf(details.name);
    return id;
  };
  const { actor, target, details } = event;
  const userEmail = emailOf(event.userId) ?? textOf(details.email);
  return {
    id: event.id,
    at: formatDateTime(event.at),
    actor: {
      user_id: actor.userId,
      email: emailOf(actor.userId),
      key_id: actor.keyId,
      key_name: keyNameOf(actor.keyId),
      via: actor.via,
    },
    action: event.action,
    user_id: event.userId,
    email: userEmail,
    target: target === null ? null : { ...target, name: targetName(target) },
    address: event.address,
    details,
  };
}
type Entry = ReturnType<typeof entryOf>;

const CSV_COLUMNS: Readonly<Record<string, (entry: Entry) => unknown>> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  actor_user_id: ({ actor }) => actor.user_id,
  actor_email: ({ actor }) => actor.email,
  actor_key_id: ({ actor }) => actor.key_id,
  actor_key_name: ({ actor }) => actor.key_name,
  via: ({ actor }) => actor.via,
  action: ({ action }) => action,
  user_id: ({ user_id: id }) => id,
  email: ({ email }) => email,
  target_type: ({ target }) => target?.type,
  target_id: ({ target }) => target?.id,
  target_name: ({ target }) => target?.name,
  address: ({ address }) => address,
  details: ({ details }) => details,
};

const FORMATS = ['json', 'jsonl', 'csv'] as const;
/** The description of the endpoint names the same number. */
const MAX_EXPORT_LINES = 100_000;

const QUERY = {
  parameters: {
    action: { description: 'Only this action.', schema: Type.Enum([...AUDIT_ACTIONS]) },
    user_id: {
      description: 'Only what this user did, or what concerns the account of this user.',
      schema: Type.String(),
    },
    target_id: {
      description: 'Only what concerns the user, key, session, site, pool, vendor or alert with this id.',
      schema: Type.String(),
    },
    from: { description: 'At or after this time.', schema: Type.String({ format: 'date-time' }) },
    to: { description: 'Before this time.', schema: Type.String({ format: 'date-time' }) },
    ...pageParameters('Maximum number of entries per page.'),
    format: {
      description:
        '`jsonl` (one JSON object per line) and `csv` export all entries that match, without pages.',
      schema: Type.Enum([...FORMATS], { default: 'json' }),
    },
  },
  read(query: QueryReader) {
    const cursor = query.text('cursor');
    if (cursor !== null && uuidBytes(cursor) === null)
      query.addProblem('cursor', 'is not a cursor of this list');
    return {
      filter: {
        action: query.oneOf('action', AUDIT_ACTIONS),
        userId: query.text('user_id'),
        targetId: query.text('target_id'),
        from: query.dateTime('from'),
        to: query.dateTime('to'),
      },
      limit: query.integer('limit', 1, MAX_PAGE_SIZE) ?? 50,
      cursor,
      format: query.oneOf('format', FORMATS) ?? 'json',
    };
  },
};
type Filter = ReturnType<(typeof QUERY)['read']>['filter'];

async function* exportPieces(
  audit: AuditStore,
  accounts: Accounts,
  { filter, format, after }: { filter: Filter; format: ExportFormat; after: string | null },
): AsyncGenerator<string> {
  const lineOf = (entry: Entry) =>
    format === 'jsonl'
      ? `${JSON.stringify(entry)}\n`
      : csvLine(Object.values(CSV_COLUMNS).map((cellOf) => cellOf(entry)));
  let head = format === 'csv' ? csvLine(Object.keys(CSV_COLUMNS)) : '';
  let last = after;
  for (let remaining = MAX_EXPORT_LINES; remaining > 0; remaining -= MAX_PAGE_SIZE) {
    const events = await audit.list(filter, MAX_PAGE_SIZE, last);
    yield head + events.map((event) => lineOf(entryOf(accounts, event))).join('');
    head = '';
    if (events.length < MAX_PAGE_SIZE) return;
    last = events.at(-1)!.id;
  }
}

export const AUDIT = [
  endpoint({
    method: 'get',
    path: '/api/v1/audit/',
    operationId: 'listAudit',
    summary: 'List the audit log',
    description:
      'Who signed in (and who failed to), and who changed users, keys and settings. The newest first. Entries are kept for 400 days, at most 500,000. Exports have at most 100,000 lines; for more, repeat the request with `cursor` set to the last `id`.',
    access: 'role:admin',
    query: QUERY,
    responses: {
      200: {
        ...json('A page of entries, or the export.', AuditPage),
        content: {
          ...json('', AuditPage).content,
          ...text('', 'application/x-ndjson', 'text/csv').content,
        },
      },
    },
    handler: async (
      { query: { filter, limit, cursor, format }, reply },
      { store: { audit }, accounts, logger },
    ) => {
      const after = cursor?.toLowerCase() ?? null;
      if (format !== 'json') {
        reply.headers({
          'content-type': EXPORT_MEDIA_TYPES[format],
          'content-disposition': `attachment; filename="audit.${format}"`,
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-store',
        });
        return sendStream(reply, exportPieces(audit, accounts, { filter, format, after }), (error) => {
          if (!(error instanceof StorageError)) logger.error({ err: error }, 'internal error');
        });
      }
      const events = await audit.list(filter, limit + 1, after);
      const { page, next_cursor } = pageOf(events, limit, ({ id }) => id);
      return { items: page.map((event) => entryOf(accounts, event)), next_cursor };
    },
  }),
];
