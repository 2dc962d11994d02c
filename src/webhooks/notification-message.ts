import { microToCurrency } from '../base/numbers.ts';
import { deadlineUnder } from '../base/time.ts';
import type { JobRow } from '../domain/jobs.ts';
import type { Change, MonitorRow, MonitorRunRow } from '../domain/monitors.ts';
import type { Channel, Notification } from '../domain/notifications.ts';
import { pictureKey, SCREENSHOT_NUMBER, type StoredRecord } from '../domain/record.ts';
import type { ClaimedDelivery } from '../domain/webhooks.ts';
import type { NotificationStore } from '../ports/notifications.ts';
import { formatDateTime } from '../wire/date-time.ts';
import { jobJson } from '../wire/jobs/job-json.ts';
import { runObject } from '../wire/monitors.ts';
import { notificationPath, notificationTexts } from '../wire/notifications/notification-json.ts';
import { alertEventBody } from './alert-message.ts';
import { type MessageDeps, NOT_TOLD } from './message.ts';
import type { MailBody } from './messenger.ts';
import {
  mailBody,
  type PersonMessage,
  type PersonPicture,
  readableDiff,
  shortDiff,
  slackBody,
} from './person-message.ts';
import type { WebhookSpec } from './webhook-spec.ts';

export interface NotificationDeps extends MessageDeps {
  readonly store: MessageDeps['store'] & { readonly notifications: Pick<NotificationStore, 'get' | 'find'> };
  /** Whether others than this machine reach the service by its URL, as the operator has set. */
  readonly isPublic: boolean;
}

/** What is told of a notification. */
interface Told extends PersonMessage {
  /** `data` of a webhook. */
  readonly data: object;
}

/**
 * The message of a delivery to a channel, in the form of the channel. It is made anew at each try.
 * @returns null: the notification was deleted
 */
export async function notificationBody(
  deps: NotificationDeps,
  { sequence, collected, tries }: ClaimedDelivery,
  spec: WebhookSpec,
  signal: AbortSignal,
): Promise<Buffer | MailBody | null> {
  const found = await Promise.all(
    [sequence, ...collected].map((number) => deps.store.notifications.get(number)),
  );
  const notifications = found.filter((notification) => notification !== null);
  const [first] = notifications;
  if (first === undefined) return null;
  if (notifications.length > 1) return await collectedBody(deps, notifications, spec);
  if (first.type.startsWith('alert.')) return await alertEventBody(deps, first, spec);
  const told = await toldOf(deps, first, spec.format === 'email', signal);
  if (spec.format === 'slack') return slackBody(told, tries === 1);
  if (spec.format === 'email') return mailBody(told);
  return Buffer.from(JSON.stringify(standardMessage(first, told.data)));
}

const standardMessage = ({ type, at, number }: Notification, data: object) => ({
  type,
  timestamp: formatDateTime(at),
  sequence: number,
  data,
});

/** Events that a message to a person lists. */
const MAX_LISTED = 20;

/** Many messages that waited for a channel, as one. */
async function collectedBody(
  deps: NotificationDeps,
  notifications: readonly Notification[],
  { format }: WebhookSpec,
): Promise<Buffer | MailBody> {
  const sorted = notifications.toSorted((a, b) => a.number - b.number);
  const last = sorted.at(-1)!;
  const url = `${deps.baseUrl()}/`;
  if (format !== 'slack' && format !== 'email') {
    const messages = sorted.map((one) => standardMessage(one, commonData(deps, one)));
    const message = { type: 'channel.collected', timestamp: formatDateTime(last.at), sequence: last.number };
    return Buffer.from(JSON.stringify({ ...message, data: { messages } }));
  }
  const lines = sorted.slice(0, MAX_LISTED).map((one) => {
    const { title, text } = notificationTexts(one);
    return `${title}. ${text}`;
  });
  const rest = sorted.length - lines.length;
  const told = {
    title: `${sorted.length} events`,
    lines: [...lines, ...(rest > 0 ? [`And ${rest} more: the notifications in Sluice list all.`] : [])],
    diff: null,
    picture: null,
    url,
  };
  return format === 'slack' ? slackBody(told, false) : mailBody(told);
}

/** What webhooks are told of each notification. */
function commonData({ baseUrl }: Pick<NotificationDeps, 'baseUrl'>, notification: Notification) {
  const { number, sourceId, sequence, title: name } = notification;
  const url = `${baseUrl()}${notificationPath(notification)}`;
  return {
    id: String(number),
    source_id: sourceId,
    n: sequence,
    name,
    ...notificationTexts(notification),
    url,
  };
}

async function toldOf(
  deps: NotificationDeps,
  notification: Notification,
  withFile: boolean,
  signal: AbortSignal,
): Promise<Told> {
  const { store, clock, priced } = deps;
  const { type, sourceId, sequence } = notification;
  const data = commonData(deps, notification);
  const { title, text, url } = data;
  const plain: Told = { title, lines: text === '' ? [] : [text], diff: null, picture: null, url, data };
  if (type.startsWith('monitor.')) {
    const monitor = await store.monitors.get(sourceId, null);
    const [run] = await store.monitors.runs(sourceId, 1, sequence + 1);
    if (monitor === null || run?.n !== sequence) return plain;
    return await toldOfRun(deps, plain, {
      monitor,
      run,
      page: notification.facts.url ?? null,
      withFile,
      signal,
    });
  }
  if (type === 'profile.logged_out')
    return { ...plain, data: { ...data, profile: loggedOutProfile(notification) } };
  const job = await store.jobs.get(sourceId, null);
  if (job === null) return plain;
  const { request: _, ...shown } = JSON.parse(jobJson(job, clock.now(), priced(), NOT_TOLD)) as Record<
    string,
    unknown
  >;
  const lines = [...plain.lines, ...(await jobLines(deps, job))];
  const scrapeId = job.kind === 'scrape' ? job.id : null;
  const record = scrapeId === null ? null : await store.records.get(scrapeId, null);
  const picture = await pictureOf(deps, record, withFile, signal);
  return {
    ...plain,
    lines,
    picture,
    data: { ...data, job: shown, screenshot_url: picture?.link ?? null },
  };
}

