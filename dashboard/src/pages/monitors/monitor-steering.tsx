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
        onClick={() => act('run', 'The run has begun.')}
      >
        Run now
      </Button>
      {state === 'active' ? (
        <Button
          variant="default"
          leftSection={<IconPause size={16} />}
          disabled={steer.isPending}
          onClick={() => act('pause', 'The monitor is paused.')}
        >
          Pause
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlay size={16} />}
          disabled={steer.isPending}
          onClick={() => act('resume', 'The monitor runs again.')}
        >
          Resume
        </Button>
      )}
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => dialog.open(name)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={dialog.opened}
        onClose={dialog.close}
        title={`Delete “${name}”?`}
        confirmLabel="Delete the monitor"
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              notifySuccess('The monitor is deleted.');
              void navigate({ to: '/monitors' });
            },
          })
        }
      >
        The monitor, its runs and their records are deleted. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
