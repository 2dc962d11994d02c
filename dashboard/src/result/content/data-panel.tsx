import { Tabs } from '@mantine/core';
import { Suspense } from 'react';
import { lazyComponent } from '../../app/lazy.ts';
import { PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { ScrapeShape } from '../scrape-shape.ts';
import type { Language } from './content-kind.ts';

const SourceView = lazyComponent(() => import('./source-view.tsx'), 'SourceView');

/** Members of `scraper_data` that stand elsewhere on the page. */
const ELSEWHERE: readonly string[] = ['charset', 'actions', 'network'];

/** What was made of the page: the formats that were asked for, and what was extracted. */
export function DataPanel({ scrape }: { readonly scrape: ScrapeShape }) {
  const all = Object.entries(scrape.scraper_data).filter(([name]) => !ELSEWHERE.includes(name));
  // What was extracted is what the request was for.
  const members = [...all.filter(isExtract), ...all.filter((one) => !isExtract(one))];
  if (members.length === 0) return null;
  return (
    <Panel title="Data" description="Extracted from the page as requested." flush>
      <Tabs key={scrape.id} defaultValue={members[0]![0]} keepMounted={false}>
        <Tabs.List px={10} aria-label="Extracted data">
          {members.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {members.map(([name, value]) => (
          <Tabs.Panel key={name} value={name}>
            <Suspense fallback={<PageSkeleton />}>
              <SourceView {...textOf(name, value)} label={name} />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  );
}

const isExtract = ([name]: readonly [string, unknown]): boolean => name === 'extract';

function textOf(name: string, value: unknown): { readonly text: string; readonly language: Language | null } {
  if (typeof value !== 'string') return { text: JSON.stringify(value), language: 'json' };
  return { text: value, language: name === 'html' ? 'html' : null };
}
