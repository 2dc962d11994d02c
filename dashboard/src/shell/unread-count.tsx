import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unreadQuery } from '../api/notifications.ts';
import classes from './notifications.module.css';

const MOST_SHOWN = 99;

interface UnreadCountProps {
  /** Gets the name of the button that it stands in. */
  readonly onLabel: (label: string) => void;
}

/** How many notifications are not read; nothing if all are. */
export function UnreadCount({ onLabel }: UnreadCountProps) {
  const { data: unread = 0 } = useQuery(unreadQuery);
  useEffect(() => {
    onLabel(
      unread === 0
        ? t`Notifications`
        : plural(unread, { one: 'Notifications, # not read', other: 'Notifications, # not read' }),
    );
  }, [unread, onLabel]);
  if (unread === 0) return null;
  return (
    <span className={classes.count} aria-hidden="true">
      {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
    </span>
  );
}
