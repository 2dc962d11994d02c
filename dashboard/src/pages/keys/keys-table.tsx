import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ApiKey } from '../../api/keys.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useIsAdmin } from '../../api/session.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import {
  formatCost,
  formatCount,
  formatLocalDay,
  formatLocalMinute,
  formatRelative,
} from '../../ui/format.ts';
import {
  IconBell,
  IconBlocked,
  IconCircleCheck,
  IconClock,
  IconEdit,
  IconHistory,
  IconRotate,
} from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import type { KeyAction } from './key-dialogs.tsx';
import { keyState, limitsText, shortKey } from './key-state.ts';
import classes from './keys.module.css';

interface KeysTableProps {
  /** null: loading. */
  readonly keys: readonly ApiKey[] | null;
  readonly onAction: OnAction;
}

type OnAction = (action: KeyAction, key: ApiKey) => void;

export function KeysTable({ keys, onAction }: KeysTableProps) {
  const currency = useQuery(scrapersQuery).data?.cost_unit ?? '';
  return (
    <DataTable
      caption={t`API keys`}
      oneLine
      columns={[
        {
          label: t`Name`,
          lead: true,
          className: classes.key,
          cell: (key) => <KeyName apiKey={key} currency={currency} />,
        },
        {
          label: t`Key`,
          wide: true,
          cell: (key) => (
            <code className={classes.short} title={t`Created on ${formatLocalDay(key.created_at)}`}>
              {shortKey(key)}
            </code>
          ),
        },
        {
          label: t`Limits`,
          wide: true,
          className: classes.limits,
          cell: (key) => <span title={limitsText(key, currency)}>{limitsText(key, currency)}</span>,
        },
        {
          label: t`Status`,
          wide: true,
          className: classes.status,
          cell: (key) => <KeyStatus apiKey={key} />,
        },
        {
          label: t`Last used`,
          wide: true,
          nowrap: true,
          cell: ({ last_used_at }) => <DateTime at={last_used_at} as="relative" fallback={t`Never`} />,
        },
        {
          label: t`Used today (UTC)`,
          wide: true,
          numeric: true,
          cell: (key) => <UsageToday apiKey={key} currency={currency} />,
        },
        {
          label: t`Actions`,
          hidden: true,
          width: '1%',
          cell: (key) => <KeyMenu apiKey={key} onAction={onAction} />,
        },
      ]}
      rows={keys}
      rowKey={({ id }) => id}
      skeletonRows={4}
    />
  );
}

function KeyMenu({ apiKey: key, onAction }: { readonly apiKey: ApiKey; readonly onAction: OnAction }) {
  const isAdmin = useIsAdmin();
  const state = keyState(key, Date.now());
  const audit = (label: string) => ({
    label,
    leftSection: <IconHistory size={16} />,
    renderRoot: (props: object) => <Link to="/audit" search={{ target_id: key.id }} {...props} />,
  });
  if (state === 'revoked')
    return isAdmin && <RowMenu label={t`Actions for ${key.name}`} actions={[audit(t`Who revoked it`)]} />;
  return (
    <RowMenu
      label={t`Actions for ${key.name}`}
      actions={[
        { label: t`Edit`, leftSection: <IconEdit size={16} />, onClick: () => onAction('edit', key) },
        state !== 'expired' && {
          label: t`Rotate`,
          leftSection: <IconRotate size={16} />,
          onClick: () => onAction('rotate', key),
        },
        {
          label: t`Alert me`,
          leftSection: <IconBell size={16} />,
          renderRoot: (props) => <Link to="/alerts" search={{ key: key.id }} {...props} />,
        },
        isAdmin && audit(t`Who changed it`),
        'divider',
        {
          label: t`Revoke`,
          c: 'var(--sl-red)',
          leftSection: <IconBlocked size={16} />,
          onClick: () => onAction('revoke', key),
        },
      ]}
    />
  );
}

function KeyName({ apiKey: key, currency }: UsageTodayProps) {
  return (
    <>
      <span className={classes.name} title={key.name}>
        {key.name}
      </span>{' '}
      {key.test && <TestPill />}
      <div data-narrow>
        <code className={classes.short}>{shortKey(key)}</code>
        <Text size="xs" c="dimmed" mt={2}>
          {limitsText(key, currency)}
        </Text>
      </div>
      <div data-narrow className={classes.narrow}>
        <KeyStatus apiKey={key} />
      </div>
      <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
        <Trans>
          Used <DateTime at={key.last_used_at} as="relative" fallback={t`never`} /> ·{' '}
          <UsageToday apiKey={key} currency={currency} /> today
        </Trans>
      </Text>
    </>
  );
}

/** Marks a test key. */
export const TestPill = () => (
  <Pill tone="violet" title={t`It scrapes test hosts (*.sluice.test) alone.`}>
    <Trans context="kind of key">Test</Trans>
  </Pill>
);

interface UsageTodayProps {
  readonly apiKey: ApiKey;
  /** Of costs. */
  readonly currency: string;
}

/** The usage of today, and the daily budget if there is one. */
function UsageToday({ apiKey, currency }: UsageTodayProps) {
  const { requests_today: count, cost_today: cost, daily_budget: budget } = apiKey;
  if (budget === null) return plural(count, { one: '# scrape', other: '# scrapes' });
  if (budget.unit === 'scrapes') return t`${formatCount(count)} of ${formatCount(budget.amount)} scrapes`;
  const spent = t`${formatCost(cost, '').trim()} of ${formatCost(budget.amount, currency)}`;
  return plural(count, { one: `# scrape, ${spent}`, other: `# scrapes, ${spent}` });
}

/** Whether the key works, and until when; the minute is in a tooltip. */
export function KeyStatus({ apiKey: key }: { readonly apiKey: ApiKey }) {
  const now = Date.now();
  const state = keyState(key, now);
  if (state === 'revoked') return <InactiveStatus word={t`Revoked`} at={key.revoked_at} />;
  if (state === 'expired') return <InactiveStatus word={t`Expired`} at={key.expires_at} />;
  if (key.expires_at === null) return <Pill tone="green" icon={IconCircleCheck}>{t`Active`}</Pill>;
  const title = t`until ${formatLocalMinute(key.expires_at)}`;
  if (state === 'expiring') {
    return (
      <Pill tone="amber" icon={IconClock} title={title}>
        <Trans>Expires {formatRelative(key.expires_at, now)}</Trans>
      </Pill>
    );
  }
  return (
    <Pill tone="green" icon={IconCircleCheck} title={title}>
      <Trans>Until {formatLocalDay(key.expires_at)}</Trans>
    </Pill>
  );
}

function InactiveStatus({ word, at }: { readonly word: string; readonly at: string | null }) {
  return (
    <Pill tone="slate" icon={IconBlocked} title={at === null ? '' : formatLocalMinute(at)}>
      {word}
    </Pill>
  );
}
