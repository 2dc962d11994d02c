import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type Monitor, useDeleteMonitor, useSteerMonitor } from '../../api/monitors.ts';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { IconEdit, IconPause, IconPlay, IconTrash } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { SteerButton } from '../../ui/steer-button.tsx';

interface MonitorSteeringProps {
  readonly monitor: Monitor;
  readonly isRunning: boolean;
}

export function MonitorSteering({ monitor: { id, name, state }, isRunning }: MonitorSteeringProps) {
  const steer = useSteerMonitor(id);
  const dialog = useDialog<string>();
  const navigate = useNavigate();
  const act = (action: 'pause' | 'resume' | 'run', done: string) =>
    steer.mutate(action, { onSuccess: () => notifySuccess(done), onError: notifyError });
  return (
    <>
      <SteerButton
        icon={IconPlay}
        label={t`Run now`}
        variant="filled"
        disabled={steer.isPending || isRunning}
        onClick={() => act('run', t`The run has begun.`)}
      />
      {state === 'active' ? (
        <SteerButton
          icon={IconPause}
          label={t`Pause`}
          disabled={steer.isPending}
          onClick={() => act('pause', t`The monitor is paused.`)}
        />
      ) : (
        <SteerButton
          icon={IconPlay}
          label={t`Resume`}
          disabled={steer.isPending}
          onClick={() => act('resume', t`The monitor runs again.`)}
        />
      )}
      <SteerButton
        icon={IconEdit}
        label={t`Edit`}
        onClick={() => void navigate({ to: '/monitors/$id/edit', params: { id } })}
      />
      <SteerButton icon={IconTrash} label={t`Delete`} onClick={() => dialog.open(name)} />
      <ConfirmDialog
        dialog={dialog}
        title={t`Delete “${name}”?`}
        confirmLabel={t`Delete the monitor`}
        danger
        action={useDeleteMonitor(id)}
        input={undefined}
        done={t`The monitor is deleted.`}
        onDone={() => void navigate({ to: '/monitors' })}
      >
        <Trans>The monitor, its runs and their records are deleted. This cannot be undone.</Trans>
      </ConfirmDialog>
    </>
  );
}
