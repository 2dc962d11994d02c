import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { scrapersQuery } from '../../api/playground.ts';
import { type Comparison, lastUrl, siteRecordsQuery, useCompareWays } from '../../api/sites.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatCost, formatDuration, formatShare } from '../../ui/format.ts';
import { OutcomeBadge } from '../../ui/outcome.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './sites.module.css';

const MIN_WAYS = 2;
const MAX_WAYS = 8;
const PROXY_TYPES = ['datacenter', 'residential', 'mobile'] as const;

/** A way for each scraper and proxy type. A vendor has its own exits, so it is one way. */
const waysOf = (scrapers: readonly string[], proxyTypes: readonly string[]): string[] =>
  scrapers.flatMap((scraper) =>
    scraper.startsWith('vendor:')
      ? [scraper]
      : proxyTypes.map((type) => (type === 'datacenter' ? scraper : `${scraper}/${type}`)),
  );

/** Why a page cannot be compared here; null: it can. */
function urlProblem(text: string, host: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return t`Enter a URL that begins with https:// or http://.`;
  const isOfSite = url.host === host || url.hostname === host;
  return isOfSite ? null : t`Enter a page of this site.`;
}

/** Scrapes a page of the site in several ways, and shows them side by side. Renders nothing for viewers, who run no scrapes. */
export function ComparePanel({ host }: { readonly host: string }) {
  return (
    <ChangersOnly>
      <CompareMethods host={host} />
    </ChangersOnly>
  );
}

function CompareMethods({ host }: { readonly host: string }) {
  const { data } = useQuery(scrapersQuery);
  const { data: records } = useQuery(siteRecordsQuery(host));
  const [typed, setTyped] = useState<string | null>(null);
  const url = typed ?? lastUrl(records ?? []) ?? `https://${host}/`;
  const [scrapers, setScrapers] = useState(['http', 'http_impersonate', 'browser']);
  const [proxyTypes, setProxyTypes] = useState<string[]>(['datacenter']);
  const compare = useCompareWays();
  const available = data?.items.filter(({ available, name }) => available && name !== 'auto') ?? [];
  const chosen = available.map(({ name }) => name).filter((name) => scrapers.includes(name));
  const ways = waysOf(chosen, proxyTypes);
  const problem = urlProblem(url, host);
  const isValid = problem === null && ways.length >= MIN_WAYS && ways.length <= MAX_WAYS;
  return (
    <Panel
      title={t`Which method for this site?`}
      description={t`Scrapes a page with several methods, and compares what they get. Each one is a scrape, with its cost.`}
      flush
    >
      <form
        className={classes.ways}
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid) compare.mutate({ url, ways });
        }}
      >
        <TextInput
          label={t`Page`}
          value={url}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={problem}
          spellCheck={false}
        />
        <Checkbox.Group label={t`Scrapers`} value={scrapers} onChange={setScrapers}>
          <Group gap="lg" mt={6}>
            {available.map(({ name }) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
        <Checkbox.Group label={t`Proxy types`} value={proxyTypes} onChange={setProxyTypes}>
          <Group gap="lg" mt={6}>
            {PROXY_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={type} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group gap="md">
          <Button type="submit" variant="default" disabled={!isValid} loading={compare.isPending}>
            <Trans>Compare</Trans>
          </Button>
          <small>{waysText(ways.length)}</small>
        </Group>
        <ErrorNotice error={compare.error} title={t`The methods were not compared`} />
      </form>
      {compare.data !== undefined && <ComparisonTable comparison={compare.data} />}
    </Panel>
  );
}

function waysText(count: number): string {
  if (count < MIN_WAYS) return t`Choose at least ${MIN_WAYS} methods.`;
  return count > MAX_WAYS ? t`${count} methods; choose at most ${MAX_WAYS}.` : t`${count} methods`;
}

function ComparisonTable({ comparison }: { readonly comparison: Comparison }) {
  const { items, best, saved_per_1000: saved, cost_unit: unit } = comparison;
  return (
    <>
      <p className={classes.best} role="status">
        {best === null ? (
          t`None of these methods got the page.`
        ) : (
          <>
            <Trans>
              Use <b>{best}</b>: of those that got the whole page, it is the cheapest, or the fastest of
              several.
            </Trans>{' '}
            {saved !== null && saved > 0 && (
              <Trans>It saves {formatCost(saved, unit)} per 1,000 scrapes.</Trans>
            )}
          </>
        )}
      </p>
      <DataTable
        caption={t`Methods compared`}
        columns={[
          {
            label: t`Method`,
            lead: true,
            className: classes.site,
            cell: ({ way, errors }) => (
              <>
                {way} {way === best && <Pill tone="green">{t`best`}</Pill>}
                {errors[0] !== undefined && <small>{errors[0].message}</small>}
              </>
            ),
          },
          { label: t`Outcome`, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
          {
            label: t`Likeness`,
            wide: true,
            numeric: true,
            cell: ({ likeness }) => (likeness === null ? '–' : formatShare(likeness, 1)),
          },
          {
            label: t({ message: 'Time', context: 'duration' }),
            wide: true,
            numeric: true,
            cell: ({ duration_ms }) => formatDuration(duration_ms),
          },
          { label: t`Cost`, numeric: true, cell: ({ cost }) => formatCost(cost, unit) },
          { label: t`Record`, cell: (item) => <RecordLink item={item} /> },
        ]}
        rows={items}
        rowKey={({ way }) => way}
      />
    </>
  );
}

function RecordLink({ item }: { readonly item: Comparison['items'][number] }) {
  if (typeof item.scrape?.id !== 'string') return '–';
  return (
    <TextLink
      to="/history/$id"
      params={{ id: item.scrape.id }}
      size="sm"
      aria-label={t`Open the record of ${item.way}`}
    >
      <Trans>Open</Trans>
    </TextLink>
  );
}
