import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { isOpen, type Job, useDeleteJob, useSteerJob } from '../../api/jobs.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { stringifySearch } from '../../app/urls.ts';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { IconDownload, IconPause, IconPlay, IconRotate, IconStop, IconTrash } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { jobTitle } from './job-state.tsx';

/** The buttons that the state of the job allows. */
export function JobSteering({ job }: { readonly job: Job }) {
  const steer = useSteerJob(job.id);
  const cancel = useDialog<Job>();
  const remove = useDialog<Job>();
  const { state, counts } = job;
  const act = (steering: Parameters<typeof steer.mutate>[0], done: string) =>
    steer.mutate(steering, { onSuccess: () => notifySuccess(done), onError: notifyError });
  return (
    <>
      {(state === 'queued' || state === 'running') && (
        <Button
          variant="default"
          leftSection={<IconPause size={16} />}
          disabled={steer.isPending}
          onClick={() => act('pause', t`The job is paused.`)}
        >
          <Trans>Pause</Trans>
        </Button>
      )}
      {state === 'paused' && (
        <Button
          leftSection={<IconPlay size={16} />}
          disabled={steer.isPending}
          onClick={() => act('resume', t`The job continues.`)}
        >
          <Trans>Resume</Trans>
        </Button>
      )}
      {counts.failed > 0 && state !== 'queued' && state !== 'running' && (
        <Button
          variant="default"
          leftSection={<IconRotate size={16} />}
          disabled={steer.isPending}
          onClick={() =>
            act(
              'retry-failed',
              plural(counts.failed, {
                one: '# failed item will be tried again.',
                other: '# failed items will be tried again.',
              }),
            )
          }
        >
          <Trans>Retry failed</Trans>
        </Button>
      )}
      <ExportMenu id={job.id} />
      {isOpen(job) ? (
        <Button variant="default" leftSection={<IconStop size={16} />} onClick={() => cancel.open(job)}>
          <Trans>Cancel</Trans>
        </Button>
      ) : (
        <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => remove.open(job)}>
          <Trans>Delete</Trans>
        </Button>
      )}
      <CancelJob key={`cancel ${cancel.openCount}`} dialog={cancel} job={job} />
      <DeleteJob key={`delete ${remove.openCount}`} dialog={remove} job={job} />
    </>
  );
}

/** The results so far, as a file. */
function ExportMenu({ id }: { readonly id: string }) {
  const href = (format: string) => `${BASE_PATH}/api/v1/jobs/${id}/export/${stringifySearch({ format })}`;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          <Trans>Export</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Trans>All results so far</Trans>
        </Menu.Label>
        <Menu.Item component="a" href={href('csv')} download>
          <Trans>CSV: URLs, states and errors</Trans>
        </Menu.Item>
        <Menu.Item component="a" href={href('jsonl')} download>
          <Trans>JSON Lines: with formats</Trans>
        </Menu.Item>
        <Menu.Item component="a" href={href('zip')} download>
          <Trans>ZIP: Markdown files</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface JobDialogProps {
  readonly dialog: DialogState<Job>;
  readonly job: Job;
}

function CancelJob({ dialog, job }: JobDialogProps) {
  const steer = useSteerJob(job.id);
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title={t`Cancel “${jobTitle(job)}”?`}
      confirmLabel={t`Cancel the job`}
      danger
      busy={steer.isPending}
      error={steer.error}
      onConfirm={() =>
        steer.mutate('cancel', {
          onSuccess: () => {
            notifySuccess(t`The job is cancelled.`);
            dialog.close();
          },
        })
      }
    >
      <Trans>
        No item starts any more, and those that run are stopped. The results so far stay. A cancelled job
        cannot be resumed.
      </Trans>
    </ConfirmDialog>
  );
}

function DeleteJob({ dialog, job }: JobDialogProps) {
  const remove = useDeleteJob(job.id);
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title={t`Delete “${jobTitle(job)}”?`}
      confirmLabel={t`Delete the job`}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            notifySuccess(t`The job is deleted.`);
            void navigate({ to: '/jobs' });
          },
        })
      }
    >
      <Trans>The job, its results and their records are deleted. This cannot be undone.</Trans>
    </ConfirmDialog>
  );
}
