import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type Monitor, useDeleteMonitor, useSteerMonitor } from '../../api/monitors.ts';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { IconPause, IconPlay, IconTrash } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';

interface MonitorSteeringProps {
  readonly monitor: Monitor;
  readonly isRunning: boolean;
}

export function MonitorSteering({ monitor: { id, name, state }, isRunning }: MonitorSteeringProps) {
  const steer = useSteerMonitor(id);
  const remove = useDeleteMonitor(id);
  const dialog = useDialog<string>();
  const navigate = useNavigate();
  const act = (action: 'pause' | 'resume' | 'run', done: string) =>
    steer.mutate(action, { onSuccess: () => notifySuccess(done), onError: notifyError });
  return (
    <>
      <Button
        leftSection={<IconPlay size={16} />}
        disabled={steer.isPending || isRunning}
        onClick={() => act('run', t`The run has begun.`)}
      >
        <Trans>Run now</Trans>
      </Button>
      {state === 'active' ? (
        <Button
          variant="default"
          leftSection={<IconPause size={16} />}
          disabled={steer.isPending}
          onClick={() => act('pause', t`The monitor is paused.`)}
        >
          <Trans>Pause</Trans>
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlay size={16} />}
          disabled={steer.isPending}
          onClick={() => act('resume', t`The monitor runs again.`)}
        >
          <Trans>Resume</Trans>
        </Button>
      )}
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => dialog.open(name)}>
        <Trans>Delete</Trans>
      </Button>
      <ConfirmDialog
        opened={dialog.opened}
        onClose={dialog.close}
        title={t`Delete “${name}”?`}
        confirmLabel={t`Delete the monitor`}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              notifySuccess(t`The monitor is deleted.`);
              void navigate({ to: '/monitors' });
            },
          })
        }
      >
        <Trans>The monitor, its runs and their records are deleted. This cannot be undone.</Trans>
      </ConfirmDialog>
    </>
  );
}
