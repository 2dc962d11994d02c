import { useLocation } from '@tanstack/react-router';
import type { Schema } from '../../api/client.ts';
import { useUserEmails } from '../../api/users.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { hostText } from '../../ui/host-text.ts';
import { IconArrowLeft, IconTerminal } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import type { JsonObject } from '../playground/model/json.ts';
import { curlCommand } from '../playground/snippets.ts';
import type { Asked } from './asked.ts';
import { DeleteScrape } from './delete-scrape.tsx';
import { Neighbours } from './neighbours.tsx';
import { RunAgain } from './run-again.tsx';
import classes from './scrape.module.css';

interface ScrapeHeaderProps {
  readonly scrape: Schema<'ScrapeRecord'>;
  readonly asked: Asked;
  /** undefined: it was not kept. */
  readonly request: Readonly<Record<string, unknown>> | undefined;
}

export function ScrapeHeader({ scrape, asked, request }: ScrapeHeaderProps) {
  const host = asked.url === undefined ? undefined : URL.parse(asked.url)?.host;
  const people = useUserEmails();
  const { user_id } = scrape.router;
  const among = useLocation({ select: ({ state }) => state.among });
  return (
    <PageHeader
      title={host === undefined ? 'Scrape' : `${asked.method} ${hostText(host)}`}
      back={
        <span className={classes.around}>
          <TextLink to="/history" search={among ?? {}} size="sm" className={classes.back}>
            <IconArrowLeft size={14} /> History
          </TextLink>
          <Neighbours id={scrape.id} createdAt={scrape.router.created_at} />
        </span>
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
                About this site
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
          {request !== undefined && <RunAgain id={scrape.id} request={request as JsonObject} />}
          {asked.url !== undefined && (
            <ButtonLink
              to="/playground"
              search={{ from: scrape.id }}
              variant="default"
              leftSection={<IconTerminal size={15} />}
            >
              Open in the playground
            </ButtonLink>
          )}
          {request !== undefined && (
            <CopyButton
              value={curlCommand(`${location.origin}${BASE_PATH}/api/v1/scrape/`, request as JsonObject)}
              label="Copy as curl"
              text="Copy as curl"
            />
          )}
          <DeleteScrape id={scrape.id} />
        </>
      }
    />
  );
}
