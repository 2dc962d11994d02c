import { t } from '@lingui/core/macro';
import type { Alert, AlertKind } from '../../api/alerts.ts';

interface KindText {
  readonly label: string;
  /** What the rule tells. */
  readonly description: string;
  /** Label and unit of the threshold; null: there is nothing to set. */
  readonly threshold: {
    readonly label: string;
    readonly unit: 'percent' | 'runs';
    readonly usual: number;
  } | null;
  /** Label of what the rule can be limited to; null: nothing. */
  readonly subject: string | null;
  /** Name of a suggested rule. */
  readonly suggestion: string;
  readonly adminOnly: boolean;
}

const percent = (label: string, usual: number) => ({ label, unit: 'percent' as const, usual });

export const ALERT_KINDS: Readonly<Record<AlertKind, KindText>> = {
  site_success: {
    label: t`A site stops working`,
    description: t`Compares the successful scrapes of the last hour with the 7 days before.`,
    threshold: percent(t`Drop in percentage points`, 30),
    subject: t`Only this host`,
    suggestion: t`A site stops working`,
    adminOnly: false,
  },
  budget: {
    label: t`A budget is nearly spent`,
    description: t`Watches the daily budgets of your API keys.`,
    threshold: percent(t`Spent share in %`, 80),
    subject: t`Only the key with this ID`,
    suggestion: t`My budget is 80 % spent`,
    adminOnly: false,
  },
  monitor: {
    label: t`A monitor fails`,
    description: t`Counts failed runs in a row of your monitors.`,
    threshold: { label: t`Failed runs in a row`, unit: 'runs', usual: 3 },
    subject: t`Only the monitor with this ID`,
    suggestion: t`A monitor fails three times`,
    adminOnly: false,
  },
  pool: {
    label: t`A proxy pool does not work`,
    description: t`Watches the health of the exits of each pool.`,
    threshold: percent(t`Share of exits that do not work, in %`, 100),
    subject: t`Only the pool with this name`,
    suggestion: t`A proxy pool is dead`,
    adminOnly: true,
  },
  vendor: {
    label: t`A vendor does not work`,
    description: t`Fires while a vendor is not used, for example because its credit is spent.`,
    threshold: null,
    subject: t`Only the vendor with this name`,
    suggestion: t`A vendor does not work`,
    adminOnly: true,
  },
  disk: {
    label: t`The disk is nearly full`,
    description: t`Watches the disk of the data folder.`,
    threshold: percent(t`Used share in %`, 90),
    subject: null,
    suggestion: t`The disk is nearly full`,
    adminOnly: true,
  },
  memory: {
    label: t`Memory runs short`,
    description: t`Watches the memory for page contents, and the memory of the machine.`,
    threshold: percent(t`Used share in %`, 90),
    subject: null,
    suggestion: t`Memory runs short`,
    adminOnly: true,
  },
};

export const kindsFor = (isAdmin: boolean): readonly AlertKind[] =>
  (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => isAdmin || !ALERT_KINDS[kind].adminOnly);

type Channel = Alert['channels'][number];

export const CHANNEL_LABELS: Readonly<Record<Channel['type'], string>> = {
  webhook: t`Webhook`,
  slack: t`Slack`,
  email: t`E-mail`,
};

/** Where a channel sends to. */
export const channelTarget = ({ type, url, to }: Channel): string =>
  type === 'email' ? to.join(', ') : (url ?? '');
