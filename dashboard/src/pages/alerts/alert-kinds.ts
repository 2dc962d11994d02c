import { t } from '@lingui/core/macro';
import type { Alert, AlertKind } from '../../api/alerts.ts';
import { CHANNEL_LABELS, channelTarget as targetOfChannel } from '../channels/channel-values.ts';

interface KindText {
  readonly label: string;
  /** What the rule tells. */
  readonly description: string;
  /** Label and unit of the threshold, with the usual values to fire and to resolve; null: there is nothing to set. */
  readonly threshold: {
    readonly label: string;
    readonly unit: 'percent' | 'points' | 'runs';
    readonly usual: number;
    readonly usualClear: number;
  } | null;
  /** What the rule can be limited to; null: nothing. */
  readonly subject: {
    readonly noun: string;
    readonly label: string;
    readonly description: string;
  } | null;
  /** Seconds that a value is usually too high before the rule fires, and low enough before it is resolved. */
  readonly usual: { readonly forS: number; readonly clearForS: number };
  /** Name of a suggested rule. */
  readonly suggestion: string;
  readonly adminOnly: boolean;
}

const percent = (label: string, usual: number, usualClear: number) => ({
  label,
  unit: 'percent' as const,
  usual,
  usualClear,
});
const AT_ONCE = { forS: 0, clearForS: 0 };
const FIVE_MINUTES = { forS: 300, clearForS: 300 };
const ALL = t`Empty: all of them, each by itself.`;

/** How the success of a site is usually measured. */
export const USUAL_SITE = { window_s: 3600, min_scrapes: 20, baseline_days: 7 };

// The usual values are the defaults of the API.

export const ALERT_KINDS: Readonly<Record<AlertKind, KindText>> = {
  metric: {
    label: t`A number passes a limit`,
    description: t`Cost, errors, blocks, speed or number of scrapes: of all, or of a site, a key, a scraper and so on.`,
    // The form has fields of its own.
    threshold: null,
    subject: null,
    usual: { forS: 0, clearForS: 300 },
    suggestion: t`Something costs too much`,
    adminOnly: false,
  },
  site_success: {
    label: t`A site stops working`,
    description: t`Fires when the share of successful scrapes is lower than in the 7 days before. If a site failed throughout these days, it does not fire.`,
    threshold: { label: t`Drop in percentage points`, unit: 'points', usual: 30, usualClear: 15 },
    subject: { noun: t`Site`, label: t`Only this site`, description: ALL },
    usual: FIVE_MINUTES,
    suggestion: t`A site stops working`,
    adminOnly: false,
  },
  budget: {
    label: t`A budget is nearly spent`,
    description: t`Watches the daily budgets of your API keys.`,
    threshold: percent(t`Spent share in %`, 80, 70),
    subject: {
      noun: t`Key`,
      label: t`Only this key`,
      description: t`Keys that have a daily budget. Empty: all of them, each by itself.`,
    },
    usual: AT_ONCE,
    suggestion: t`My budget is 80 % spent`,
    adminOnly: false,
  },
  monitor: {
    label: t`A monitor fails`,
    description: t`Counts failed runs in a row of your monitors.`,
    threshold: { label: t`Failed runs in a row`, unit: 'runs', usual: 3, usualClear: 0 },
    subject: { noun: t`Monitor`, label: t`Only this monitor`, description: ALL },
    usual: AT_ONCE,
    suggestion: t`A monitor fails three times`,
    adminOnly: false,
  },
  pool: {
    label: t`A proxy pool does not work`,
    description: t`Watches the health of the exits of each pool.`,
    threshold: percent(t`Fires when so many % of the exits do not work`, 100, 50),
    subject: { noun: t`Pool`, label: t`Only this pool`, description: ALL },
    usual: FIVE_MINUTES,
    suggestion: t`A proxy pool is dead`,
    adminOnly: true,
  },
  vendor: {
    label: t`A vendor does not work`,
    description: t`Fires while a vendor is not used, for example because its credit is spent.`,
    threshold: null,
    subject: { noun: t`Vendor`, label: t`Only this vendor`, description: ALL },
    usual: { forS: 0, clearForS: 600 },
    suggestion: t`A vendor does not work`,
    adminOnly: true,
  },
  disk: {
    label: t`The disk is nearly full`,
    description: t`Watches the disk of the data folder.`,
    threshold: percent(t`Used share in %`, 90, 85),
    subject: null,
    usual: FIVE_MINUTES,
    suggestion: t`The disk is nearly full`,
    adminOnly: true,
  },
  memory: {
    label: t`Memory runs short`,
    description: t`Watches the memory for page contents, and the memory of the machine.`,
    threshold: percent(t`Used share in %`, 90, 80),
    subject: null,
    usual: FIVE_MINUTES,
    suggestion: t`Memory runs short`,
    adminOnly: true,
  },
};

export const kindsFor = (isAdmin: boolean): readonly AlertKind[] =>
  (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => isAdmin || !ALERT_KINDS[kind].adminOnly);

type Channel = Alert['channels'][number];

export { CHANNEL_LABELS };

/** Where a channel sends to: the name of one that others use, too. */
export const channelTarget = (channel: Channel): string => channel.name ?? targetOfChannel(channel);
