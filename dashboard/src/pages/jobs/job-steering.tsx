import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { isOpen, type Job, useDeleteJob, useSteerJob } from '../../api/jobs.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { stringifySearch } from '../../app/urls.ts';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { IconPause, IconPlay, IconRotate, IconStop, IconTrash } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { SteerButton } from '../../ui/steer-button.tsx';
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
        <SteerButton
          icon={IconPause}
          label={t`Pause`}
          disabled={steer.isPending}
          onClick={() => act('pause', t`The job is paused.`)}
        />
      )}
      {state === 'paused' && (
        <SteerButton
          icon={IconPlay}
          label={t`Resume`}
          variant="filled"
          disabled={steer.isPending}
          onClick={() => act('resume', t`The job continues.`)}
        />
      )}
      {counts.failed > 0 && state !== 'queued' && state !== 'running' && (
        <SteerButton
          icon={IconRotate}
          label={t`Retry failed`}
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
        />
      )}
      <ExportMenu
        label={t`Export`}
        note={t`All results so far, without skipped URLs`}
        files={() => [
          [t`CSV: states, errors and data`, exportUrl(job, 'csv')],
          [t`Excel (XLSX)`, exportUrl(job, 'xlsx')],
          [t`JSON Lines: with formats`, exportUrl(job, 'jsonl')],
          [t`ZIP: Markdown files`, exportUrl(job, 'zip')],
        ]}
      />
      {isOpen(job) ? (
        <SteerButton icon={IconStop} label={t`Cancel`} onClick={() => cancel.open(job)} />
      ) : (
        <SteerButton icon={IconTrash} label={t`Delete`} onClick={() => remove.open(job)} />
      )}
      <CancelJob key={`cancel ${cancel.openCount}`} dialog={cancel} job={job} />
      <DeleteJob key={`delete ${remove.openCount}`} dialog={remove} job={job} />
    </>
  );
}

const exportUrl = ({ id }: Job, format: string): string =>
  `${BASE_PATH}/api/v1/jobs/${id}/export/${stringifySearch({ format, state: 'ok,failed' })}`;

interface JobDialogProps {
  readonly dialog: DialogState<Job>;
  readonly job: Job;
}

function CancelJob({ dialog, job }: JobDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Cancel “${jobTitle(job)}”?`}
      confirmLabel={t`Cancel the job`}
      dismissLabel={t`Let it run`}
      danger
      action={useSteerJob(job.id)}
      input="cancel"
      done={t`The job is cancelled.`}
    >
      <Trans>
        No item starts any more, and those that run are stopped. The results so far stay. A cancelled job
        cannot be resumed.
      </Trans>
    </ConfirmDialog>
  );
}

function DeleteJob({ dialog, job }: JobDialogProps) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete “${jobTitle(job)}”?`}
      confirmLabel={t`Delete the job`}
      danger
      action={useDeleteJob(job.id)}
      input={undefined}
      done={t`The job is deleted.`}
      onDone={() => void navigate({ to: '/jobs' })}
    >
      <Trans>The job, its results and their records are deleted. This cannot be undone.</Trans>
    </ConfirmDialog>
  );
}
