import { t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { markdownQuery } from '../api/reading.ts';
import { lazyComponent } from '../app/lazy.ts';
import { ErrorState, PageSkeleton } from '../ui/page-state.tsx';
import { DirectContext, isDirect } from '../ui/route-name.tsx';
import { ActionsPanel } from './actions-panel.tsx';
import { contentViews, MissingContent } from './content/content-panel.tsx';
import { DataPanel, hasData, MainNote } from './content/data-panel.tsx';
import { FactsPanel, RedirectsPanel } from './facts-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { CookiesPanel, HeadersPanel } from './headers-panel.tsx';
import { errorsTitle, IssuesPanel } from './issues-panel.tsx';
import { NetworkPanel } from './network-panel.tsx';
import classes from './result-tabs.module.css';
import { RoutePanel } from './route/route-panel.tsx';
import { type AnyScrape, requestedActions, requestsScreenshot, type SentRequest } from './scrape.ts';
import { ScreenshotPanel } from './screenshot-panel.tsx';
import { SummaryPanel } from './summary-panel.tsx';
import { messageInSentence } from './texts.ts';
import { TimingPanel } from './timing-panel.tsx';

// Loaded lazily, because the parser is larger than the rest of the page.
const MarkdownView = lazyComponent(() => import('./content/markdown-view.tsx'), 'MarkdownView');

interface ResultTabsProps {
  readonly scrape: AnyScrape;
  /** The content can be fetched by the id of the scrape. */
  readonly stored: boolean;
  readonly request: SentRequest;
  /** `router.retain` of the request; undefined: not known. */
  readonly retain: string | undefined;
  /** The key of the tab that the user has chosen; null: none. */
  readonly tab: string | null;
  readonly onTab: (tab: string) => void;
  /** What can be changed for another try, shown below what went wrong. */
  readonly advice?: ReactNode;
}

/** A scrape in little space: the outcome, and everything else in tabs. */
export function ResultTabs({ scrape, stored, request, retain, tab, onTab, advice }: ResultTabsProps) {
  const tabs = tabsOf(scrape, stored, request, retain);
  const shown = tabs.find(({ key }) => key === tab) ?? tabs.find(({ wanted }) => wanted) ?? tabs[0]!;
  return (
    <DirectContext value={isDirect(scrape)}>
      <div className={classes.result}>
        <SummaryPanel scrape={scrape} />
        <IssuesPanel
          title={errorsTitle(scrape.errors)}
          issues={scrape.errors}
          alreadyShown={messageInSentence(scrape)}
        />
        {advice}
        <Tabs
          key={scrape.id}
          value={shown.key}
          onChange={(key) => key !== null && onTab(key)}
          keepMounted={false}
        >
          <Tabs.List className={classes.tabs} aria-label={t`Parts of the result`}>
            {tabs.map(({ key, name }) => (
              <Tabs.Tab key={key} value={key}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ key, view, isCard }) => (
            <Tabs.Panel key={key} value={key} className={isCard ? classes.card : classes.panels}>
              {view}
            </Tabs.Panel>
          ))}
        </Tabs>
        <IssuesPanel title={t`Good to know`} issues={scrape.router.warnings} />
      </div>
    </DirectContext>
  );
}

interface ResultTab {
  readonly key: string;
  readonly name: string;
  readonly view: ReactNode;
  /** The view is not a panel and needs a frame. */
  readonly isCard: boolean;
  /** The request asked for this part, so that it is shown first. */
  readonly wanted: boolean;
}

function tabsOf(
  scrape: AnyScrape,
  stored: boolean,
  request: SentRequest,
  retain: string | undefined,
): readonly ResultTab[] {
  const { id, scraper_data: data, screenshot_url: picture, content } = scrape;
  const hasContent = content !== null && content !== '';
  const views = hasContent ? contentViews(scrape, stored, request) : [];
  const isStoredPage = views.some(({ key }) => key === 'rendered');
  const card = (key: string, name: string, view: ReactNode, wanted = false): ResultTab => ({
    key,
    name,
    view,
    wanted,
    isCard: true,
  });
  const panels = (...tab: Parameters<typeof card>): ResultTab => ({ ...card(...tab), isCard: false });
  const { markdown } = data;
  const tabs: ResultTab[] = [];
  if (hasData(scrape, NOT_DATA))
    tabs.push(
      panels(
        'data',
        t`Data`,
        <DataPanel scrape={scrape} except={NOT_DATA} />,
        data.extract !== undefined || data.json !== undefined,
      ),
    );
  if (typeof markdown === 'string')
    tabs.push(
      card(
        'markdown',
        t`Markdown`,
        <>
          {data.main !== undefined && (
            <p className={classes.note}>
              <MainNote main={data.main} />
            </p>
          )}
          <Suspense fallback={<PageSkeleton />}>
            <MarkdownView markdown={markdown} />
          </Suspense>
        </>,
        true,
      ),
    );
  else if (isStoredPage) tabs.push(card('markdown', t`Markdown`, <StoredMarkdown id={id!} />));
  if (picture !== null || (requestsScreenshot(request) && scrape.router.outcome !== 'planned'))
    tabs.push(
      panels(
        'picture',
        t`Picture`,
        <ScreenshotPanel scrape={scrape} stored={stored} request={request} />,
        picture !== null,
      ),
    );
  // The source is what the API returns as the content.
  for (const { key, name, view } of views)
    tabs.push(card(key, name, view, key === 'source' || key === 'image'));
  if (!hasContent) tabs.push(card('content', t`Content`, <MissingContent scrape={scrape} retain={retain} />));
  if (requestedActions(request).length > 0)
    tabs.push(panels('actions', t`Actions`, <ActionsPanel scrape={scrape} request={request} />));
  if (data.network !== undefined) tabs.push(panels('network', t`Network`, <NetworkPanel scrape={scrape} />));
  if (scrape.router.attempts !== undefined && scrape.router.candidates !== undefined)
    tabs.push(panels('route', t`Route`, <RoutePanel scrape={scrape} />, scrape.router.outcome === 'planned'));
  const details = (
    <>
      <FactsPanel scrape={scrape} />
      <TimingPanel scrape={scrape} />
      <RedirectsPanel scrape={scrape} />
      <FilesPanel scrape={scrape} />
      <CookiesPanel cookies={scrape.cookies} />
      <HeadersPanel scrape={scrape} />
    </>
  );
  return [...tabs, panels('details', t`Details`, details)];
}

/** Members of `scraper_data` with a tab of their own. */
const NOT_DATA: readonly string[] = ['markdown'];

/** The Markdown of a stored page that did not ask for it. Nothing is fetched from the site. */
function StoredMarkdown({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(markdownQuery(id));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const markdown = data?.scraper_data.markdown;
  if (typeof markdown !== 'string') return <PageSkeleton />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <MarkdownView markdown={markdown} />
    </Suspense>
  );
}
