import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { DirectContext, isDirect } from '../ui/route-name.tsx';
import { ActionsPanel } from './actions-panel.tsx';
import { ContentPanel } from './content/content-panel.tsx';
import { DataPanel } from './content/data-panel.tsx';
import { FactsPanel, RedirectsPanel } from './facts-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { CookiesPanel, HeadersPanel } from './headers-panel.tsx';
import { errorsTitle, IssuesPanel } from './issues-panel.tsx';
import { NetworkPanel } from './network-panel.tsx';
import { hasSeveralSteps, RoutePanel } from './route/route-panel.tsx';
import type { AnyScrape, SentRequest } from './scrape.ts';
import classes from './scrape-result.module.css';
import { ScreenshotPanel } from './screenshot-panel.tsx';
import { SummaryPanel } from './summary-panel.tsx';
import { messageInSentence } from './texts.ts';
import { TimingPanel } from './timing-panel.tsx';
import { WaterfallPanel } from './waterfall-panel.tsx';

interface ScrapeResultProps {
  readonly scrape: AnyScrape;
  /** The content can be fetched by the id of the scrape, because it was stored with `retain: full`. */
  readonly stored: boolean;
  /** The request, to show the target of each action. */
  readonly request: SentRequest;
  /** `router.retain` of the request, to explain why there is no content. */
  readonly retain?: string | undefined;
  /** What can be changed for another try, shown below what went wrong. */
  readonly advice?: ReactNode;
  /** Further panels, shown below the headers. */
  readonly more?: ReactNode;
}

/** All data of a scrape. Content of the target is shown as text, or in a sandboxed frame. */
export function ScrapeResult({ scrape, stored, request, retain, advice, more }: ScrapeResultProps) {
  const severalSteps = hasSeveralSteps(scrape);
  const screenshot = <ScreenshotPanel scrape={scrape} stored={stored} request={request} />;
  const data = <DataPanel scrape={scrape} />;
  // The page as a picture and as a text are compared.
  const isPair = scrape.screenshot_url !== null && typeof scrape.scraper_data.markdown === 'string';
  return (
    <DirectContext value={isDirect(scrape)}>
      <div className={classes.container}>
        <div className={classes.result}>
          <SummaryPanel scrape={scrape} />
          <IssuesPanel
            title={errorsTitle(scrape.errors)}
            issues={scrape.errors}
            alreadyShown={messageInSentence(scrape)}
          />
          {advice}
          {severalSteps && <RoutePanel scrape={scrape} />}
          {isPair && (
            <div className={classes.pair}>
              {screenshot}
              {data}
            </div>
          )}
          <div className={classes.columns}>
            <div className={classes.column}>
              {!isPair && screenshot}
              <ActionsPanel scrape={scrape} request={request} />
              <FilesPanel scrape={scrape} />
              {!isPair && data}
              <ContentPanel scrape={scrape} stored={stored} retain={retain} request={request} />
              <WaterfallPanel scrape={scrape} />
              <NetworkPanel scrape={scrape} />
              <CookiesPanel cookies={scrape.cookies} />
              <HeadersPanel scrape={scrape} />
              {more}
            </div>
            <div className={classes.column}>
              <FactsPanel scrape={scrape} />
              <TimingPanel scrape={scrape} />
              <RedirectsPanel scrape={scrape} />
              {!severalSteps && <RoutePanel scrape={scrape} />}
              <IssuesPanel title={t`Good to know`} issues={scrape.router.warnings} />
            </div>
          </div>
        </div>
      </div>
    </DirectContext>
  );
}
