import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { isOpen, type Job, jobQuery } from '../../api/jobs.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import figureClasses from '../../ui/figure.module.css';
import { Figure } from '../../ui/figure.tsx';
import { formatCost, formatCount, formatDuration, formatNumber, formatShare } from '../../ui/format.ts';
import { IconAlert, IconPause } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState, NotFoundState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { JobDeliveriesPanel } from '../webhooks/deliveries-panel.tsx';
import { JobExportsPanel } from './job-exports.tsx';
import { JobFolders } from './job-folders.tsx';
import { JobItems } from './job-items.tsx';
import { JobProgress } from './job-progress.tsx';
import { endedItems, JOB_KINDS, JobStatePill, jobTitle, timeLeft } from './job-state.tsx';
import { JobSteering } from './job-steering.tsx';
import { JobWaiting } from './job-waiting.tsx';

const jobRoute = getRouteApi('/signed-in/jobs/$id');

/** A job with its progress and its results. It follows the job until the end. */
export function JobPage() {
  const { id } = jobRoute.useParams();
  const { folder } = jobRoute.useSearch();
  const { data: job, error, refetch } = useQuery(jobQuery(id));
  if (error instanceof ApiError && error.status === 404)
    return (
      <NotFoundState title={t`No such job`} list={{ to: '/jobs', label: t`All jobs` }}>
        <Trans>It was deleted, has expired, or belongs to another user.</Trans>
      </NotFoundState>
    );
  if (job === undefined)
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHeader
        title={jobTitle(job)}
        back={
          <TextLink to="/jobs">
            <Trans>Jobs</Trans>
          </TextLink>
        }
        description={
          <>
            <JobStatePill job={job} />{' '}
            <Trans>
              {JOB_KINDS[job.kind]}, created <DateTime at={job.created_at} as="relative" />
            </Trans>
          </>
        }
        actions={
          <ChangersOnly>
            <JobSteering job={job} />
          </ChangersOnly>
        }
      />
      <Stack gap="md">
        <ErrorNotice error={error} title={t`These figures are out of date`} />
        <JobNotices job={job} />
        <JobWaiting job={job} />
        <Panel
          title={t`Progress`}
          description={t`Fetched pages may be error pages of the site. Pages that were blocked or not accepted count as failed.`}
        >
          <JobProgress job={job} legend />
        </Panel>
        <JobFigures job={job} />
        {job.kind === 'crawl' && <JobFolders key={`folders ${job.id}`} job={job} />}
        <JobItems key={`${job.id} ${folder}`} job={job} />
        <JobExportsPanel id={job.id} />
        <JobDeliveriesPanel id={job.id} />
        <JobDetails job={job} />
      </Stack>
    </>
  );
}

const PAUSE_TEXTS: Readonly<Record<NonNullable<Job['pause']>['reason'], string>> = {
  asked: t`No new items start. Resume the job to continue.`,
  key: t`The API key that made it was revoked or has expired. Resume the job to continue with your session.`,
  user: t`The user who made it is disabled.`,
  budget: t`The daily budget of its API key is used up.`,
  storage: t`The storage is nearly full. Delete records, or raise the limit.`,
  profile: t`A profile is logged out. The job goes on when it has been renewed.`,
};

function JobNotices({ job: { pause, error } }: { readonly job: Job }) {
  return (
    <>
      {pause !== null && (
        <Notice tone="amber" icon={IconPause} title={t`Paused`}>
          <p>
            {PAUSE_TEXTS[pause.reason]}
            {pause.resumes_at !== null && (
              <>
                {' '}
                <Trans>
                  It continues <DateTime at={pause.resumes_at} as="relative" />.
                </Trans>
              </>
            )}
          </p>
        </Notice>
      )}
      {error !== null && (
        <Notice tone="red" icon={IconAlert} title={t`The job failed`}>
          <p>{error.message}</p>
        </Notice>
      )}
    </>
  );
}

function JobFigures({ job }: { readonly job: Job }) {
  const { counts, rate_per_s: rate } = job;
  const ended = endedItems(job);
  const left = timeLeft(job);
  const tookMs =
    job.started_at === null || job.ended_at === null
      ? null
      : Date.parse(job.ended_at) - Date.parse(job.started_at);
  return (
    <div className={figureClasses.grid}>
      <Figure
        label={t`Ended`}
        value={formatCount(ended)}
        unit={t`of ${formatCount(counts.found)}`}
        notes={[counts.found === 0 ? t`No items` : t`${formatShare(ended, counts.found)} of the items`]}
      />
      <Figure
        label={t`Rate`}
        value={rate === null ? '–' : formatNumber(rate)}
        unit={t`per second`}
        notes={[t`Without skipped items, since the start`]}
      />
      {isOpen(job) ? (
        <Figure
          label={t`Time left`}
          value={left ?? '–'}
          notes={[left === null ? t`Not known now` : t`At this rate`]}
        />
      ) : (
        <Figure label={t`Duration`} value={formatDuration(tookMs)} notes={[t`From the start to the end`]} />
      )}
      <Figure
        label={t`Failed`}
        value={formatCount(counts.failed)}
        notes={[t`${formatShare(counts.failed, ended)} of those that ended`]}
      />
    </div>
  );
}

function JobDetails({ job }: { readonly job: Job }) {
  const tags = Object.entries(job.tags);
  const { data: scrapers } = useQuery({ ...scrapersQuery, enabled: job.cost !== null });
  return (
    <Panel title={t`Details`}>
      <Stack>
        <DescriptionList
          items={[
            [
              t`Job ID`,
              <code key="id" className="mono">
                {job.id}
              </code>,
            ],
            [t`Created`, <DateTime key="created" at={job.created_at} />],
            [t`Started`, <DateTime key="started" at={job.started_at} fallback={t`Not yet`} />],
            [t`Ended`, <DateTime key="ended" at={job.ended_at} fallback={t`Not yet`} />],
            job.tags.monitor === undefined
              ? [t`Results kept until`, <DateTime key="expires" at={job.expires_at} />]
              : [t`Results kept`, t`As long as the monitor keeps the run, at most 90 days`],
            [
              t`Concurrency`,
              job.concurrency === null ? t`No limit of its own` : formatCount(job.concurrency),
            ],
            [t`Priority`, String(job.priority)],
            job.cost !== null &&
              scrapers !== undefined && [
                isOpen(job) ? t`Cost so far` : t`Cost`,
                formatCost(job.cost, scrapers.cost_unit),
              ],
            job.kind === 'crawl' && [t`URLs found again`, formatCount(job.duplicates)],
            tags.length > 0 && [t`Tags`, tags.map(([name, value]) => `${name}: ${value}`).join(', ')],
            [
              t`Records`,
              <TextLink key="records" to="/history" search={{ tag: `job:${job.id}` }} size="sm">
                <Trans>Show in the history</Trans>
              </TextLink>,
            ],
          ]}
        />
        <CodeBlock label={t`request`} code={JSON.stringify(job.request, null, 2)} wrap />
      </Stack>
    </Panel>
  );
}
