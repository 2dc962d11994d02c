import { usePeople } from '../../api/people.ts';
import type { Schema } from '../../api/types.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconArrowLeft, IconPlay } from '../../ui/icons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Asked } from './asked.ts';
import { DeleteScrape } from './delete-scrape.tsx';
import classes from './scrape.module.css';

interface ScrapeHeaderProps {
  readonly scrape: Schema<'ScrapeRecord'>;
  readonly asked: Asked;
}

export function ScrapeHeader({ scrape, asked }: ScrapeHeaderProps) {
  const host = asked.url === undefined ? undefined : URL.parse(asked.url)?.host;
  const people = usePeople();
  const { user_id } = scrape.router;
  return (
    <PageHeader
      title={host === undefined ? 'Scrape' : `${asked.method} ${host}`}
      back={
        <TextLink to="/history" size="sm" className={classes.back}>
          <IconArrowLeft size={14} /> History
        </TextLink>
      }
      description={
        <>
          {asked.url !== undefined && (
            <span className={classes.url}>
              <span className="mono" dir="ltr">
                {asked.url}
              </span>
              <CopyButton value={asked.url} label="Copy the URL" />
            </span>
          )}
          <DateTime at={scrape.router.created_at} />
          {host !== undefined && (
            <span className={classes.person}>
              {' · '}
              <TextLink to="/sites" search={{ host }}>
                What is known of this site
              </TextLink>
            </span>
          )}
          {people !== null && user_id !== undefined && (
            <span className={classes.person}> · by {people.get(user_id) ?? 'an unknown user'}</span>
          )}
        </>
      }
      actions={
        <>
          {asked.url !== undefined && (
            <ButtonLink
              to="/playground"
              search={{ from: scrape.id }}
              variant="default"
              leftSection={<IconPlay size={15} />}
            >
              Run again in the playground
            </ButtonLink>
          )}
          <DeleteScrape id={scrape.id} />
        </>
      }
    />
  );
}
