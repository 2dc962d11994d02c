import { Button } from '@mantine/core';
import { useRef } from 'react';
import { type SessionEntry, useEndSession } from '../../api/session.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { IconCheck, IconDevice } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { Pill } from '../../ui/pill.tsx';
import { useFocusNextRow } from '../../ui/row-menu.tsx';
import classes from './account.module.css';
import { deviceOf } from './device.ts';

export function SessionItem({ session }: { readonly session: SessionEntry }) {
  const end = useEndSession();
  const button = useRef<HTMLButtonElement>(null);
  useFocusNextRow(button);
  const device = deviceOf(session.user_agent);
  return (
    <li className={classes.session}>
      <IconDevice size={20} className={classes.device} />
      <div className={classes.words}>
        <div className={classes.first}>
          <span className={classes.name} title={session.user_agent ?? undefined}>
            {device}
          </span>
          {session.current && (
            <Pill tone="green" icon={IconCheck}>
              This session
            </Pill>
          )}
        </div>
        <div className={classes.more}>
          {session.ip !== null && (
            <>
              <span className="mono">{session.ip}</span> ·{' '}
            </>
          )}
          {session.current ? (
            'active now'
          ) : (
            <>
              last seen <DateTime at={session.last_seen_at} as="relative" />
            </>
          )}{' '}
          · signed in <DateTime at={session.created_at} as="day" />
        </div>
      </div>
      {!session.current && (
        <Button
          ref={button}
          variant="default"
          size="xs"
          loading={end.isPending}
          aria-label={`Sign out ${device}`}
          onClick={() =>
            end.mutate(session.id, {
              onSuccess: () => notifySuccess('The session was signed out.'),
              onError: notifyError,
            })
          }
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
