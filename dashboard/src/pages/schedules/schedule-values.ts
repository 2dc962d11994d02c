import { t } from '@lingui/core/macro';
import type { Schema } from '../../api/client.ts';
import type { NewSchedule, ScheduledJob } from '../../api/schedules.ts';
import { headersOf } from '../channels/channel-values.ts';
import { newNotifyOf } from '../channels/notify-fields.tsx';
import { type MonitorValues, watchedOf } from '../monitors/monitor-values.ts';
import { scheduleOf } from '../monitors/schedule.ts';

/** What becomes of the results besides the job. */
export interface OutputValues {
  readonly overlap: ScheduledJob['overlap'];
  /** Empty: none. */
  readonly dataset: string;
  /** Empty: nothing is exported. */
  readonly target: '' | Schema<'ExportTarget'>['kind'];
  readonly exportFormat: Schema<'ExportRequest'>['format'];
  readonly targetUrl: string;
  /** `Name: value`, one per line. */
  readonly targetHeaders: string;
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly key: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly pathStyle: boolean;
}

export type NewScheduleValues = MonitorValues & OutputValues;

export const NO_OUTPUT: OutputValues = {
  overlap: 'skip',
  dataset: '',
  target: '',
  exportFormat: 'csv',
  targetUrl: '',
  targetHeaders: '',
  endpoint: '',
  region: '',
  bucket: '',
  key: '{name}/{date}-{run}.csv',
  accessKeyId: '',
  secretAccessKey: '',
  pathStyle: false,
};

export const OVERLAP_OPTIONS = [
  { value: 'skip', label: t`Leave the new run out` },
  { value: 'queue', label: t`Start it afterwards` },
];

export const TARGET_OPTIONS = [
  { value: '', label: t`Nowhere` },
  { value: 'link', label: t`A link to download` },
  { value: 's3', label: t`A bucket (S3)` },
  { value: 'put', label: t`A URL, by PUT` },
  { value: 'webhook', label: t`A webhook, by POST` },
];

export const EXPORT_OPTIONS = [
  { value: 'csv', label: 'CSV' },
  { value: 'xlsx', label: t`Excel (XLSX)` },
  { value: 'jsonl', label: 'JSON Lines' },
];

function targetOf(values: OutputValues): Schema<'ExportTarget'> | null {
  const { target, targetUrl, targetHeaders, region } = values;
  if (target === '') return null;
  if (target === 'link') return { kind: 'link' };
  if (target === 's3')
    return {
      kind: 's3',
      endpoint: values.endpoint.trim(),
      ...(region.trim() === '' ? {} : { region: region.trim() }),
      bucket: values.bucket.trim(),
      key: values.key.trim(),
      access_key_id: values.accessKeyId.trim(),
      secret_access_key: values.secretAccessKey,
      path_style: values.pathStyle,
    };
  const headers = headersOf(targetHeaders) ?? {};
  return { kind: target, url: targetUrl.trim(), ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

export function scheduleBodyOf(values: NewScheduleValues, fallbackName: string): NewSchedule {
  const { request, crawl, batch } = watchedOf(values);
  const target = targetOf(values);
  return {
    name: values.name.trim() || fallbackName.slice(0, 200),
    job: request
      ? { kind: 'scrape', ...request }
      : crawl
        ? { kind: 'crawl', ...crawl }
        : { kind: 'batch', ...batch },
    schedule: scheduleOf(values),
    overlap: values.overlap,
    ...newNotifyOf(values),
    ...(values.dataset === '' ? {} : { dataset: values.dataset }),
    ...(target === null ? {} : { export: { format: values.exportFormat, target } }),
  };
}
