import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
    <Panel title={t`Second factor`} description={t`Sign-in also asks for a code of your authenticator app.`}>
      <ErrorNotice error={error} />
      {data?.enabled_at === null && (
        <Group>
          <Button onClick={() => dialog.open('enable')} disabled={!hasPassword}>
            <Trans>Turn on</Trans>
          </Button>
          {!hasPassword && (
            <Text c="var(--sl-text-soft)">
              <Trans>It needs a password.</Trans>
            </Text>
          )}
        </Group>
      )}
      {typeof data?.enabled_at === 'string' && (
        <>
          <Text mb="sm">
            <Trans>
              On since <DateTime at={data.enabled_at} as="day" />. {data.recovery_codes_left} of 10 recovery
              codes are left.
            </Trans>
          </Text>
          <Button variant="default" onClick={() => dialog.open('disable')}>
            <Trans>Turn off</Trans>
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
