import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { shellQuote } from '../../../../../src/snippets/quoting.ts';
import { useMapSite } from '../../../api/jobs.ts';
import { BASE_PATH } from '../../../app/page-config.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { IconGlobe } from '../../../ui/icons.tsx';
import { VERBATIM } from '../../../ui/input-props.ts';
import { EmptyState, ErrorNotice, PageSkeleton } from '../../../ui/page-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SCOPES, SITEMAPS } from '../../jobs/crawl-fields.ts';
import { FoundUrls } from '../../jobs/found-urls.tsx';
import type { JsonObject } from '../model/json.ts';
import classes from './tasks.module.css';
import { TASKS } from './tasks.ts';

interface MapTask {
  readonly fields: ReactNode;
  readonly outcome: ReactNode;
  readonly isRunning: boolean;
  /** @param url with its scheme */
  start(url: string): void;
}

/** The task that lists the URLs of a site. It calls another endpoint than the others, so it has fields and a result of its own. */
export function useMapTask(request: JsonObject, requestText: () => string): MapTask {
  const map = useMapSite();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [scope, setScope] = useState('host');
  const [sitemap, setSitemap] = useState('include');
  const [limit, setLimit] = useState<number | string>(500);
  const { scraper, proxy } = request;
  const bodyOf = (url: string) => ({
    url,
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(limit === '' ? {} : { limit: Number(limit) }),
    ...(scope === 'host' ? {} : { scope }),
    ...(sitemap === 'include' ? {} : { sitemap }),
    ...(scraper === undefined && proxy === undefined ? {} : { request: { scraper, proxy } }),
  });
  const url = typeof request.url === 'string' && request.url !== '' ? request.url : 'https://example.com/';
  const code = [
    `curl '${location.origin}${BASE_PATH}/api/v1/maps/' \\`,
    '  -H "Authorization: Api-Key $SLUICE_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d ${shellQuote(JSON.stringify(bodyOf(url)))}`,
  ].join('\n');
  const fields = (
    <div className={classes.task}>
      <p className="dimmed">{TASKS.map.hint}</p>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t`Words in the URL or title`}
          placeholder={t`All URLs`}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          maxLength={200}
          {...VERBATIM}
        />
        <NumberInput
          label={t`URLs at most`}
          min={1}
          max={100_000}
          allowDecimal={false}
          value={limit}
          onChange={setLimit}
        />
        <NativeSelect
          label={t`Which pages`}
          data={SCOPES}
          value={scope}
          onChange={({ currentTarget }) => setScope(currentTarget.value)}
        />
        <NativeSelect
          label={t`Found by`}
          data={SITEMAPS}
          value={sitemap}
          onChange={({ currentTarget }) => setSitemap(currentTarget.value)}
        />
      </SimpleGrid>
      <CodeBlock label="curl" code={code} wrap />
    </div>
  );
  const outcome = map.isPending ? (
    <Panel>
      <PageSkeleton />
    </Panel>
  ) : map.error !== null ? (
    <ErrorNotice error={map.error} />
  ) : map.data === undefined ? (
    <Panel>
      <EmptyState icon={IconGlobe} title={t`No URLs yet`}>
        <Trans>Enter the URL of a site and run it. What is found can be scraped as a batch.</Trans>
      </EmptyState>
    </Panel>
  ) : (
    <Panel title={t`URLs of the site`}>
      <FoundUrls
        key={map.submittedAt}
        found={map.data}
        isStarting={false}
        onChoose={(urls) =>
          void navigate({ to: '/jobs/new-batch', state: { request: requestText(), urls: [...urls] } })
        }
      />
    </Panel>
  );
  return { fields, outcome, isRunning: map.isPending, start: (target) => map.mutate(bodyOf(target)) };
}
