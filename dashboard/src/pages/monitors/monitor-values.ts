import { t } from '@lingui/core/macro';
import type { CompareFormat, Monitor, MonitorChange, NewMonitor } from '../../api/monitors.ts';
import { type NotifyValues, notifyOf } from '../channels/notify-fields.tsx';
import { linesOf, requestMembers, settingsOf } from '../jobs/batch-input.ts';
import type { RequestSettingsValues } from '../jobs/request-settings.tsx';
import { type ScheduleValues, scheduleChange, scheduleOf, scheduleValues } from './schedule.ts';

export type WatchedKind = 'request' | 'crawl' | 'batch';

export const WATCHED_KINDS: readonly { readonly value: WatchedKind; readonly label: string }[] = [
  { value: 'request', label: t`One page` },
  { value: 'crawl', label: t`A site` },
  { value: 'batch', label: t`A list of pages` },
];

/** The fields of a monitor. */
export interface MonitorValues extends ScheduleValues, RequestSettingsValues, NotifyValues {
  readonly kind: WatchedKind;
  /** Of a page, or where a crawl starts. */
  readonly url: string;
  /** Of a batch, one per line. */
  readonly urls: string;
  readonly scope: string;
  readonly limit: number | '';
  /** Patterns, one per line. */
  readonly include: string;
  readonly exclude: string;
  readonly name: string;
  readonly format: CompareFormat;
  readonly selector: string;
  /** Names of kinds of text that do not count. */
  readonly kinds: string[];
  /** Further rules, one per line. */
  readonly rules: string;
  readonly keep: number | '';
  /** Its URL. Empty: none. */
  readonly webhook: string;
}

const KEEP = 30;

export const NEW_MONITOR: Omit<MonitorValues, keyof RequestSettingsValues | keyof NotifyValues | 'timezone'> =
  {
    kind: 'request',
    url: '',
    urls: '',
    scope: 'host',
    limit: 1_000,
    include: '',
    exclude: '',
    name: '',
    rhythm: 'daily',
    time: '08:00',
    day: '1',
    minutes: 30,
    cron: '',
    format: 'markdown',
    selector: '',
    kinds: [],
    rules: '',
    keep: KEEP,
    webhook: '',
  };

export const FORMATS: readonly (readonly [format: CompareFormat, label: string, meaning: string])[] = [
  ['markdown', t`Main content as Markdown`, t`Text, headings, links and tables of the main content.`],
  ['text', t`Main content as text`, t`Only the words of the main content.`],
  ['main_html', t`Main content as HTML`, t`Also attributes and the structure.`],
  ['extract', t`Extracted fields`, t`Needs fields in the request below.`],
  ['json', t`JSON by a schema`, t`Needs scraper_options.json in the request below.`],
  ['structured', t`Structured data`, t`JSON-LD, microdata and the like.`],
  ['screenshot', t`Screenshot`, t`Pixels. Needs a browser.`],
  ['bytes', t`Bytes`, t`The content as it was sent, such as a file.`],
];

export const IGNORED_KINDS = [
  ['dates', t`Dates and times`],
  ['relative_times', t`“3 minutes ago”`],
  ['counters', t`Counters`],
  ['order', t`Order of lines`],
] as const;

/** Whether lines are compared, so that there can be a selector and rules to ignore. */
export const comparesLines = (format: CompareFormat): boolean =>
  format === 'markdown' || format === 'text' || format === 'main_html';

/** The beginning of a longer line stands for it. Within the limit of the service for expressions. */
const LINE_START = /^.{0,150}/u;

/**
 * A rule that ignores a line of a difference, whatever its numbers are.
 * @param isPart other rules apply already, so that the difference may show only parts of the line
 */
export function ignoringLine(line: string, isPart: boolean): string {
  const start = LINE_START.exec(line)![0];
  const pattern = start.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\d+/g, '\\d+');
  const end = start === line ? '[ \\t]*' : '.*';
  return isPart ? `/(?m)^.*${pattern.replace(/\s+/g, '.*')}.*$/` : `/(?m)^[ \\t]*${pattern}${end}$/`;
}

export function compareOf({ format, selector, kinds, rules }: MonitorValues): NewMonitor['compare'] {
  if (!comparesLines(format)) return { format };
  const ignore = [...kinds, ...linesOf(rules)];
  return {
    format,
    ...(selector.trim() === '' ? {} : { selector: selector.trim() }),
    ...(ignore.length === 0 ? {} : { ignore }),
  };
}

/** A URL without a scheme gets `https://`. */
export const wholeUrl = (text: string): string =>
  /^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;

