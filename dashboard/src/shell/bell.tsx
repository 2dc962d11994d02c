import { plural, t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { unreadQuery } from '../api/notifications.ts';
import { IconBell } from '../ui/icons.tsx';
import classes from './bell.module.css';

/** The first page does not wait for the count. */
const FIRST_COUNT_MS = 2_000;
const MOST_SHOWN = 99;

interface BellProps {
  readonly opened: boolean;
  readonly onOpen: () => void;
}

/** Opens the notifications, and shows how many are not read. */
export function Bell({ opened, onOpen }: BellProps) {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), FIRST_COUNT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data: unread = 0 } = useQuery({ ...unreadQuery, enabled });
  const label =
    unread === 0
      ? t`Notifications`
      : plural(unread, { one: 'Notifications, # not read', other: 'Notifications, # not read' });
  return (
    <ActionIcon
      size={38}
      className={classes.bell}
      onClick={onOpen}
      aria-label={label}
      aria-haspopup="dialog"
      aria-expanded={opened}
    >
      <IconBell size={19} />
      {unread > 0 && (
        <span className={classes.count} aria-hidden="true">
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </ActionIcon>
  );
}
