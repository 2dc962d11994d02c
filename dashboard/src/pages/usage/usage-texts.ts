import { t } from '@lingui/core/macro';
import type { Usage, UsageItem, UsageSplit, UsageWindow } from '../../api/usage.ts';
import { DATE_LOCALE, formatLocalDay } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { OUTCOMES } from '../../ui/outcome.tsx';

const WINDOW_TEXTS: Readonly<Record<UsageWindow, string>> = {
  '1h': t`the last hour`,
  '6h': t`the last 6 hours`,
  '24h': t`the last 24 hours`,
  '7d': t`the last 7 days`,
  '30d': t`the last 30 days`,
  '90d': t`the last 90 days`,
};
/** On the switch, and in comparisons. */
export const WINDOW_LABELS: Readonly<Record<UsageWindow, string>> = {
  '1h': t`1 h`,
  '6h': t`6 h`,
  '24h': t`24 h`,
  '7d': t`7 d`,
  '30d': t`30 d`,
  '90d': t`90 d`,
};
export const windowText = (window: UsageWindow): string => WINDOW_TEXTS[window];

export const SPLIT_LABELS: Readonly<Record<UsageSplit, string>> = {
  key: t`Key`,
  host: t`Host`,
  scraper: t`Scraper`,
  proxy: t`Proxy`,
  vendor: t`Vendor`,
  user: t`User`,
  outcome: t`Outcome`,
  day: t({ message: 'Day', context: 'date' }),
};

/** The titles of the table: the panel, and the table itself. */
export const SPLIT_TITLES: Readonly<Record<UsageSplit, readonly [panel: string, table: string]>> = {
  key: [t`By key`, t`Usage by key`],
  host: [t`By host`, t`Usage by host`],
  scraper: [t`By scraper`, t`Usage by scraper`],
  proxy: [t`By proxy`, t`Usage by proxy`],
  vendor: [t`By vendor`, t`Usage by vendor`],
  user: [t`By user`, t`Usage by user`],
  outcome: [t`By outcome`, t`Usage by outcome`],
  day: [t`By day`, t`Usage by day`],
};

/** Whether the operator has set prices. */
export const hasPrices = ({ cost_unit }: Pick<Usage, 'cost_unit'>): boolean => cost_unit !== 'effort';

/** Items whose `name` is null. */
const UNNAMED: Readonly<Partial<Record<UsageSplit, string>>> = {
  key: t`Dashboard, without a key`,
  scraper: t`No attempt`,
  proxy: t`No attempt`,
  vendor: t`Not by a vendor`,
};

const PROXY_TEXTS: Readonly<Record<string, string>> = {
  datacenter: t`Datacenter, or no proxy`,
  residential: t`Residential`,
  mobile: t`Mobile`,
  custom: t`Proxy of the request`,
  none: t`No proxy`,
};

/** What people call an item. */
export function itemText({ name, label }: Pick<UsageItem, 'name' | 'label'>, by: UsageSplit): string {
  if (name === null) return UNNAMED[by] ?? '–';
  if (label !== null) return label;
  switch (by) {
    case 'host':
      return hostText(name);
    case 'proxy':
      return PROXY_TEXTS[name] ?? name;
    case 'outcome':
      return OUTCOMES[name as keyof typeof OUTCOMES]?.label ?? name;
    case 'scraper':
      return name === 'model' ? t`Language model` : name;
    case 'day':
      return formatUtcDay(name);
    default:
      return name;
  }
}

const utcDay = new Intl.DateTimeFormat(DATE_LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const formatUtcDay = (at: string): string => utcDay.format(new Date(at)).replace(',', '');

const month = new Intl.DateTimeFormat(DATE_LOCALE, { month: 'long', timeZone: 'UTC' });
/** `2026-11` → `November`. */
export const monthText = (text: string): string => month.format(new Date(`${text}-01T00:00:00Z`));

/** Since when usage is counted, in a sentence; null if that was before the time that is compared. */
export function sinceText({ previous, counted_from }: Usage): string | null {
  if (previous !== null || counted_from === null) return null;
  return t`Usage is counted since ${formatLocalDay(counted_from)}, so there is nothing to compare with.`;
}
