import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useLayoutEffect } from 'react';
import { api, responseBody } from '../api/client.ts';

const COUNT_MS = 30_000;
const MOST_SHOWN = 99;

/** Not in a file of its own, which the first page would load. */
const COUNT: CSSProperties = {
  position: 'absolute',
  top: 1,
  right: 0,
  minWidth: 17,
  padding: '0 4px',
  borderRadius: 9,
  background: 'var(--sl-red-solid)',
  color: '#fff',
  fontSize: 11,
  fontWeight: 600,
  lineHeight: '17px',
};

interface UnreadCountProps {
  /** Gets the name of the button that it stands in. */
  readonly onLabel: (label: string) => void;
}

/** How many notifications are not read; nothing if all are. */
export function UnreadCount({ onLabel }: UnreadCountProps) {
  const { data } = useQuery({
    queryKey: ['notifications', 'unread'],
    queryFn: ({ signal }) =>
      responseBody(
        api.GET('/api/v1/notifications/', { params: { query: { unread: '1', limit: 1 } }, signal }),
      ),
    refetchInterval: COUNT_MS,
  });
  const unread = data?.unread ?? 0;
  const shown = unread > MOST_SHOWN ? `${MOST_SHOWN}+` : `${unread}`;
  // The name contains what is shown, also while it is first painted.
  useLayoutEffect(() => {
    onLabel(
      unread === 0
        ? t`Notifications`
        : plural(unread, {
            one: `Notifications, ${shown} not read`,
            other: `Notifications, ${shown} not read`,
          }),
    );
  }, [unread, shown, onLabel]);
  if (unread === 0) return null;
  return (
    <span style={COUNT} aria-hidden="true">
      {shown}
    </span>
  );
}
