import type { DashboardFiles } from '../../ports/dashboard.ts';

/** The paths of the dashboard's pages. Must be the same as in dashboard/src/app/router.tsx. */
export const DASHBOARD_PATHS: readonly string[] = [
  '/',
  '/sign-in',
  '/set-up',
  '/usage',
  '/history',
  '/history/compare',
  '/history/:id',
  '/playground',
  '/jobs',
  '/jobs/new-batch',
  '/jobs/new-crawl',
  '/jobs/:id',
  '/monitors',
  '/monitors/new',
  '/monitors/:id',
  '/monitors/:id/edit',
  '/schedules',
  '/schedules/new',
  '/schedules/:id',
  '/datasets',
  '/datasets/:id',
  '/alerts',
  '/channels',
  '/webhooks',
  '/profiles',
  '/sites',
  '/keys',
  '/users',
  '/users/:id',
  '/proxies',
  '/vendors',
  '/prices',
  '/system',
  '/audit',
  '/account',
];

/**
 * `Content-Security-Policy` of the dashboard: resources from this origin only, no inline scripts, no frames around it.
 * @param inlineScript the page has a `script` element with the nonce
 */
export function dashboardPolicy(nonce: string, inlineScript = false): string {
  return [
    "default-src 'none'",
    inlineScript ? `script-src 'self' 'nonce-${nonce}'` : "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of each HTML page. @param nonce of its `style` elements @param inlineScript see `dashboardPolicy` */
export const pageHeaders = (nonce: string, inlineScript = false) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': dashboardPolicy(nonce, inlineScript),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** Where the service is mounted, without the last slash: `` or `/sluice`. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '');

/** The HTML of the dashboard, which the build has made with placeholders. @param basePath see `basePathOf` */
export function dashboardHtml({ index }: DashboardFiles, nonce: string, basePath: string): string {
  const path = escapeHtml(basePath);
  return index
    .replaceAll('"./assets/', `"${path}/assets/`)
    .replaceAll('__BASE_PATH__', path)
    .replaceAll('__NONCE__', nonce);
}

/**
 * The page shown while the dashboard is built: it reloads itself. Without its script it would not where the address has a
 * fragment, as that of a set-up link: a refresh to the same address only scrolls.
 */
export const buildingHtml = (nonce: string, basePath: string): string =>
  notice(
    nonce,
    'The dashboard is being built',
    `<p>This takes a few seconds, on a busy machine a minute, after the first start and after an update. The page will appear here by itself.</p><p>The API is ready already, and so is its <a href="${escapeHtml(basePath)}/docs">documentation</a>.</p>`,
    `<noscript><meta http-equiv="refresh" content="2"></noscript>
<script nonce="${nonce}">AbortSignal.timeout(2000).onabort = () => location.reload()</script>`,
  );

export const failedHtml = (nonce: string, basePath: string, why: string): string =>
  notice(
    nonce,
    'The dashboard could not be built',
    `<p>The API works without it; see its <a href="${escapeHtml(basePath)}/docs">documentation</a>. Fix the problem below and restart the service.</p><pre>${escapeHtml(why)}</pre>`,
  );

/** The 404 page for browsers. */
export const notFoundHtml = (nonce: string, basePath: string): string =>
  notice(
    nonce,
    'There is no such page',
    `<p>The link may be old or mistyped.</p><p><a href="${escapeHtml(basePath)}/">Dashboard</a> · <a href="${escapeHtml(basePath)}/docs">Documentation</a></p>`,
  );

/** As in `Logo` of the dashboard. */
export const LOGO = `<svg width="40" height="40" viewBox="0 0 32 32" fill="none" aria-hidden="true">
<rect width="32" height="32" rx="8" fill="#3557dd"/>
<path d="M9 7.6v3M16 7.6v6M23 7.6v9" stroke="#fff" stroke-width="4" stroke-linecap="round"/>
<path d="M6.5 22.8c1.6 0 1.6 1.3 3.2 1.3s1.6-1.3 3.15-1.3 1.6 1.3 3.15 1.3 1.6-1.3 3.15-1.3 1.6 1.3 3.15 1.3 1.6-1.3 3.2-1.3" stroke="#b3c7ff" stroke-width="2.6" stroke-linecap="round"/>
</svg>`;

/** A page with a message. All texts are HTML. @param head further elements of the page's `head` */
const notice = (nonce: string, title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} · Sluice</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f7f8fa, #0c0d11);
  color: light-dark(#15171d, #eceef3); font: 15px/1.55 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(36rem, calc(100vw - 2rem)); padding: 1.75rem 2rem; border-radius: 12px;
  border: 1px solid light-dark(#e6e8ed, #22252d); background: light-dark(#fff, #121318); }
h1 { margin: 1rem 0 .5rem; font-size: 1.25rem; }
p { margin: .5rem 0; color: light-dark(#5e6371, #a4a9b7); }
a { color: light-dark(#2a47bd, #93aefc); }
pre { padding: 1rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; border-radius: 8px;
  background: light-dark(#eceef3, #181a20); }
</style>
</head>
<body><main>${LOGO}<h1>${title}</h1>${body}</main></body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Text for HTML, also inside of quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
