import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionsQuery, useEndOtherSessions } from '../../api/session.ts';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './account.module.css';
import { SessionItem } from './session-item.tsx';

/** More are shown when they are asked for. */
const FEW = 6;

/** Where the user is signed in, and the way to end it. */
export function SessionsPanel() {
  const sessions = useQuery(sessionsQuery);
  const endOthers = useEndOtherSessions();
  const confirm = useDialog<'others'>();
  const [all, setAll] = useState(false);
  const items = sessions.data?.items.toSorted((a, b) => Number(b.current) - Number(a.current)) ?? null;
  const others = items === null ? 0 : items.filter(({ current }) => !current).length;
  return (
    <Panel
      title="Sessions"
      description="Your signed-in devices. If you don't recognise one, sign it out and change your password."
    >
      {items !== null ? (
        <>
          <ul className={classes.sessions}>
            {items.slice(0, all ? items.length : FEW).map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
          <Group mt="md" gap="xs">
            {others > 0 && (
              <Button variant="default" onClick={() => confirm.open('others')}>
                Sign out all others
              </Button>
            )}
            {!all && items.length > FEW && (
              <Button variant="subtle" onClick={() => setAll(true)}>
                Show {items.length - FEW} more
              </Button>
            )}
          </Group>
        </>
      ) : sessions.error !== null ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Stack role="status" aria-label="Loading">
          <Skeleton height={40} />
          <Skeleton height={40} />
        </Stack>
      )}
      <ConfirmDialog
        opened={confirm.opened}
        onClose={confirm.close}
        title="Sign out all other sessions?"
        confirmLabel="Sign them out"
        danger
        busy={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() =>
          endOthers.mutate(undefined, {
            onSuccess: () => {
              notifySuccess('All your other sessions were signed out.');
              confirm.close();
            },
          })
        }
      >
        {others === 1 ? 'One other browser is' : `${others} other browsers are`} signed out at once. You stay
        signed in here; your API keys are not affected.
      </ConfirmDialog>
    </Panel>
  );
}
