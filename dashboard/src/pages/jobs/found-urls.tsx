import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { formatCount } from '../../ui/format.ts';
import { urlText } from '../../ui/host-text.ts';
import classes from './jobs.module.css';

interface FoundUrlsProps {
  readonly found: Schema<'MapResult'>;
  /** These pages alone are to be scraped. */
  readonly onChoose: (urls: readonly string[]) => void;
  readonly isStarting: boolean;
}

/** The URLs of a site, of which some can be chosen. */
export function FoundUrls({ found: { items, page, truncated }, onChoose, isStarting }: FoundUrlsProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = items.filter(({ url }) => !left.has(url)).map(({ url }) => url);
  const toggle = (url: string) => {
    const next = new Set(left);
    if (!next.delete(url)) next.add(url);
    setLeft(next);
  };
  if (items.length === 0)
    return (
      <p role="status">{page?.error == null ? <Trans>No URLs were found.</Trans> : page.error.message}</p>
    );
  return (
    <Stack gap="xs">
      <p role="status">
        {truncated
          ? t`The first ${formatCount(items.length)} URLs; a crawl may find more.`
          : plural(items.length, {
              one: '# URL from links and sitemaps; a crawl may find more.',
              other: '# URLs from links and sitemaps; a crawl may find more.',
            })}
      </p>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setLeft(new Set())}>
          <Trans>Choose all</Trans>
        </Button>
        <Button size="xs" variant="default" onClick={() => setLeft(new Set(items.map(({ url }) => url)))}>
          <Trans>Choose none</Trans>
        </Button>
      </Group>
      <ul className={`plain ${classes.urls}`} aria-label={t`URLs that were found`}>
        {items.map(({ url, title }) => (
          <li key={url}>
            <Checkbox
              checked={!left.has(url)}
              onChange={() => toggle(url)}
              label={urlText(url)}
              description={title}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button
          variant="default"
          loading={isStarting}
          disabled={chosen.length === 0}
          onClick={() => onChoose(chosen)}
        >
          {plural(chosen.length, { one: 'Scrape only this # page', other: 'Scrape only these # pages' })}
        </Button>
      </div>
    </Stack>
  );
}
