import { Button, Group } from '@mantine/core';
import { BASE_PATH } from '../../app/served.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconHistory, IconSearch } from '../../ui/icons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import classes from './history.module.css';

/** Nobody has scraped anything yet: how to begin. */
export function NoScrapesYet() {
  const curl = `curl -s ${location.origin}${BASE_PATH}/api/v1/scrape/ \\
  -H 'Authorization: Api-Key <your key>' \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com", "scraper": "auto"}'`;
  return (
    <>
      <EmptyState
        icon={IconHistory}
        title="No scrapes yet"
        action={
          <Group gap="xs" justify="center">
            <ButtonLink to="/playground">Try one in the playground</ButtonLink>
            <ButtonLink to="/keys" variant="default">
              Get an API key
            </ButtonLink>
          </Group>
        }
      >
        Every scrape appears here as soon as it has ended, with all that is known of it: what was asked, what
        came, and how. Send the first one:
      </EmptyState>
      <div className={classes.teach}>
        <CodeBlock code={curl} label="the first request" wrap />
      </div>
    </>
  );
}

/** There are scrapes, but none that the filters let through. */
export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={IconSearch}
      title="No scrape matches"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the filters
        </Button>
      }
    >
      No stored scrape fits these filters. Scrapes that are older than the retention time of this service are
      gone.
    </EmptyState>
  );
}

/** A page that has nothing on it, behind others. */
export function NothingOlder() {
  return (
    <EmptyState icon={IconHistory} title="Nothing older">
      This is the end of the list. <TextLink to="/history">To the newest</TextLink>
    </EmptyState>
  );
}
