import { Menu, Text } from '@mantine/core';
import type { ApiKey } from '../../api/keys.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconBlocked, IconEdit, IconRotate } from '../../ui/icons.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { limitsInWords } from './key-limits.ts';
import { keyState, shortKey } from './key-state.ts';
import { KeyStatus } from './key-status.tsx';
import classes from './keys.module.css';

export interface KeyActions {
  readonly onEdit: (key: ApiKey) => void;
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

export function KeyRow({ of: key, actions }: { readonly of: ApiKey; readonly actions: KeyActions }) {
  const state = keyState(key, Date.now());
  return (
    <tr data-ended={state === 'revoked' || state === 'expired' || undefined}>
      <td className={classes.key}>
        <div className={classes.name}>{key.name}</div>
        <code className={classes.short}>{shortKey(key)}</code>
        <Text size="xs" c="dimmed" mt={2}>
          {limitsInWords(key)}
        </Text>
        <div className={classes.narrow}>
          <KeyStatus of={key} />
        </div>
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm">
          Used <DateTime at={key.last_used_at} as="relative" fallback="never" /> · <Today of={key} /> today
        </Text>
      </td>
      <td data-wide className={classes.status}>
        <KeyStatus of={key} />
      </td>
      <td data-wide className={classes.time}>
        <DateTime at={key.created_at} as="day" />
      </td>
      <td data-wide className={classes.time}>
        <DateTime at={key.last_used_at} as="relative" fallback="Never" />
      </td>
      <td data-wide data-numeric>
        <Today of={key} />
      </td>
      <td className={classes.menu}>
        {state !== 'revoked' && (
          <RowMenu label={`Actions for ${key.name}`}>
            <Menu.Item leftSection={<IconEdit size={16} />} onClick={() => actions.onEdit(key)}>
              Edit
            </Menu.Item>
            {state !== 'expired' && (
              <Menu.Item leftSection={<IconRotate size={16} />} onClick={() => actions.onRotate(key)}>
                Rotate
              </Menu.Item>
            )}
            <Menu.Divider />
            <Menu.Item
              c="var(--sl-red)"
              leftSection={<IconBlocked size={16} />}
              onClick={() => actions.onRevoke(key)}
            >
              Revoke
            </Menu.Item>
          </RowMenu>
        )}
      </td>
    </tr>
  );
}

/** Of a budget, when there is one. */
function Today({ of: { requests_today, cost_today, daily_budget } }: { readonly of: ApiKey }) {
  if (daily_budget?.unit === 'cost')
    return (
      <>
        {formatCount(requests_today)}, costs {cost_today} of {daily_budget.amount}
      </>
    );
  const of = daily_budget === null ? '' : ` of ${formatCount(daily_budget.amount)}`;
  return (
    <>
      {formatCount(requests_today)}
      {of}
    </>
  );
}
