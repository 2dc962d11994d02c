import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, CloseButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { keysQuery } from '../../api/keys.ts';
import { useCanChange } from '../../api/session.ts';
import { readinessQuery } from '../../api/system.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { IconCheck, IconHistory, IconKey, IconPlay } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import type { ExampleName } from '../playground/examples.ts';
import classes from './first-run.module.css';

/** Shown before the first scrape: explains how to make it. */
export function FirstRun({ notice }: { readonly notice: ReactNode }) {
  return (
    <>
      <PageHeader
        title={t`Overview`}
        description={t`No scrapes yet. Charts appear here after your first one.`}
      />
      {notice}
      <Panel title={t`Make your first scrape`}>
        <FirstSteps scraped={false} />
        <p className={classes.waiting} role="status">
          <span className={classes.pulse} /> <Trans>Waiting for the first scrape…</Trans>
        </p>
      </Panel>
    </>
  );
}

/** @param scraped whether a request was already sent */
function FirstSteps({ scraped }: { readonly scraped: boolean }) {
  const keys = useUsableKeys() ?? 0;
  return (
    <ol className={classes.steps}>
      <Step
        number={1}
        done={keys > 0}
        title={t`Create an API key`}
        text={
          keys === 0
            ? t`Your code sends it with every request. You see it only once.`
            : plural(keys, {
                one: 'You have one. A key is shown only once; if it is lost, create another.',
                other: 'You have #. A key is shown only once; if it is lost, create another.',
              })
        }
      >
        <ButtonLink
          to="/keys"
          size="xs"
          variant={keys === 0 ? 'filled' : 'default'}
          leftSection={<IconKey size={15} />}
        >
          {keys === 0 ? t`Create a key` : t`Your keys`}
        </ButtonLink>
      </Step>
      <Step
        number={2}
        done={scraped}
        title={t`Send a request`}
        text={
          scraped
            ? t`Each scrape has a record: what was requested, the response, and how it was fetched.`
            : t`Set SLUICE_KEY to your key and run this in a terminal. The page is one of a test site that this installation serves; any other URL works, too.`
        }
      >
        {scraped ? (
          <ButtonLink to="/history" size="xs" variant="default" leftSection={<IconHistory size={15} />}>
            <Trans>Open the history</Trans>
          </ButtonLink>
        ) : (
          <CodeBlock label="curl" code={firstRequest()} wrap />
        )}
      </Step>
      <Step
        number={3}
        title={t`Try the playground`}
        text={t`It needs no key: choose options, run, see the result, and copy the request as code.`}
      >
        <ButtonLink to="/playground" size="xs" variant="default" leftSection={<IconPlay size={15} />}>
          <Trans>Open the playground</Trans>
        </ButtonLink>
        <Examples />
      </Step>
    </ol>
  );
}

/** Their labels in the playground. Its module would be one more file of the first page. */
const EXAMPLES: readonly (readonly [name: ExampleName, label: string, needsBrowser: boolean])[] = [
  ['schema', t`A product by a schema`, false],
  ['wall', t`A blocked page, by auto`, true],
  ['scroll', t`Infinite scroll, by a browser`, true],
  ['pdf', t`A PDF as Markdown`, false],
];

/** Links that run an example in the playground. */
function Examples() {
  const { data: readiness } = useQuery(readinessQuery);
  const hasBrowser = readiness?.browser.state !== 'unavailable';
  return (
    <p className={classes.examples}>
      <Trans>Or run an example, which works offline:</Trans>{' '}
      {EXAMPLES.filter(([, , needsBrowser]) => hasBrowser || !needsBrowser).map(([name, label]) => (
        <TextLink key={name} to="/playground" state={{ example: name }} size="sm" underline="always">
          {label}
        </TextLink>
      ))}
    </p>
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

const firstRequest = (): string =>
  [
    `curl ${location.origin}${BASE_PATH}/api/v1/scrape/ \\`,
    '  -H "Authorization: Api-Key $SLUICE_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"url": "https://shop.sluice.test/shop/SL-001"}'`,
  ].join('\n');

/** From so many scrapes on, nobody is new. */
const MANY = 100;

/** The first steps, for users whose first scrape is recent. Shown until the user hides them. @param scrapes so far */
export function GettingStarted({ scrapes }: { readonly scrapes: number }) {
  const [hidden, setHidden] = useLocalStorage({
    key: 'sluice-next-steps-hidden',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const canChange = useCanChange();
  const isShown = !hidden && canChange && scrapes < MANY;
  const keys = useUsableKeys(isShown);
  if (!isShown || keys === undefined) return null;
  const close = <CloseButton aria-label={t`Hide getting started`} onClick={() => setHidden(true)} />;
  return (
    <Box mb="md">
      {keys === 0 ? (
        <Panel title={t`Getting started`} actions={close}>
          <FirstSteps scraped />
        </Panel>
      ) : (
        <section className={classes.line} aria-label={t`Getting started`}>
          <IconCheck size={16} />
          <span>
            <Trans>
              You have a key and a scrape. Next,{' '}
              <TextLink to="/playground" size="sm" underline="always">
                try the playground
              </TextLink>
              : tasks, examples, and each request as code.
            </Trans>
          </span>
          {close}
        </section>
      )}
    </Box>
  );
}

/** Number of own keys that are not revoked; undefined: not known yet. */
function useUsableKeys(enabled = true): number | undefined {
  const { data } = useQuery({ ...keysQuery, enabled });
  return data?.items.filter(({ revoked_at }) => revoked_at === null).length;
}
