import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Panel } from '../ui/panel.tsx';
import { sameServiceUrl, screenshotUrl } from './picture-url.ts';
import { PictureView } from './picture-view.tsx';
import { type AnyScrape, requestsScreenshot, type SentRequest } from './scrape.ts';

interface ScreenshotPanelProps {
  readonly scrape: AnyScrape;
  /** The screenshot can be fetched by the id of the scrape. */
  readonly stored: boolean;
  readonly request: SentRequest;
}

/** The requested screenshot, or why there is none. Renders nothing if none was requested. */
export function ScreenshotPanel({ scrape, stored, request }: ScreenshotPanelProps) {
  const { id, screenshot_url: url, final_url: page } = scrape;
  const box = scrape.scraper_data.main?.box ?? null;
  if (url === null) {
    if (!requestsScreenshot(request) || scrape.router.outcome === 'planned') return null;
    return (
      <Panel title={t`Screenshot`}>
        <p className="dimmed">{noScreenshotText(scrape)}</p>
      </Panel>
    );
  }
  const address = stored && id !== null ? screenshotUrl(id) : sameServiceUrl(url);
  return (
    <Panel title={t`Screenshot`} description={t`The page at the end of the scrape.`} flush>
      {address === null ? (
        <p className="dimmed">
          <Trans>Its URL does not belong to this service.</Trans>
        </p>
      ) : (
        <PictureView
          address={address}
          alt={page === null ? t`Screenshot of the page` : t`Screenshot of ${page}`}
          link={url}
          name={`screenshot-${id ?? 'page'}`}
          part={box === null ? null : { name: t`the main content`, box }}
        />
      )}
    </Panel>
  );
}

function noScreenshotText({ errors, status_code, router }: AnyScrape): string {
  const failed = errors.find(({ code }) => code === 'screenshot.failed');
  if (failed !== undefined) return failed.message;
  if (status_code === null || router.outcome === 'failed')
    return t`No page was fetched, so there is no screenshot.`;
  return t`It was not stored: only the response contained it. Leave router.retain out of the request to store screenshots.`;
}
