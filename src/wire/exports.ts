import { type Static, Type } from 'typebox';
import {
  EXPORT_FORMATS,
  EXPORT_STATES,
  EXPORT_TARGETS,
  type ExportRow,
  type ExportTarget,
  type ExportTargetKind,
} from '../domain/exports.ts';
import { closed, mapOf, optional, orNull, textOrNull } from '../domain/json-schema.ts';
import type { Written } from './answer/json-members.ts';
import { formatDateTime } from './date-time.ts';
import { MASK } from './request/masked-request.ts';
import { addProblem, type Problems } from './schema/problems.ts';
import { checkWebhookHeaders } from './webhooks/webhook-schema.ts';

const Time = Type.String({ format: 'date-time' });
const NullableTime = orNull(Time);
const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

const DAY_S = 86_400;
const DEFAULT_LINK_S = 7 * DAY_S;

const PLACEHOLDERS = 'Placeholders: `{date}` (2026-01-31) and `{time}` (235959) in UTC, `{name}`, `{run}`.';

const ExportTargetMembers = closed(
  {
    kind: Type.Enum([...EXPORT_TARGETS]),
    ...optional({
      url: Text(
        4_096,
        `Of \`webhook\` and \`put\`: http or https. Redirects are not followed. Of \`put\`: ${PLACEHOLDERS}`,
      ),
      headers: mapOf(Type.String({ maxLength: 8_192 }), {
        maxProperties: 20,
        description: 'Of `webhook` and `put`. Their values are masked when read.',
      }),
      endpoint: Text(2_000, 'Of `s3`: base URL of the service.'),
      bucket: Text(255, 'Of `s3`.'),
      region: Text(100, 'Of `s3`; default: us-east-1.'),
      key: Text(1_024, `Of \`s3\`: the name of the object. ${PLACEHOLDERS}`),
      access_key_id: Text(255, 'Of `s3`.'),
      secret_access_key: Text(1_024, 'Of `s3`; masked when read.'),
      path_style: Type.Boolean({
        description: 'Of `s3`: the bucket is in the path instead of the host name.',
      }),
      expires_in_s: Type.Integer({
        minimum: 60,
        maximum: 365 * DAY_S,
        description: 'Of `link`: how long the link works; default: a week. The results may expire before.',
      }),
    }),
  },
  {
    title: 'ExportTarget',
    description:
      '`link`: a signed link of the service, to the results as they are when it is used. `webhook`: a POST with the file as body, signed as Standard Webhooks say. `put`: a PUT. `s3`: an object in a bucket. In a change, a secret that is `***` stays.',
  },
);
type TargetBody = Static<typeof ExportTargetMembers>;

export const ExportBody = closed(
  {
    format: Type.Enum([...EXPORT_FORMATS], { description: 'As of `GET …/export/`.' }),
    target: ExportTargetMembers,
  },
  { title: 'ExportRequest' },
);
export type ExportBody = Static<typeof ExportBody>;

export const ExportObject = closed(
  {
    id: Type.String({ format: 'uuid' }),
    job_id: Type.String({ format: 'uuid' }),
    schedule_id: orNull(Type.String({ format: 'uuid' })),
    run: orNull(Type.Integer(), { description: 'Of the schedule.' }),
    format: Type.Enum([...EXPORT_FORMATS]),
    target: ExportTargetMembers,
    state: Type.Enum([...EXPORT_STATES], { description: '`failed`: given up.' }),
    tries: Type.Integer(),
    status: orNull(Type.Integer(), { description: 'Of the latest answer of the target.' }),
    error: orNull(closed({ code: Type.String(), message: Type.String() }, { title: 'ExportError' }), {
      description: 'Of the latest try.',
    }),
    bytes: orNull(Type.Integer(), { description: 'Of the file.' }),
    sent_to: textOrNull('The name of the object, or the URL without its query.'),
    url: textOrNull('Of `link`: works without a key until `url_expires_at`.'),
    url_expires_at: NullableTime,
    next_try_at: NullableTime,
    created_at: Time,
    ended_at: NullableTime,
  },
  { title: 'Export' },
);

export const ExportList = closed({ items: Type.Array(ExportObject) }, { title: 'ExportList' });

type Member = Exclude<keyof TargetBody, 'kind'>;
const MEMBERS: Readonly<Record<ExportTargetKind, { needed: readonly Member[]; allowed: readonly Member[] }>> =
  {
    link: { needed: [], allowed: ['expires_in_s'] },
    webhook: { needed: ['url'], allowed: ['headers'] },
    put: { needed: ['url'], allowed: ['headers'] },
    s3: {
      needed: ['endpoint', 'bucket', 'key', 'access_key_id', 'secret_access_key'],
      allowed: ['region', 'path_style'],
    },
  };

/** What the names of objects may be; null: it may. */
type NameCheck = (text: string) => string | null;

/**
 * @param kept the target that `***` stands for; null: there is none
 * @param checks of names: of keys of S3, and of placeholders in URLs
 * @returns null: there are problems
 */
export function readExportTarget(
  body: TargetBody,
  pointer: string,
  kept: ExportTarget | null,
  checks: { readonly key: NameCheck; readonly placeholders: NameCheck },
  problems: Problems,
): ExportTarget | null {
  const before = problems.length;
  const { needed, allowed } = MEMBERS[body.kind];
  for (const name of Object.keys(body) as (keyof TargetBody)[])
    if (name !== 'kind' && body[name] !== undefined && !needed.includes(name) && !allowed.includes(name))
      addProblem(problems, `${pointer}/${name}`, `is not for targets of the kind ${body.kind}`);
  for (const name of needed)
    if (body[name] === undefined) addProblem(problems, `${pointer}/${name}`, 'is missing');
  if (problems.length > before) return null;
  const target = READERS[body.kind](body, pointer, kept, checks, problems);
  return problems.length > before ? null : target;
}

