import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiKey } from '../../api/keys.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useIsAdmin } from '../../api/session.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCost, formatCount, formatRelative } from '../../ui/format.ts';
import { IconBlocked, IconCircleCheck, IconClock, IconEdit, IconRotate } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TextLink } from '../../ui/text.tsx';
import { keyState, limitsText, shortKey } from './key-state.ts';
import classes from './keys.module.css';

interface KeysTableProps {
  /** null: loading. */
  readonly keys: readonly ApiKey[] | null;
  readonly actions: KeyActions;
}

export function KeysTable({ keys, actions }: KeysTableProps) {
  return (
    <DataTable
      caption={t`API keys`}
      busy={keys === null}
      head={
        <>
          <th scope="col">
            <Trans>Key</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Status</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Created</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Last used</Trans>
          </th>
          <th scope="col" data-wide data-numeric>
            <Trans>Used today (UTC)</Trans>
          </th>
          <th scope="col">
            <VisuallyHidden>
              <Trans>Actions</Trans>
            </VisuallyHidden>
          </th>
        </>
      }
    >
      {keys === null ? (
        <SkeletonRows rows={4} columns={6} />
      ) : (
        keys.map((key) => <KeyRow key={key.id} apiKey={key} actions={actions} />)
      )}
    </DataTable>
  );
}

interface KeyActions {
  readonly onEdit: (key: ApiKey) => void;
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyRow({ apiKey: key, actions }: { readonly apiKey: ApiKey; readonly actions: KeyActions }) {
  const state = keyState(key, Date.now());
  const isAdmin = useIsAdmin();
  const currency = useQuery(scrapersQuery).data?.cost_unit ?? '';
  return (
    <tr data-ended={state === 'revoked' || state === 'expired' || undefined}>
      <td className={classes.key}>
        <div className={classes.name}>{key.name}</div>
        <code className={classes.short}>{shortKey(key)}</code>
        <Text size="xs" c="dimmed" mt={2}>
          {limitsText(key, currency)}
        </Text>
        <div className={classes.narrow}>
          <KeyStatus apiKey={key} />
        </div>
        {isAdmin && (
          <TextLink to="/audit" search={{ target_id: key.id }} size="xs">
            {state === 'revoked' ? t`Who revoked it` : t`Who changed it`}
          </TextLink>
        )}
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          <Trans>
            Used <DateTime at={key.last_used_at} as="relative" fallback={t`never`} /> ·{' '}
            <UsageToday apiKey={key} currency={currency} /> today
          </Trans>
        </Text>
      </td>
      <td data-wide className={classes.status}>
        <KeyStatus apiKey={key} />
      </td>
      <td data-wide className={classes.time}>
        <DateTime at={key.created_at} as="day" />
      </td>
      <td data-wide className={classes.time}>
        <DateTime at={key.last_used_at} as="relative" fallback={t`Never`} />
      </td>
      <td data-wide data-numeric>
        <UsageToday apiKey={key} currency={currency} />
      </td>
      <td className={classes.menu}>
        {state !== 'revoked' && (
          <RowMenu label={t`Actions for ${key.name}`}>
            <Menu.Item leftSection={<IconEdit size={16} />} onClick={() => actions.onEdit(key)}>
              <Trans>Edit</Trans>
            </Menu.Item>
            {state !== 'expired' && (
              <Menu.Item leftSection={<IconRotate size={16} />} onClick={() => actions.onRotate(key)}>
                <Trans>Rotate</Trans>
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item
              c="var(--sl-red)"
              leftSection={<IconBlocked size={16} />}
              onClick={() => actions.onRevoke(key)}
            >
              <Trans>Revoke</Trans>
            </Menu.Item>
          </RowMenu>
        )}
      </td>
    </tr>
  );
}

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

/** Whether the key works, and until when. */
function KeyStatus({ apiKey: key }: { readonly apiKey: ApiKey }) {
  const now = Date.now();
  const state = keyState(key, now);
  if (state === 'revoked') return <InactiveStatus word={t`Revoked`} at={key.revoked_at} />;
  if (state === 'expired') return <InactiveStatus word={t`Expired`} at={key.expires_at} />;
  if (key.expires_at === null) return <ActiveStatus />;
  if (state === 'expiring') {
    return (
      <>
        <Pill tone="amber" icon={IconClock}>
          <Trans>Expires {formatRelative(key.expires_at, now)}</Trans>
        </Pill>
        <Until at={key.expires_at} />
      </>
    );
  }
  return (
    <>
      <ActiveStatus />
      <Until at={key.expires_at} />
    </>
  );
}

function Until({ at }: { readonly at: string }) {
  return (
    <Text size="xs" c="dimmed" component="div" className={classes.until}>
      <Trans>
        until <DateTime at={at} as="minute" />
      </Trans>
    </Text>
  );
}

function ActiveStatus() {
  return (
    <Pill tone="green" icon={IconCircleCheck}>
      <Trans>Active</Trans>
    </Pill>
  );
}

function InactiveStatus({ word, at }: { readonly word: string; readonly at: string | null }) {
  return (
    <>
      <Pill tone="slate" icon={IconBlocked}>
        {word}
      </Pill>
      <Text size="xs" c="dimmed" component="div" className={classes.until}>
        <DateTime at={at} as="minute" />
      </Text>
    </>
  );
}
