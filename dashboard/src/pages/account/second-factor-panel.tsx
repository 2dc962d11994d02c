import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { secondFactorQuery } from '../../api/second-factor.ts';
import { useUser } from '../../api/session.ts';
import { loadChunk } from '../../app/lazy.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { useDialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';

/** Loaded when one is opened, with the code that draws QR codes. */
const Dialogs = lazy(async () => {
  const { SecondFactorDialogs } = await loadChunk(() => import('./second-factor-dialogs.tsx'));
  return { default: SecondFactorDialogs };
});

/** The codes of an authenticator app that sign-in asks for. */
export function SecondFactorPanel() {
  const { data, error } = useQuery(secondFactorQuery);
  const { has_password: hasPassword } = useUser();
  const dialog = useDialog<'enable' | 'disable'>();
  return (
    <Panel title="Second factor" description="Sign-in also asks for a code of your authenticator app.">
      <ErrorNotice error={error} />
      {data?.enabled_at === null && (
        <Group>
          <Button onClick={() => dialog.open('enable')} disabled={!hasPassword}>
            Turn on
          </Button>
          {!hasPassword && <Text c="var(--sl-text-soft)">It needs a password.</Text>}
        </Group>
      )}
      {typeof data?.enabled_at === 'string' && (
        <>
          <Text mb="sm">
            On since <DateTime at={data.enabled_at} as="day" />. {data.recovery_codes_left} of 10 recovery
            codes are left.
          </Text>
          <Button variant="default" onClick={() => dialog.open('disable')}>
            Turn off
          </Button>
        </>
      )}
      {dialog.subject !== null && (
        <Suspense fallback={null}>
          <Dialogs key={dialog.openCount} dialog={dialog} kind={dialog.subject} />
        </Suspense>
      )}
    </Panel>
  );
}
