import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import type { Schema } from '../../api/client.ts';
import { lazyComponent } from '../../app/lazy.ts';
import { formatCount, formatShare } from '../../ui/format.ts';
import { PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type AnyScrape, isObject } from '../scrape.ts';
import type { Language } from './content-kind.ts';

// Loaded lazily, because the parsers are larger than the rest of the page.
const SourceView = lazyComponent(() => import('./source-view.tsx'), 'SourceView');
const MarkdownView = lazyComponent(() => import('./markdown-view.tsx'), 'MarkdownView');

/** Members of `scraper_data` that are shown elsewhere on the page. */
const SHOWN_ELSEWHERE: readonly string[] = ['charset', 'actions', 'network', 'main', 'pdf', 'downloads'];

const membersOf = ({ scraper_data }: AnyScrape, except: readonly string[]) =>
  Object.entries(scraper_data).filter(([name]) => !SHOWN_ELSEWHERE.includes(name) && !except.includes(name));

/** Whether `DataPanel` shows anything but what the main content is. */
export const hasData = (scrape: AnyScrape, except: readonly string[]): boolean =>
  membersOf(scrape, except).length > 0;

interface DataPanelProps {
  readonly scrape: AnyScrape;
  /** Further members of `scraper_data` that are shown elsewhere. */
  readonly except?: readonly string[];
}

/** The requested formats and the extracted data. */
export function DataPanel({ scrape, except = [] }: DataPanelProps) {
  const { main } = scrape.scraper_data;
  const all = membersOf(scrape, except);
  // Extracted data comes first, because it is the purpose of the request.
  const members = [...all.filter(isExtract), ...all.filter((member) => !isExtract(member))];
  if (members.length === 0 && main === undefined) return null;
  return (
    <Panel title={t`Data`} description={main === undefined ? EXTRACTED : <MainNote main={main} />} flush>
      {members.length > 0 && (
        <Tabs key={scrape.id} defaultValue={members[0]![0]} keepMounted={false}>
          <Tabs.List px={10} aria-label={t`Extracted data`}>
            {members.map(([name, value]) => (
              <Tabs.Tab key={name} value={name}>
                {name}
                {countText(name, value)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {members.map(([name, value]) => (
            <Tabs.Panel key={name} value={name}>
              <Suspense fallback={<PageSkeleton />}>{viewOf(name, value)}</Suspense>
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Panel>
  );
}

const EXTRACTED = t`Extracted from the page as requested.`;

const isExtract = ([name]: readonly [string, unknown]): boolean => name === 'extract' || name === 'json';

/** How many entries a format has. */
function countText(name: string, value: unknown): string {
  const entries = name === 'feed' && isObject(value) ? value.items : value;
  return Array.isArray(entries) ? ` (${formatCount(entries.length)})` : '';
}

function viewOf(name: string, value: unknown): ReactNode {
  if (name === 'markdown' && typeof value === 'string') return <MarkdownView markdown={value} />;
  return <SourceView {...sourceText(name, value)} label={name} />;
}

function sourceText(
  name: string,
  value: unknown,
): { readonly text: string; readonly language: Language | null } {
  if (typeof value !== 'string') return { text: JSON.stringify(value), language: 'json' };
  return { text: value, language: name === 'html' || name === 'main_html' ? 'html' : null };
}

const KINDS: Readonly<Record<Exclude<Schema<'MainContent'>['kind'], 'other'>, string>> = {
  article: t`an article`,
  listing: t`a list of entries`,
  product: t`a product`,
  discussion: t`a discussion`,
  document: t`a document`,
};

/** Says what the main content of the page is. */
export function MainNote({ main }: { readonly main: Schema<'MainContent'> | null }) {
  if (main === null) return t`This content has no main part: it was read as a whole.`;
  const { kind, share_of_text, selector, confidence } = main;
  return kind === 'other' ? (
    <Trans>
      Main content: {formatShare(share_of_text, 1)} of the text, in <code>{selector}</code> (confidence{' '}
      {formatShare(confidence, 1)}).
    </Trans>
  ) : (
    <Trans>
      Main content: {KINDS[kind]}, {formatShare(share_of_text, 1)} of the text, in <code>{selector}</code>{' '}
      (confidence {formatShare(confidence, 1)}).
    </Trans>
  );
}
