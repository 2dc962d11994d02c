import { Panel } from '../ui/panel.tsx';
import { sameServiceUrl, screenshotUrl } from './picture-url.ts';
import { PictureView } from './picture-view.tsx';
import { type AnyScrape, requestsScreenshot, type SentRequest } from './scrape.ts';
import classes from './scrape-result.module.css';

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
      <Panel title="Screenshot">
        <p className={classes.none}>{noScreenshotText(scrape)}</p>
      </Panel>
    );
  }
  const address = stored && id !== null ? screenshotUrl(id) : sameServiceUrl(url);
  return (
    <Panel title="Screenshot" description="The page at the end of the scrape." flush>
      {address === null ? (
        <p className={classes.none}>Its URL does not belong to this service.</p>
      ) : (
        <PictureView
          address={address}
          alt={page === null ? 'Screenshot of the page' : `Screenshot of ${page}`}
          link={url}
          name={`screenshot-${id ?? 'page'}`}
          part={box === null ? null : { name: 'the main content', box }}
        />
      )}
    </Panel>
  );
}

function noScreenshotText({ errors, status_code, router }: AnyScrape): string {
  const failed = errors.find(({ code }) => code === 'screenshot.failed');
  if (failed !== undefined) return failed.message;
  if (status_code === null || router.outcome === 'failed')
    return 'No page was fetched, so there is no screenshot.';
  return 'It was not stored: only the response contained it. Leave router.retain out of the request to store screenshots.';
}
