import { Button, Group } from '@mantine/core';
import { BASE_PATH } from '../../app/page-config.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { IconHistory, IconSearch } from '../../ui/icons.tsx';
import { EmptyState } from '../../ui/page-state.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
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
        Every scrape appears here when it ends, with its request, its response and how it was fetched. Send
        the first one:
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
      title="No matching scrapes"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the filters
        </Button>
      }
    >
      No stored scrape matches these filters. Scrapes older than the retention time were deleted.
    </EmptyState>
  );
}

/** A page that has nothing on it, behind others. */
export function NothingOlder() {
  return (
    <EmptyState icon={IconHistory} title="No more results">
      This is the end of the list. <TextLink to="/history">Show the newest</TextLink>
    </EmptyState>
  );
}
