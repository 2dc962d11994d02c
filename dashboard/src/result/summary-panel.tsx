import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { OutcomeBadge } from '../ui/outcome.tsx';
import { Panel } from '../ui/panel.tsx';
import { contentBytes } from './content/content-bytes.ts';
import { MarkedText } from './marked-text.tsx';
import { outcomeSentence } from './outcome-sentence.ts';
import type { ScrapeShape } from './scrape-shape.ts';
import classes from './summary-panel.module.css';

/** How it ended in one sentence, and the few figures that everybody looks for. */
export function SummaryPanel({ scrape }: { readonly scrape: ScrapeShape }) {
  const { router } = scrape;
  return (
    <Panel>
      <div className={classes.head}>
        <OutcomeBadge outcome={router.outcome} />
        <Text component="p" className={classes.sentence}>
          <MarkedText text={outcomeSentence(scrape)} />
        </Text>
      </div>
      <dl className={classes.figures}>
        <Figure name="Target status">{scrape.status_code ?? '–'}</Figure>
        <Figure name="Duration">{formatDuration(router.timing?.total ?? null)}</Figure>
        <Figure name="Size">{formatBytes(contentBytes(scrape))}</Figure>
        <Figure name="Scraper">{router.scraper ?? '–'}</Figure>
      </dl>
    </Panel>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}
