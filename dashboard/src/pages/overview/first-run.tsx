import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { keysQuery } from '../../api/keys.ts';
import { BASE_PATH } from '../../app/served.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { IconCheck, IconKey, IconPlay } from '../../ui/icons.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './first-run.module.css';

/** What this page is before there is anything to show: the way to the first scrape. */
export function FirstRun({ notice }: { readonly notice: ReactNode }) {
  const keys = useQuery(keysQuery).data?.items.filter(({ revoked_at }) => revoked_at === null).length ?? 0;
  return (
    <>
      <PageHeader
        title="Overview"
        description="Nothing was scraped yet. With your first scrape this page fills with figures, by itself."
      />
      {notice}
      <Panel title="Make your first scrape">
        <ol className={classes.steps}>
          <Step
            number={1}
            done={keys > 0}
            title="Have an API key"
            text={
              keys === 0
                ? 'Programs show it with each request. It is shown once, when it is made.'
                : `You have ${keys === 1 ? 'one' : keys}. A key is shown once, when it is made; if it is lost, make another.`
            }
          >
            <ButtonLink
              to="/keys"
              size="xs"
              variant={keys === 0 ? 'filled' : 'default'}
              leftSection={<IconKey size={15} />}
            >
              {keys === 0 ? 'Create a key' : 'To your keys'}
            </ButtonLink>
          </Step>
          <Step
            number={2}
            title="Send a request"
            text="Put the key into SLUICE_API_KEY, and run this in a terminal. The answer holds the page, and how it was fetched."
          >
            <CodeBlock label="curl" code={curl()} wrap />
          </Step>
          <Step
            number={3}
            title="Or try it here"
            text="The playground needs no key: choose the options, run, look at the result, and copy the request as code."
          >
            <ButtonLink to="/playground" size="xs" variant="default" leftSection={<IconPlay size={15} />}>
              Open the playground
            </ButtonLink>
          </Step>
        </ol>
        <p className={classes.waiting} role="status">
          <span className={classes.pulse} /> Waiting for the first scrape…
        </p>
      </Panel>
    </>
  );
}

interface StepProps {
  readonly number: number;
  readonly done?: boolean;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Step({ number, done = false, title, text, children }: StepProps) {
  return (
    <li className={classes.step}>
      <span className={classes.number} data-done={done || undefined} aria-hidden="true">
        {done ? <IconCheck size={16} /> : number}
      </span>
      <div className={classes.body}>
        <h3 className={classes.title}>{title}</h3>
        <p className={classes.text}>{text}</p>
        {children}
      </div>
    </li>
  );
}

const curl = (): string =>
  [
    `curl ${location.origin}${BASE_PATH}/api/v1/scrape/ \\`,
    '  -H "Authorization: Api-Key $SLUICE_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"url": "https://example.com/", "scraper": "auto"}'`,
  ].join('\n');