/** What the monitor fetches, as a member of its body. */
export function watchedOf(values: MonitorValues): Pick<NewMonitor, WatchedKind> {
  const { kind, url, urls, scope, limit, include, exclude } = values;
  const request = requestMembers(values)!;
  if (kind === 'request') return { request: { url: wholeUrl(url), ...request } };
  if (kind === 'batch')
    return { batch: { requests: linesOf(urls).map((line) => ({ url: wholeUrl(line) })), defaults: request } };
  return {
    crawl: {
      url: wholeUrl(url),
      scope,
      request,
      ...(limit === '' ? {} : { limit }),
      ...(linesOf(include).length === 0 ? {} : { include: linesOf(include) }),
      ...(linesOf(exclude).length === 0 ? {} : { exclude: linesOf(exclude) }),
    },
  };
}

/** The body of a new monitor. */
export function monitorOf(values: MonitorValues): NewMonitor {
  const first = values.kind === 'batch' ? linesOf(values.urls)[0]! : values.url;
  return {
    name: values.name.trim() || wholeUrl(first).slice(0, 200),
    ...watchedOf(values),
    schedule: scheduleOf(values),
    compare: compareOf(values),
    ...notifyOf(values),
    keep: values.keep === '' ? KEEP : values.keep,
    ...(values.webhook.trim() === '' ? {} : { webhook: { url: values.webhook.trim() } }),
  };
}

/** The service shows secrets like this. */
export const hasMask = (text: string): boolean => text.includes('***');

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const TARGET_FIELDS = [
  'kind',
  'url',
  'urls',
  'scope',
  'limit',
  'include',
  'exclude',
  'scraper',
  'extract',
  'more',
] as const satisfies readonly (keyof MonitorValues)[];

/** Whether both fetch the same, in the same way. */
export const isSameTarget = (a: MonitorValues, b: MonitorValues): boolean =>
  TARGET_FIELDS.every((field) => isSame(a[field], b[field]));

/** What an edited form changes. What is left out stays as it is. */
export function changeOf(before: MonitorValues, values: MonitorValues, { webhook }: Monitor): MonitorChange {
  const url = values.webhook.trim();
  const { headers: _, ...members } = webhook ?? {};
  const keep = values.keep === '' ? KEEP : values.keep;
  return {
    ...(values.name === before.name ? {} : { name: values.name.trim() }),
    ...(isSameTarget(before, values) ? {} : watchedOf(values)),
    ...scheduleChange(before, values),
    ...(isSame(compareOf(before), compareOf(values)) ? {} : { compare: compareOf(values) }),
    ...(isSame(notifyOf(before), notifyOf(values)) ? {} : notifyOf(values)),
    ...(keep === before.keep ? {} : { keep }),
    ...(url === before.webhook ? {} : { webhook: url === '' ? null : { ...members, url } }),
  };
}

type Members = Readonly<Record<string, unknown>>;

const textIn = (members: Members, name: string): string => {
  const value = members[name];
  return typeof value === 'string' ? value : '';
};
const linesIn = (members: Members, name: string): string => {
  const value = members[name];
  return Array.isArray(value) ? value.join('\n') : '';
};

/** The form for a monitor that exists. */
export function valuesOf(monitor: Monitor): MonitorValues {
  const { kind, name, compare, keep, webhook, channels, notify_on } = monitor;
  const shown = monitor.request as Members;
  const request = (kind === 'request' ? shown : kind === 'batch' ? shown.defaults : shown.request) ?? {};
  const known: readonly string[] = IGNORED_KINDS.map(([value]) => value);
  const ignore = compare.ignore ?? [];
  return {
    ...NEW_MONITOR,
    ...settingsOf(request as Members, false),
    ...scheduleValues(monitor.schedule),
    kind,
    name,
    url: textIn(shown, 'url') || linesIn(shown, 'urls').split('\n')[0]!,
    urls: kind === 'batch' ? linesIn(shown, 'urls') : '',
    scope: textIn(shown, 'scope') || NEW_MONITOR.scope,
    limit: typeof shown.limit === 'number' ? shown.limit : NEW_MONITOR.limit,
    include: linesIn(shown, 'include'),
    exclude: linesIn(shown, 'exclude'),
    format: compare.format ?? 'markdown',
    selector: compare.selector ?? '',
    kinds: ignore.filter((entry) => known.includes(entry)),
    rules: ignore.filter((entry) => !known.includes(entry)).join('\n'),
    keep,
    webhook: webhook?.url ?? '',
    channels: [...channels],
    notify_on: [...notify_on],
  };
}
