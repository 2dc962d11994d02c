import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { type Monitor, useDeleteMonitor, useSteerMonitor } from '../../api/monitors.ts';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { IconEdit, IconTrash } from '../../ui/icons.tsx';
import { SteerButton } from '../../ui/steer-button.tsx';
import { RunSteering } from './run-steering.tsx';

interface MonitorSteeringProps {
  readonly monitor: Monitor;
  readonly isRunning: boolean;
}

export function MonitorSteering({ monitor: { id, name, state }, isRunning }: MonitorSteeringProps) {
  const steer = useSteerMonitor(id);
  const dialog = useDialog<string>();
  const navigate = useNavigate();
  return (
    <>
      <RunSteering
        steer={steer}
        isActive={state === 'active'}
        isRunning={isRunning}
        paused={t`The monitor is paused.`}
        resumed={t`The monitor runs again.`}
      />
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
