import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type SessionEntry, sessionsQuery, useEndOtherSessions, useEndSession } from '../../api/session.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { IconCheck, IconDevice } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { useFocusNextRow } from '../../ui/row-menu.tsx';
import classes from './account.module.css';

/** A button shows the sessions beyond this number. */
const SHOWN_AT_FIRST = 6;

/** The sessions of the user, which can be ended here. */
export function SessionsPanel() {
  const sessions = useQuery(sessionsQuery);
  const confirm = useDialog<'others'>();
  const [all, setAll] = useState(false);
  // The current session first.
  const items = sessions.data?.items.toSorted((a, b) => Number(b.current) - Number(a.current)) ?? null;
  const others = items === null ? 0 : items.filter(({ current }) => !current).length;
  return (
    <Panel
      title={t`Sessions`}
      description={t`Your signed-in devices. If you don't recognise one, sign it out and change your password.`}
    >
      {items !== null ? (
        <>
          <ul className="plain">
            {items.slice(0, all ? items.length : SHOWN_AT_FIRST).map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
          <Group mt="md" gap="xs">
            {others > 0 && (
              <Button variant="default" onClick={() => confirm.open('others')}>
                <Trans>Sign out all others</Trans>
              </Button>
            )}
            {!all && items.length > SHOWN_AT_FIRST && (
              <Button variant="subtle" onClick={() => setAll(true)}>
                <Trans>Show {items.length - SHOWN_AT_FIRST} more</Trans>
              </Button>
            )}
          </Group>
        </>
      ) : sessions.error !== null ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Stack role="status" aria-label={t`Loading`}>
          <Skeleton height={40} />
          <Skeleton height={40} />
        </Stack>
      )}
      <ConfirmDialog
        dialog={confirm}
        title={t`Sign out all other sessions?`}
        confirmLabel={t`Sign them out`}
        danger
        action={useEndOtherSessions()}
        input={undefined}
        done={t`All your other sessions were signed out.`}
      >
        <Trans>
          <Plural value={others} one="One other browser is" other="# other browsers are" /> signed out at
          once. You stay signed in here; your API keys are not affected.
        </Trans>
      </ConfirmDialog>
    </Panel>
  );
}

function SessionItem({ session }: { readonly session: SessionEntry }) {
  const end = useEndSession();
  const button = useRef<HTMLButtonElement>(null);
  useFocusNextRow(button);
  const device = deviceOf(session.user_agent);
  return (
    <li className={classes.item}>
      <IconDevice size={20} className={classes.device} />
      <div className={classes.text}>
        <div className={classes.firstLine}>
          <span className={classes.name} title={session.user_agent ?? undefined}>
            {device}
          </span>
          {session.current && <Pill tone="green" icon={IconCheck}>{t`This session`}</Pill>}
        </div>
        <div className={classes.secondLine}>
          {session.ip !== null && (
            <>
              <span className="mono">{session.ip}</span> ·{' '}
            </>
          )}
          {session.current ? (
            t`active now`
          ) : (
            <Trans>
              last seen <DateTime at={session.last_seen_at} as="relative" />
            </Trans>
          )}{' '}
          <Trans>
            · signed in <DateTime at={session.created_at} as="day" />
          </Trans>
        </div>
      </div>
      {!session.current && (
        <Button
          ref={button}
          variant="default"
          size="xs"
          loading={end.isPending}
          aria-label={t`Sign out ${device}`}
          onClick={() =>
            end.mutate(session.id, {
              onSuccess: () => notifySuccess(t`The session was signed out.`),
              onError: notifyError,
            })
          }
        >
          <Trans>Sign out</Trans>
        </Button>
      )}
    </li>
  );
}

/** In this order, because the `User-Agent` of Edge and Opera also names Chrome and Safari. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
/** In this order, because the `User-Agent` of an iPhone also names Mac OS X, and that of Android also Linux. */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A short name for a `User-Agent`: `Firefox on Linux`. An unknown one is returned unchanged. */
function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return t`Unknown device`;
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (list) => list.find(([pattern]) => pattern.test(userAgent))?.[1],
  );
  if (browser === undefined) return userAgent.length > 60 ? `${userAgent.slice(0, 60)}…` : userAgent;
  return system === undefined ? browser : t`${browser} on ${system}`;
}
