import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { type NewCrawl, useEstimate, useMapSite } from '../../api/jobs.ts';
import { formatCost, formatDuration } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { estimateOf } from './crawl-estimate.ts';
import { FoundUrls } from './found-urls.tsx';

/** URLs that are listed before a crawl. */
const MAX_URLS = 1_000;

interface CrawlPreviewProps {
  /** The crawl as the form has it now; null: a field is not valid, which the form shows. */
  readonly crawlOf: () => (NewCrawl & { readonly urls: readonly string[] }) | null;
  /** Starts a job for these pages alone. */
  readonly onChoose: (urls: readonly string[]) => void;
  readonly isStarting: boolean;
}

/** What a crawl would find, cost and take, before it is started. */
export function CrawlPreview({ crawlOf, onChoose, isStarting }: CrawlPreviewProps) {
  const map = useMapSite();
  const estimate = useEstimate();
  const [size, setSize] = useState({ pages: 0, delayMs: 0 });
  const showUrls = () => {
    const crawl = crawlOf();
    if (crawl === null) return;
    const { urls, scope, sitemap, include, exclude, limit, request } = crawl;
    const { scraper, proxy } = request as Readonly<Record<string, unknown>>;
    map.mutate({
      ...{ url: urls[0], scope, sitemap, include, exclude },
      limit: Math.min(MAX_URLS, Number(limit ?? MAX_URLS)),
      request: { scraper, proxy },
    });
  };
  const showEstimate = () => {
    const crawl = crawlOf();
    if (crawl === null) return;
    setSize({ pages: Number(crawl.limit ?? 1_000), delayMs: Number(crawl.delay_ms ?? 0) });
    estimate.mutate({ ...(crawl.request as object), url: crawl.urls[0] });
  };
  return (
    <Panel title={t`Before you start`} description={t`Nothing is scraped yet.`}>
      <Stack>
        <Group gap="xs">
          <Button variant="default" loading={map.isPending} onClick={showUrls}>
            <Trans>Show the URLs first</Trans>
          </Button>
          <Button variant="default" loading={estimate.isPending} onClick={showEstimate}>
            <Trans>Estimate cost and time</Trans>
          </Button>
        </Group>
        <ErrorNotice error={map.error ?? estimate.error} />
        {estimate.data !== undefined && <Estimate planned={estimate.data} size={size} />}
        {map.data !== undefined && (
          <FoundUrls key={map.submittedAt} found={map.data} onChoose={onChoose} isStarting={isStarting} />
        )}
      </Stack>
    </Panel>
  );
}

interface EstimateProps {
  readonly planned: Schema<'ScrapeResponse'>;
  readonly size: Parameters<typeof estimateOf>[1];
}

function Estimate({ planned: { router }, size }: EstimateProps) {
  const { cost, time } = estimateOf(router.candidates ?? [], size);
  const unit = router.cost_unit ?? 'effort';
  const pages = plural(size.pages, { one: '# page', other: '# pages' });
  return (
    <div role="status">
      <p>
        {unit === 'effort' ? (
          <Trans>Cost of {pages}: unknown, because the operator has set no prices for this.</Trans>
        ) : cost === null ? (
          <Trans>Cost of {pages}: unknown, because a price is missing, or depends on the traffic.</Trans>
        ) : cost.high === null ? (
          <Trans>
            Cost of {pages}: at least {formatCost(cost.low, unit)}.
          </Trans>
        ) : cost.high === cost.low ? (
          <Trans>
            Cost of {pages}: about {formatCost(cost.low, unit)}.
          </Trans>
        ) : (
          <Trans>
            Cost of {pages}: {formatCost(cost.low, unit)} to {formatCost(cost.high, unit)}.
          </Trans>
        )}
      </p>
      <p>
        {time === null ? (
          <Trans>Time: unknown.</Trans>
        ) : time.high === null ? (
          <Trans>Time: at least {formatDuration(time.low)}.</Trans>
        ) : time.high === time.low ? (
          <Trans>Time: about {formatDuration(time.low)}.</Trans>
        ) : (
          <Trans>
            Time: {formatDuration(time.low)} to {formatDuration(time.high)}.
          </Trans>
        )}
      </p>
      <p className="dimmed">
        <Trans>
          From prices, and from earlier scrapes of the site where there are any: the first way alone, up to
          all ways for each page. Less if the site has fewer pages.
        </Trans>
      </p>
    </div>
  );
}
