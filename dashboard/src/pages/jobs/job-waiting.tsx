import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isOpen, type Job, type JobWait, useTryNow } from '../../api/jobs.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatDuration } from '../../ui/format.ts';
import { urlText } from '../../ui/host-text.ts';
import { IconClock, IconRotate } from '../../ui/icons.tsx';
import { Notice, notifyError, notifySuccess } from '../../ui/notice.tsx';
import { MarkedText } from '../../ui/text.tsx';
import classes from './jobs.module.css';

/** Why a job or an item waits, in a few words. */
export const WAIT_TEXTS: Readonly<Record<JobWait['reason'], string>> = {
  retry: t`Waits for the next try`,
  site_limit: t`Waits, because the limits of the site allow no more now`,
  pace: t`Waits for the pause between two requests`,
  host_limit: t`Waits for other pages of the host`,
  concurrency: t`Waits for a free place`,
  max_cost: t`Waits, because running pages may use up the cost limit`,
  paused: t`Paused`,
  key: t`Paused: the key is not valid any more`,
  user: t`Paused: the user is disabled`,
  budget: t`Paused: the budget is used up`,
  storage: t`Paused: the storage is nearly full`,
  profile: t`Paused: the profile is logged out`,
};

/** The current time, each second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long it is until a time; a longer time as a time of day. */
export function Until({ at }: { readonly at: string }) {
  const left = Date.parse(at) - useSeconds();
  if (left > 24 * 3_600_000) return <DateTime at={at} as="minute" />;
  return <time dateTime={at}>{left <= 0 ? t`now` : t`in ${secondsText(left)}`}</time>;
}

/** Whole seconds below a minute, so that the text does not change its width all the time. */
const secondsText = (ms: number): string =>
  ms < 59_500 ? t`${Math.max(1, Math.round(ms / 1_000))} s` : formatDuration(ms);

/** What a job waits for while nothing of it runs, and what went wrong. Renders nothing if it does not wait. */
export function JobWaiting({ job }: { readonly job: Job }) {
  const { waiting, next_try_at: nextTryAt, last_error: lastError, counts } = job;
  if (!isOpen(job) || job.state === 'paused') return null;
  const isStuck = waiting !== null && counts.running === 0 && waiting.reason !== 'concurrency';
  if (!isStuck && nextTryAt === null) return null;
  return (
    <Notice
      tone="amber"
      icon={IconClock}
      title={isStuck ? WAIT_TEXTS[waiting.reason] : t`Some pages are tried again`}
    >
      {nextTryAt !== null ? (
        <p>
          <Trans>
            Next try <Until at={nextTryAt} />.
          </Trans>
        </p>
      ) : (
        isStuck &&
        waiting.until !== null && (
          <p>
            <Trans>
              It goes on <Until at={waiting.until} />.
            </Trans>
          </p>
        )
      )}
      {nextTryAt !== null && lastError !== null && (
        <p className={classes.message}>
          <Trans>
            Last error, {urlText(lastError.url)}: <MarkedText text={lastError.message} />
          </Trans>
        </p>
      )}
      {nextTryAt !== null && (
        <ChangersOnly>
          <TryNowButton id={job.id} />
        </ChangersOnly>
      )}
    </Notice>
  );
}

interface TryNowProps {
  readonly id: string;
  /** Number of the item; absent: all items that wait for a retry. */
  readonly item?: number;
}

/** Starts what waits for a retry at once. */
export function TryNowButton({ id, item }: TryNowProps) {
  const tryNow = useTryNow(id);
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRotate size={14} />}
        loading={tryNow.isPending}
        onClick={() =>
          tryNow.mutate(item === undefined ? null : [item], {
            onSuccess: () =>
              notifySuccess(
                item === undefined
                  ? t`What waited for its next try is started.`
                  : t`The page is tried again.`,
              ),
            onError: notifyError,
          })
        }
      >
        <Trans>Try now</Trans>
      </Button>
    </div>
  );
}
