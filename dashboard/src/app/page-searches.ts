import type { AuditFilter } from '../api/audit.ts';
import type { ItemFilter, Job } from '../api/jobs.ts';
import { SINGLE_SIGN_ON_ERRORS, type SingleSignOnError } from '../api/session.ts';
import { STATS_WINDOWS, type StatsWindow } from '../api/stats.ts';
import { USAGE_SPLITS, USAGE_WINDOWS, type UsageQuery } from '../api/usage.ts';
import { integerIn, listIn, oneOfIn, textIn } from './urls.ts';

/* The search parameters of pages that have several: what they mean, and how they are read. */

export type RawSearch = Record<string, unknown>;

interface SignInSearch {
  /** Path of the page that was requested. */
  readonly next?: string | undefined;
  readonly error?: SingleSignOnError | undefined;
}

export const readSignInSearch = (search: RawSearch): SignInSearch => ({
  next: textIn(search, 'next'),
  error: oneOfIn(search, 'error', SINGLE_SIGN_ON_ERRORS),
});

interface OverviewSearch {
  /** Default: chosen by the data. */
  readonly window?: StatsWindow | undefined;
  /** For administrators: the user whose figures are shown; default: all users. */
  readonly user_id?: string | undefined;
  /** Names of the charts that are shown as tables. */
  readonly table?: readonly string[] | undefined;
}

export const readOverviewSearch = (search: RawSearch): OverviewSearch => ({
  window: oneOfIn(search, 'window', STATS_WINDOWS),
  user_id: textIn(search, 'user_id'),
  table: listIn(search, 'table'),
});

interface UsageSearch extends Partial<UsageQuery> {
  /** What the chart shows. Default: the spend, if there are prices. */
  readonly show?: 'cost' | 'scrapes' | undefined;
}

/** Defaults: 30 days, by key, those that spent the most first. */
export const readUsageSearch = (search: RawSearch): UsageSearch => ({
  window: oneOfIn(search, 'window', USAGE_WINDOWS),
  by: oneOfIn(search, 'by', USAGE_SPLITS),
  sort: oneOfIn(search, 'sort', ['cost', 'scrapes']),
  show: oneOfIn(search, 'show', ['cost', 'scrapes']),
  key_id: textIn(search, 'key_id'),
  host: textIn(search, 'host'),
  scraper: textIn(search, 'scraper'),
  proxy_type: textIn(search, 'proxy_type'),
  user_id: textIn(search, 'user_id'),
});

/** Filters of the list, as the API names them. */
interface JobsSearch {
  readonly kind?: Job['kind'] | undefined;
  readonly state?: Job['state'] | undefined;
  /** A part of the name or the URL. */
  readonly q?: string | undefined;
  /** Id of the owner. */
  readonly user_id?: string | undefined;
  readonly sort?: 'name' | 'duration' | 'cost' | 'ok_share' | undefined;
  /** Also runs of monitors and schedules. */
  readonly with_runs?: 'true' | undefined;
}

export const readJobsSearch = (search: RawSearch): JobsSearch => ({
  kind: oneOfIn(search, 'kind', ['scrape', 'batch', 'crawl']),
  state: oneOfIn(search, 'state', ['queued', 'running', 'paused', 'done', 'cancelled', 'failed']),
  q: textIn(search, 'q'),
  user_id: textIn(search, 'user_id'),
  sort: oneOfIn(search, 'sort', ['name', 'duration', 'cost', 'ok_share']),
  with_runs: oneOfIn(search, 'with_runs', ['true']),
});

interface MonitorsSearch {
  readonly sort?: 'name' | 'next_run' | 'changed' | undefined;
}

export const readMonitorsSearch = (search: RawSearch): MonitorsSearch => ({
  sort: oneOfIn(search, 'sort', ['name', 'next_run', 'changed']),
});

interface SchedulesSearch {
  readonly sort?: 'name' | 'next_run' | undefined;
}

export const readSchedulesSearch = (search: RawSearch): SchedulesSearch => ({
  sort: oneOfIn(search, 'sort', ['name', 'next_run']),
});

interface KeysSearch {
  /** Absent: only usable keys. */
  readonly show?: 'all' | undefined;
  readonly sort?: 'name' | 'used' | 'today' | 'expires' | undefined;
}

export const readKeysSearch = (search: RawSearch): KeysSearch => ({
  show: oneOfIn(search, 'show', ['all']),
  sort: oneOfIn(search, 'sort', ['name', 'used', 'today', 'expires']),
});

interface SitesSearch {
  /** As in a URL, with the port unless it is the default of the scheme. */
  readonly host?: string | undefined;
  readonly sort?: 'host' | 'ok_share' | 'blocked' | 'cost' | 'last_seen' | undefined;
}

export const readSitesSearch = (search: RawSearch): SitesSearch => ({
  host: textIn(search, 'host'),
  sort: oneOfIn(search, 'sort', ['host', 'ok_share', 'blocked', 'cost', 'last_seen']),
});

interface UsersSearch {
  /** A part of the e-mail. */
  readonly q?: string | undefined;
  readonly sort?: 'email' | 'active' | 'scrapes' | 'cost' | undefined;
}

export const readUsersSearch = (search: RawSearch): UsersSearch => ({
  q: textIn(search, 'q'),
  sort: oneOfIn(search, 'sort', ['email', 'active', 'scrapes', 'cost']),
});

export const readItemsSearch = (search: RawSearch): ItemFilter => ({
  items: oneOfIn(search, 'items', ['ok', 'failed', 'waiting', 'skipped']),
  q: textIn(search, 'q'),
  sort: oneOfIn(search, 'sort', ['ended', 'bytes', 'status_code']),
  code: textIn(search, 'code'),
  folder: textIn(search, 'folder'),
});

interface MonitorSearch {
  /** Number of the run that is shown. Default: the latest with a change. */
  readonly run?: number | undefined;
  /** Layout of the difference. Default: `split`, on phones `unified`. */
  readonly view?: 'split' | 'unified' | undefined;
}

export const readMonitorSearch = (search: RawSearch): MonitorSearch => ({
  run: integerIn(search, 'run', 1, Number.MAX_SAFE_INTEGER),
  view: oneOfIn(search, 'view', ['split', 'unified']),
});

interface AlertsSearch {
  /** Opens the form for an alert about this host. */
  readonly site?: string | undefined;
  /** The same about what the key with this id spends. */
  readonly key?: string | undefined;
  /** For those who see all users: their rules, too. */
  readonly of?: 'all' | undefined;
}

export const readAlertsSearch = (search: RawSearch): AlertsSearch => ({
  site: textIn(search, 'site'),
  key: textIn(search, 'key'),
  of: oneOfIn(search, 'of', ['all']),
});

interface WindowSearch {
  /** Of the charts. Default: 24h. */
  readonly window?: StatsWindow | undefined;
}

export const readWindow = (search: RawSearch): WindowSearch => ({
  window: oneOfIn(search, 'window', STATS_WINDOWS),
});

interface VendorsSearch extends WindowSearch {
  /** Name of the vendor in the charts. Default: the one with the most requests. */
  readonly vendor?: string | undefined;
}

export const readVendorsSearch = (search: RawSearch): VendorsSearch => ({
  ...readWindow(search),
  vendor: textIn(search, 'vendor'),
});

export const readAuditSearch = (search: RawSearch): AuditFilter => ({
  action: textIn(search, 'action') as AuditFilter['action'],
  user_id: textIn(search, 'user_id'),
  target_id: textIn(search, 'target_id'),
});