type Reader = (
  body: TargetBody,
  pointer: string,
  kept: ExportTarget | null,
  checks: { readonly key: NameCheck; readonly placeholders: NameCheck },
  problems: Problems,
) => ExportTarget;

const readUpload: Reader = (body, pointer, kept, { placeholders }, problems) => {
  const kind = body.kind as 'webhook' | 'put';
  const old = kept?.kind === kind ? kept : null;
  const url = old !== null && body.url === maskedUrl(old.url) ? old.url : body.url!;
  const problem = urlProblem(url, kind === 'put') ?? placeholders(kind === 'put' ? url : '');
  const headersKept = old !== null && originOf(url) === originOf(old.url) ? old.headers : {};
  if (problem !== null) addProblem(problems, `${pointer}/url`, problem);
  const headers = Object.fromEntries(
    Object.entries(body.headers ?? {}).map(([name, value]) => [
      name,
      secretOf(value, headersKept[name], `${pointer}/headers/${name}`, problems),
    ]),
  );
  checkWebhookHeaders(headers, `${pointer}/headers`, problems);
  return { kind, url, headers };
};

const READERS: Readonly<Record<ExportTargetKind, Reader>> = {
  link: (body) => ({ kind: 'link', expiresInS: body.expires_in_s ?? DEFAULT_LINK_S }),
  webhook: readUpload,
  put: readUpload,
  s3(body, pointer, kept, { key: keyProblem }, problems) {
    const isSame = kept?.kind === 's3' && originOf(kept.endpoint) === originOf(body.endpoint!);
    const endpoint =
      urlProblem(body.endpoint!, false) ?? (/[?#]/.test(body.endpoint!) ? 'must have no query' : null);
    if (endpoint !== null) addProblem(problems, `${pointer}/endpoint`, endpoint);
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(body.bucket!))
      addProblem(problems, `${pointer}/bucket`, 'must be the name of a bucket');
    const key = keyProblem(body.key!);
    if (key !== null) addProblem(problems, `${pointer}/key`, key);
    return {
      kind: 's3',
      endpoint: body.endpoint!,
      bucket: body.bucket!,
      region: body.region ?? 'us-east-1',
      key: body.key!,
      accessKeyId: body.access_key_id!,
      secretAccessKey: secretOf(
        body.secret_access_key!,
        isSame ? kept.secretAccessKey : undefined,
        `${pointer}/secret_access_key`,
        problems,
      ),
      pathStyle: body.path_style ?? false,
    };
  },
};

/** @param kept what `***` stands for; undefined: nothing, or it is for another origin */
function secretOf(value: string, kept: string | undefined, pointer: string, problems: Problems): string {
  if (value !== MASK) return value;
  if (kept === undefined)
    addProblem(problems, pointer, 'is masked, and nothing is stored for this origin: give it again');
  return kept ?? value;
}

/** Secrets that were given for one origin are not sent to another. A path may have placeholders. */
const originOf = (url: string): string | null => URL.parse(url)?.origin ?? null;

/** Placeholders may be only in the path and the query. */
function urlProblem(text: string, hasPlaceholders: boolean): string | null {
  const [, origin = text] = /^([^/]*\/\/[^/?#]*)/.exec(text) ?? [];
  if (hasPlaceholders && /[{}]/.test(origin)) return 'may have placeholders only in its path and query';
  const url = URL.parse(hasPlaceholders ? text.replaceAll(/[{}]/g, '') : text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return 'must be an absolute http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password; use `headers`';
  return null;
}

/** A query often has a signature. */
const maskedUrl = (url: string): string => {
  const at = url.indexOf('?');
  return at === -1 ? url : `${url.slice(0, at)}?${MASK}`;
};

/** The target as it may be shown. */
export function shownTarget(target: ExportTarget): TargetBody {
  switch (target.kind) {
    case 'link':
      return { kind: 'link', expires_in_s: target.expiresInS };
    case 's3':
      return {
        kind: 's3',
        endpoint: target.endpoint,
        bucket: target.bucket,
        region: target.region,
        key: target.key,
        access_key_id: target.accessKeyId,
        secret_access_key: MASK,
        path_style: target.pathStyle,
      };
    default:
      return {
        kind: target.kind,
        url: maskedUrl(target.url),
        headers: Object.fromEntries(Object.keys(target.headers).map((name) => [name, MASK])),
      };
  }
}

/** When the link of an export ends, ms; null: it has none. */
export function linkEnd({ kind, target, createdAt }: ExportRow): number | null {
  if (kind !== 'link') return null;
  return createdAt + (JSON.parse(target) as { expires_in_s: number }).expires_in_s * 1_000;
}

/** @param linkOf the signed link of an export that ends at a time (ms) */
export function exportObject(
  row: ExportRow,
  linkOf: (id: string, endsAt: number) => string,
): Written<typeof ExportObject> {
  const endsAt = linkEnd(row);
  return {
    id: row.id,
    job_id: row.jobId,
    schedule_id: row.scheduleId,
    run: row.runN,
    format: row.format,
    target: JSON.parse(row.target),
    state: row.state,
    tries: row.tries,
    status: row.status,
    error: row.error,
    bytes: row.bytes,
    sent_to: row.sentTo,
    url: endsAt === null ? null : linkOf(row.id, endsAt),
    url_expires_at: endsAt === null ? null : formatDateTime(endsAt),
    next_try_at: row.state === 'pending' && row.tries > 0 ? formatDateTime(row.nextAt) : null,
    created_at: formatDateTime(row.createdAt),
    ended_at: row.endedAt === null ? null : formatDateTime(row.endedAt),
  };
}
