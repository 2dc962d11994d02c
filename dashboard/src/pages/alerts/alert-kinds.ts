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
    label: 'A site stops working',
    description: 'Compares the successful scrapes of the last hour with the 7 days before.',
    threshold: percent('Drop in percentage points', 30),
    subject: 'Only this host',
    suggestion: 'A site stops working',
    adminOnly: false,
  },
  budget: {
    label: 'A budget is nearly spent',
    description: 'Watches the daily budgets of your API keys.',
    threshold: percent('Spent share in %', 80),
    subject: 'Only the key with this ID',
    suggestion: 'My budget is 80 % spent',
    adminOnly: false,
  },
  monitor: {
    label: 'A monitor fails',
    description: 'Counts failed runs in a row of your monitors.',
    threshold: { label: 'Failed runs in a row', unit: 'runs', usual: 3 },
    subject: 'Only the monitor with this ID',
    suggestion: 'A monitor fails three times',
    adminOnly: false,
  },
  pool: {
    label: 'A proxy pool does not work',
    description: 'Watches the health of the exits of each pool.',
    threshold: percent('Share of exits that do not work, in %', 100),
    subject: 'Only the pool with this name',
    suggestion: 'A proxy pool is dead',
    adminOnly: true,
  },
  vendor: {
    label: 'A vendor does not work',
    description: 'Fires while a vendor is not used, for example because its credit is spent.',
    threshold: null,
    subject: 'Only the vendor with this name',
    suggestion: 'A vendor does not work',
    adminOnly: true,
  },
  disk: {
    label: 'The disk is nearly full',
    description: 'Watches the disk of the data folder.',
    threshold: percent('Used share in %', 90),
    subject: null,
    suggestion: 'The disk is nearly full',
    adminOnly: true,
  },
  memory: {
    label: 'Memory runs short',
    description: 'Watches the memory for page contents, and the memory of the machine.',
    threshold: percent('Used share in %', 90),
    subject: null,
    suggestion: 'Memory runs short',
    adminOnly: true,
  },
};

export const kindsFor = (isAdmin: boolean): readonly AlertKind[] =>
  (Object.keys(ALERT_KINDS) as AlertKind[]).filter((kind) => isAdmin || !ALERT_KINDS[kind].adminOnly);

type Channel = Alert['channels'][number];

export const CHANNEL_LABELS: Readonly<Record<Channel['type'], string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'E-mail',
};

/** Where a channel sends to. */
export const channelTarget = ({ type, url, to }: Channel): string =>
  type === 'email' ? to.join(', ') : (url ?? '');
