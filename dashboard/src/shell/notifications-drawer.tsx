import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Drawer, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type Notification, notificationsQuery, useReadNotifications } from '../api/notifications.ts';
import { useCanChange } from '../api/session.ts';
import { DateTime } from '../ui/date-time.tsx';
import { IconBell } from '../ui/icons.tsx';
import { notifyError } from '../ui/notice.tsx';
import { EmptyState, PageSkeleton } from '../ui/page-state.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { TextLink } from '../ui/text.tsx';
import classes from './notifications.module.css';

interface NotificationsDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** What the user was told. Each entry leads to its page, and is read then. */
export function NotificationsDrawer({ opened, onClose }: NotificationsDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title={t`Notifications`} position="right" size="md">
      {opened && <NotificationList onFollow={onClose} />}
    </Drawer>
  );
}

function NotificationList({ onFollow }: { readonly onFollow: () => void }) {
  const query = useInfiniteQuery(notificationsQuery);
  const read = useReadNotifications();
  const canChange = useCanChange();
  const first = query.data?.pages[0];
  const newest = first?.items[0];
  return (
    <>
      <div className={classes.head}>
        <TextLink to="/channels" size="sm" onClick={onFollow}>
          <Trans>Channels</Trans>
        </TextLink>
        {canChange && (
          <Button
            variant="default"
            size="xs"
            disabled={newest === undefined || first?.unread === 0}
            loading={read.isPending}
            onClick={() => read.mutate({ up_to: newest!.id }, { onError: notifyError })}
          >
            <Trans>Mark all as read</Trans>
          </Button>
        )}
      </div>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={IconBell} title={t`No notifications`} level={3}>
            <Trans>
              Changes and failures of monitors, ends of jobs that tell of them, profiles that are logged out,
              and alerts appear here, for 30 days.
            </Trans>
          </EmptyState>
        }
        more={t`Show older notifications`}
      >
        {(items) =>
          items === null ? (
            <PageSkeleton />
          ) : (
            <ul className={classes.list}>
              {items.map((item) => (
                <li key={item.id}>
                  <Link
                    {...targetOf(item)}
                    className={classes.item}
                    data-unread={!item.read || undefined}
                    onClick={() => {
                      if (!item.read && canChange) read.mutate({ ids: [item.id] });
                      onFollow();
                    }}
                  >
                    {!item.read && <VisuallyHidden>{t`Not read:`} </VisuallyHidden>}
                    {titleOf(item)}
                    {item.text !== '' && <small>{item.text}</small>}
                    <small>
                      <DateTime at={item.at} as="relative" />
                    </small>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </PagedList>
    </>
  );
}

/** The page that shows it. */
function targetOf({ type, source_id: id, sequence }: Notification): LinkProps {
  const source = type.split('.')[0];
  if (source === 'monitor') return { to: '/monitors/$id', params: { id }, search: { run: sequence } };
  if (source === 'job') return { to: '/jobs/$id', params: { id } };
  if (source === 'scrape') return { to: '/history/$id', params: { id } };
  if (source === 'schedule') return { to: '/schedules/$id', params: { id } };
  if (source === 'profile') return { to: '/profiles' };
  return { to: source === 'alert' ? '/alerts' : '/channels' };
}

function titleOf({ type, name, title }: Notification): string {
  if (name === null) return title;
  switch (type) {
    case 'monitor.changed':
      return t`Changed: ${name}`;
    case 'monitor.failed':
    case 'job.failed':
    case 'scrape.failed':
    case 'schedule.failed':
      return t`Failed: ${name}`;
    case 'monitor.done':
      return t`Unchanged: ${name}`;
    case 'job.done':
    case 'scrape.done':
      return t`Done: ${name}`;
    case 'alert.firing':
      return t`Alert: ${name}`;
    case 'alert.resolved':
      return t`Resolved: ${name}`;
    case 'profile.logged_out':
      return t`Logged out: ${name}`;
    case 'channel.failing':
      return t`Channel fails: ${name}`;
    case 'channel.paused':
      return t`Channel paused: ${name}`;
    default:
      return title;
  }
}
