import { useQuery } from '@tanstack/react-query';
import { scrapersQuery } from '../../api/playground.ts';
import { readinessQuery } from '../../api/system.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import classes from './overview.module.css';

/** What keeps scrapes from having a browser here, or makes it less safe. Nothing while all is well. */
export function BrowserNotice() {
  const { data: readiness } = useQuery(readinessQuery);
  const state = readiness?.browser.state;
  // It is long, so it is asked for only where it has the reason, or where nobody has looked yet.
  const asks = state === 'unavailable' || state === 'unknown';
  const { data: scrapers } = useQuery({ ...scrapersQuery, enabled: asks });
  const browser = scrapers?.items.find(({ name }) => name === 'browser');
  const notices: (readonly [title: string, text: string])[] = [];
  if (asks && browser?.available === false) {
    const why = browser.reason ?? 'none was found';
    notices.push(['No browser is available', `${sentence(why)} Scrapes over HTTP work.`]);
  } else if (state === 'down') {
    notices.push([
      'The browser does not start',
      'It is installed, but scrapes that need it fail; see the log of the service. Scrapes over HTTP work.',
    ]);
  }
  if (readiness?.browser.sandbox === 'off') {
    notices.push([
      'Browsers run without their sandbox',
      'SLUICE_BROWSER_SANDBOX is off: a page that breaks a browser has the rights of its user on this machine.',
    ]);
  }
  if (notices.length === 0) return null;
  return (
    <div className={classes.notices}>
      {notices.map(([title, text]) => (
        <Notice key={title} tone="amber" icon={IconAlert} title={title}>
          <p>{text}</p>
        </Notice>
      ))}
    </div>
  );
}

/** A reason of the service as a sentence of its own. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