/** What webhooks are told of a profile that is logged out. */
export function loggedOutProfile({ title: name, facts }: Pick<Notification, 'title' | 'facts'>) {
  const { sites = [], host, scrapeId = null } = facts;
  return { name, sites, host, scrape_id: scrapeId };
}

const SECOND_MS = 1_000;

async function jobLines({ store, priced }: NotificationDeps, job: JobRow): Promise<readonly string[]> {
  const { startedAt, endedAt, cost, kind, error } = job;
  const seconds =
    startedAt === null || endedAt === null ? null : Math.round((endedAt - startedAt) / SECOND_MS);
  const [failed] = await store.jobs.items(job.id, 'failed', 0, 1);
  const lines: (string | false)[] = [
    seconds !== null && `Took ${durationText(seconds)}.`,
    priced() && `Cost ${microToCurrency(cost)}.`,
    kind !== 'scrape' &&
      error === null &&
      failed?.error != null &&
      `First error: ${failed.error.message} (${failed.url})`,
    kind === 'scrape' && failed?.error != null && `${failed.error.message}`,
  ];
  return lines.filter((line) => line !== false);
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const MAX_PAGES = 10;
const MAX_FIELDS = 10;

async function toldOfRun(
  deps: NotificationDeps,
  plain: Told,
  {
    monitor,
    run,
    page,
    withFile,
    signal,
  }: {
    readonly monitor: MonitorRow;
    readonly run: MonitorRunRow;
    readonly page: string | null;
    readonly withFile: boolean;
    readonly signal: AbortSignal;
  },
): Promise<Told> {
  const { result, scrapeId } = run;
  if (result === null) return plain;
  const record = scrapeId === null ? null : await deps.store.records.get(scrapeId, null);
  const picture = await pictureOf(deps, record, withFile, signal);
  const diff = result.diff === null ? null : shortDiff(result.diff);
  const pages = result.pages.slice(0, MAX_PAGES).map(({ url, state }) => `${state}: ${url}`);
  // The difference as text says the same.
  const fields = diff === null ? fieldLines(result) : [];
  return {
    ...plain,
    // A monitor without a name of its own has its page in the title.
    lines: [...(page === null || page === monitor.name ? [] : [page]), ...plain.lines, ...fields, ...pages],
    diff: diff === null ? null : readableDiff(diff),
    picture,
    data: {
      ...plain.data,
      monitor: { id: monitor.id, name: monitor.name, url: page },
      run: shortRun(run, diff),
      screenshot_url: picture?.link ?? null,
    },
  };
}

function fieldLines({ fields }: Change): readonly string[] {
  const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
  return fields
    .slice(0, MAX_FIELDS)
    .map(({ path, before, after }) => `${path}: ${shown(before)} → ${shown(after)}`);
}

/** A run without what makes a message long: the whole is at its page. */
function shortRun(run: MonitorRunRow, diff: string | null): object {
  const { change, ...shown } = runObject(run);
  if (change === null) return { ...shown, change };
  const pages = change.pages
    .slice(0, MAX_PAGES)
    .map(({ url, state, scrape_id }) => ({ url, state, scrape_id }));
  return { ...shown, change: { ...change, diff, fields: change.fields.slice(0, MAX_FIELDS), pages } };
}

const MAX_PICTURE_BYTES = 4 * 1024 * 1024;
const MEMORY_WAIT_MS = 5_000;

/** The screenshot of a record. */
async function pictureOf(
  deps: NotificationDeps,
  record: StoredRecord | null,
  withFile: boolean,
  signal: AbortSignal,
): Promise<PersonPicture | null> {
  const picture = record?.pictures[SCREENSHOT_NUMBER] ?? null;
  if (record === null || picture === null) return null;
  const link = deps.isPublic ? deps.linkUrl('picture', record.id, SCREENSHOT_NUMBER) : null;
  if (!withFile || picture.bytes > MAX_PICTURE_BYTES) return { link, file: null };
  const reservation = deps.memory.open();
  try {
    using deadline = deadlineUnder(MEMORY_WAIT_MS, signal);
    const waiting = reservation.reserve(picture.bytes, picture.bytes, deadline.signal);
    if (waiting !== null && !(await waiting)) return { link, file: null };
    const bytes = await deps.blobs.get(pictureKey(record.id, SCREENSHOT_NUMBER));
    const file =
      bytes === null
        ? null
        : { name: `screenshot.${picture.type.slice('image/'.length)}`, type: picture.type, bytes };
    return { link, file };
  } finally {
    reservation.close();
  }
}

/** A message that shows that a channel works. */
export function channelTestBody(
  { id, name }: Pick<Channel, 'id' | 'name'>,
  { format }: Pick<WebhookSpec, 'format'>,
  baseUrl: string,
  now: number,
): Buffer | MailBody {
  const text = 'This is a test message.';
  const url = `${baseUrl}/channels`;
  const title = `Test: ${name.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`;
  const told = { title, lines: [text], diff: null, picture: null, url };
  if (format === 'slack') return slackBody(told, false);
  if (format === 'email') return mailBody(told);
  const data = { id, name, title, text, url };
  return Buffer.from(
    JSON.stringify({ type: 'channel.test', timestamp: formatDateTime(now), sequence: 0, data }),
  );
}
