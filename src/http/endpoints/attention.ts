import { Type } from 'typebox';
import { type AttentionItem, type AttentionScope, needsAttention } from '../../alerts/attention.ts';
import { shareOf } from '../../alerts/readings.ts';
import { type Principal, readsAll } from '../../domain/account.ts';
import { ALERT_KINDS } from '../../domain/alerts.ts';
import { closed, count, dateTime, orNull } from '../../domain/json-schema.ts';
import { VENDOR_REASONS } from '../../domain/vendors.ts';
import { formatDateTimeOrNull } from '../../wire/date-time.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import { endpoint } from '../core/endpoint.ts';
import { json } from '../core/responses.ts';
import { ttlCache } from '../core/ttl-cache.ts';
import { visibleUser } from '../operations/missing-record.ts';

const Share = Type.Number({ minimum: 0, maximum: 1 });

const AttentionEntry = closed(
  {
    kind: Type.Enum([...ALERT_KINDS], { description: 'What it is about, as of alerts.' }),
    subject: Type.String({
      description:
        'Host, id of the key or monitor, name of the pool or vendor; `disk`; `machine` or `contents` (`memory`).',
    }),
    name: Type.String({ description: 'Name of the key or monitor; otherwise as `subject`.' }),
    user_id: orNull(Type.String({ format: 'uuid' }), {
      description: 'Owner of the key or monitor. null for other kinds.',
    }),
    since: orNull(
      dateTime(
        'Since when: of sites by the hour, at most seven days back; of disk and memory by the minute, at most one day back. null: not known.',
      ),
    ),
    value: Type.Number({ description: 'As alerts of this kind measure it.' }),
    summary: Type.String({ description: 'The value in a sentence.' }),
    reason: orNull(Type.Enum([...VENDOR_REASONS]), {
      description: 'Why the vendor failed. null for other kinds.',
    }),
    site: orNull(
      closed({
        window_s: Type.Integer({ minimum: 1, description: 'The last seconds, which are compared.' }),
        scrapes: count('Scrapes in this time.'),
        ok_share: Share,
        usual_ok_share: Type.Number({ minimum: 0, maximum: 1, description: 'In the 7 days before.' }),
      }),
      { description: 'Of a site whose scrapes stopped working. null for other kinds.' },
    ),
    alert: orNull(closed({ id: Type.String({ format: 'uuid' }), name: Type.String() }), {
      description: 'A rule of yours that fires for it. null: none does.',
    }),
  },
  { title: 'AttentionEntry' },
);

const Attention = closed(
  {
    items: Type.Array(AttentionEntry, { description: 'The worst first.' }),
    total: count('Number of all entries, also of those beyond `limit`.'),
  },
  { title: 'Attention' },
);

const entryJson = ({
  kind,
  subject,
  owned,
  since,
  value,
  summary,
  outage,
  shares,
  alert,
}: AttentionItem) => ({
  kind,
  subject,
  name: owned?.name ?? subject,
  user_id: owned?.userId ?? null,
  since: formatDateTimeOrNull(since),
  value,
  summary,
  reason: outage?.reason ?? null,
  site:
    shares === undefined
      ? null
      : {
          window_s: shares.windowS,
          scrapes: shares.recent.scrapes,
          ok_share: shareOf(shares.recent),
          usual_ok_share: shareOf(shares.usual),
        },
  alert,
});

const scopeOf = (principal: Principal): AttentionScope => ({
  userId: visibleUser(principal),
  callerId: principal.userId,
  seesSystem: readsAll(principal.role) && principal.scopes.includes('admin'),
});

/** Each opening of the dashboard asks, and the counters change slowly. */
const CACHE_MS = 5_000;

export const ATTENTION = [
  endpoint({
    method: 'get',
    path: '/api/v1/attention/',
    operationId: 'listAttention',
    summary: 'List what does not work',
    description:
      'What a rule of each kind with the usual conditions would fire for now, and what your own rules fire for. Sessions of administrators and viewers see that of all users; other callers their own; pools, vendors, disk and memory need the scope `admin`. Up to five seconds old.',
    access: 'scope:read',
    query: {
      parameters: {
        limit: {
          description: 'Entries at most.',
          schema: Type.Integer({ minimum: 1, maximum: 50, default: 8 }),
        },
      },
      read: (query: QueryReader) => ({ limit: query.integer('limit', 1, 50) ?? 8 }),
    },
    responses: { 200: json('The entries.', Attention) },
    prepare: ({ watched, clock }) => {
      const cached = ttlCache<Awaited<ReturnType<typeof needsAttention>>>(CACHE_MS, clock);
      return async ({ query: { limit }, principal, reply }) => {
        reply.header('cache-control', 'no-store');
        const scope = scopeOf(principal);
        const { items, total } = await cached(JSON.stringify([scope, limit]), () =>
          needsAttention(watched, scope, limit, clock.now()),
        );
        return { items: items.map(entryJson), total };
      };
    },
  }),
];
