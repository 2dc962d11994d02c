import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Drawer, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Job, ListedJobItem } from '../../api/jobs.ts';
import { scrapeQuery, scrapeRequestQuery } from '../../api/scrapes.ts';
import { ResultTabs } from '../../result/result-tabs.tsx';
import { capitalised, verdictText } from '../../result/texts.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { urlText } from '../../ui/host-text.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { ButtonLink, ExternalLink, MarkedText } from '../../ui/text.tsx';
import { TryNowButton, WAIT_TEXTS } from './job-waiting.tsx';
import classes from './jobs.module.css';

interface ItemPanelProps {
  readonly dialog: DialogState<ListedJobItem>;
  readonly job: Job;
}

/** An item at the side of the list: what is known of it, and what its last scrape gave. */
export function ItemPanel({ dialog: { opened, subject: item, openCount, close }, job }: ItemPanelProps) {
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={item === null ? '' : (item.title ?? urlText(item.url))}
      position="right"
      size="min(62rem, 100vw)"
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {item !== null && (
        <Stack key={openCount} gap="md">
          <ItemFacts item={item} job={job} />
          {item.scrape !== null && <ItemScrape id={item.scrape} />}
        </Stack>
      )}
    </Drawer>
  );
}

function ItemFacts({ item, job }: { readonly item: ListedJobItem; readonly job: Job }) {
  const { url, ref, tries, status_code: status, bytes, verdict, error, waiting, next_try_at, scrape } = item;
  return (
    <>
      <DescriptionList
        items={[
          [
            t`URL`,
            <ExternalLink key="url" href={url} className={classes.message}>
              {urlText(url)}
            </ExternalLink>,
          ],
          ref !== null && [t`Reference`, ref],
          status !== null && [t`Status`, String(status)],
          bytes !== null && [t`Size`, formatBytes(bytes)],
          verdict !== null && [t`Verdict`, capitalised(verdictText(verdict, status))],
          [t`Tries`, formatCount(tries)],
          [t`Ended`, <DateTime key="ended" at={item.ended_at} fallback={t`Not yet`} />],
          waiting !== null && [t`Waiting`, WAIT_TEXTS[waiting.reason]],
          next_try_at !== null && [t`Next try`, <DateTime key="next" at={next_try_at} />],
        ]}
      />
      {error !== null && (
        <Notice tone="amber" icon={IconAlert} title={error.code}>
          <p className={classes.message}>
            <MarkedText text={error.message} />
          </p>
        </Notice>
      )}
      <Group gap="xs">
        {scrape !== null && (
          <ButtonLink to="/history/$id" params={{ id: scrape }} variant="default" size="xs">
            <Trans>Open the record</Trans>
          </ButtonLink>
        )}
        {next_try_at !== null && (
          <ChangersOnly>
            <TryNowButton id={job.id} item={item.item} />
          </ChangersOnly>
        )}
      </Group>
    </>
  );
}

/** What was stored of the last scrape of the item: its content, its data, its attempts. */
function ItemScrape({ id }: { readonly id: string }) {
  const [tab, setTab] = useState<string | null>(null);
  const { data: scrape, error, refetch } = useQuery(scrapeQuery(id));
  const request = useQuery({ ...scrapeRequestQuery(id), enabled: scrape !== undefined });
  if (error instanceof ApiError && (error.status === 404 || error.status === 410))
    return (
      <p className="dimmed">
        <Trans>The record of this scrape is not stored any more.</Trans>
      </p>
    );
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (scrape === undefined || 'state' in scrape || request.isPending) return <PageSkeleton />;
  const { router } = (request.data ?? {}) as { readonly router?: { readonly retain?: string } };
  return (
    <ResultTabs
      scrape={scrape}
      stored
      request={request.data}
      retain={request.data === undefined ? 'none' : router?.retain}
      tab={tab}
      onTab={setTab}
    />
  );
}
