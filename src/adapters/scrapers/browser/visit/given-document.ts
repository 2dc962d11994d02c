import type { FetchedPage, Page, TargetCookie } from '../../../../domain/fetched.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { fulfil } from './fulfil.ts';

/** What was said of the body as it came; the cookies are in the context before. */
const AS_IT_CAME = new Set(['content-length', 'content-encoding', 'transfer-encoding', 'set-cookie']);

/** Gives the context of the page what the target set when the document was fetched. */
export async function takeCookiesOf(session: CdpSession, { page }: FetchedPage): Promise<void> {
  const { hostname, protocol } = new URL(page.finalUrl);
  // One that the browser does not take, it would not have taken from the target.
  const taken = page.cookies.map((cookie) =>
    session.send('Network.setCookie', cookieOf(cookie, hostname, protocol)).catch(() => null),
  );
  await Promise.all(taken);
}

function cookieOf(cookie: TargetCookie, host: string, protocol: string) {
  const { name, value, domain, path, secure, httpOnly, sameSite, expires } = cookie;
  const site = SAME_SITE.find((one) => one.toLowerCase() === sameSite?.toLowerCase());
  return {
    name,
    value,
    path,
    secure,
    httpOnly,
    url: `${secure ? 'https:' : protocol}//${domain}/`,
    // Of a domain above, it is for all hosts below that; else for its host alone.
    ...(host.endsWith(`.${domain}`) ? { domain } : {}),
    ...(site === undefined ? {} : { sameSite: site }),
    ...(expires === null ? {} : { expires }),
  };
}

const SAME_SITE = ['Strict', 'Lax', 'None'] as const;

/** Answers a paused navigation with a document that another scraper has fetched. */
export async function showGiven(session: CdpSession, requestId: string, page: Page): Promise<void> {
  const headers = page.headers.filter(([name]) => !AS_IT_CAME.has(name));
  await fulfil(session, requestId, { status: page.statusCode, headers, body: page.body });
}
