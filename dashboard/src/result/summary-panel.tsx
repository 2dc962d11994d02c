import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { OutcomeBadge } from '../ui/outcome.tsx';
import { Panel } from '../ui/panel.tsx';
import { BreakableName } from '../ui/route-name.tsx';
import { MarkedText } from '../ui/text.tsx';
import type { AnyScrape } from './scrape.ts';
import classes from './summary-panel.module.css';
import { outcomeSentence } from './texts.ts';

/** The outcome in one sentence, and the most important figures. */
export function SummaryPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const { router } = scrape;
  return (
    <Panel>
      <div className={classes.head}>
        <OutcomeBadge outcome={router.outcome} />
        <Text component="p" className={classes.sentence}>
          <MarkedText text={outcomeSentence(scrape)} />
        </Text>
      </div>
      <div className={classes.container}>
        <dl className={classes.figures}>
          <SummaryFigure name={t`Target status`}>{scrape.status_code ?? '–'}</SummaryFigure>
          <SummaryFigure name={t`Duration`}>{formatDuration(router.timing?.total ?? null)}</SummaryFigure>
          <SummaryFigure name={t`Size`}>{formatBytes(contentBytes(scrape))}</SummaryFigure>
          <SummaryFigure name={t`Scraper`}>
            <BreakableName name={router.scraper ?? '–'} />
          </SummaryFigure>
        </dl>
      </div>
    </Panel>
  );
}

function SummaryFigure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}

/** Size of the content in bytes; null if there is none. */
function contentBytes({ content, content_encoding }: AnyScrape): number | null {
  if (content === null) return null;
  if (content_encoding === 'base64') {
    const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0;
    return (content.length / 4) * 3 - padding;
  }
  return utf8Length(content);
}

/** Length in bytes. Computed without encoding the text, which may be large. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair has two units and takes four bytes, so each half adds one.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return length;
}
