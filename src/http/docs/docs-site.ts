import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../base/program-files.ts';
import { escapeHtml } from './dashboard-pages.ts';
import { type RenderedMarkdown, renderMarkdown } from './docs-markdown.ts';

/** A page, or a file that pages load. */
export interface DocsFile {
  readonly type: string;
  readonly body: string;
  /** SHA-256 of `body`, base64url; for `ETag`. */
  readonly hash: string;
}

/** The files by their path below `/docs/`, such as `guides/costs`; '' is the first page. */
export type DocsSite = ReadonlyMap<string, DocsFile>;

/** The order of the guides in the navigation. Files that are not named here follow, by name. */
const GUIDES = [
  'first-scrape',
  'extraction',
  'crawling',
  'scheduling',
  'proxies',
  'costs',
  'notifications',
  'alerts',
  'command-line',
  'mcp',
  'proxy-port',
  'from-firecrawl',
  'from-scrapingbee',
  'from-zyte',
  'from-playwright',
  'self-hosting',
  'teams',
  'scaling',
];

/** The files of docs/ that callers and operators look things up in. */
const REFERENCE = [
  'errors',
  'contract',
  'configuration',
  'auto',
  'impersonate',
  'browsers',
  'proxies',
  'costs',
  'command-line',
  'operation',
  'scaling',
  'reverse-proxy',
  'systemd',
];

const DOCS = join(PACKAGE_ROOT, 'docs');
const ASSETS = join(DOCS, 'assets');

interface SiteOptions {
  readonly basePath: string;
  readonly hasDashboard: boolean;
}

interface Page extends RenderedMarkdown {
  readonly path: string;
}

/**
 * Renders docs/ as a site.
 * @param options.basePath where the service is mounted, without the last slash: `` or `/sluice`
 * @param options.hasDashboard whether the service has a dashboard, which the pages then link to
 */
export async function makeDocsSite({ basePath, hasDashboard }: SiteOptions): Promise<DocsSite> {
  const guides = inOrder((await readdir(join(DOCS, 'guides'))).filter((name) => name.endsWith('.md')));
  const paths = ['', ...guides.map((name) => `guides/${name}`), ...REFERENCE];
  const known = new Set(paths);
  const pages = await Promise.all(
    paths.map(async (path): Promise<Page> => {
      const source = path === '' ? 'index' : path;
      const text = await readFile(join(DOCS, `${source}.md`), 'utf8');
      return { path, ...renderMarkdown(text, (link) => addressOf(link, source, known, basePath)) };
    }),
  );
  const files = new Map<string, DocsFile>();
  const add = (path: string, type: string, body: string) =>
    files.set(path, { type, body, hash: createHash('sha256').update(body).digest('base64url') });
  for (const page of pages) add(page.path, 'text/html', layout(page, pages, { basePath, hasDashboard }));
  for (const [name, type] of [
    ['site.css', 'text/css'],
    ['site.js', 'text/javascript'],
  ] as const)
    add(name, type, await readFile(join(ASSETS, name), 'utf8'));
  add('search.json', 'application/json', searchIndex(pages));
  return files;
}

/** @param files names with `.md` */
function inOrder(files: readonly string[]): readonly string[] {
  const names = files.map((name) => name.slice(0, -'.md'.length)).sort();
  return [
    ...GUIDES.filter((name) => names.includes(name)),
    ...names.filter((name) => !GUIDES.includes(name)),
  ];
}

/**
 * Where a link of a Markdown file leads on the site; null: to a file that the site does not have.
 * @param source the path of the file in docs/, without `.md`
 */
function addressOf(
  link: string,
  source: string,
  known: ReadonlySet<string>,
  basePath: string,
): string | null {
  if (/^https?:\/\//.test(link) || link.startsWith('#')) return link;
  const { pathname, hash } = new URL(link, `file:///docs/${source}.md`);
  if (pathname === '/docs/openapi.json') return `${basePath}/api/v1/openapi.json`;
  const path = /^\/docs\/(.+)\.md$/.exec(pathname)?.[1];
  if (path === undefined || (path !== 'index' && !known.has(path))) return null;
  return `${basePath}/docs${path === 'index' ? '' : `/${path}`}${hash}`;
}

/** What the search looks through: the heading of a part, the page that it is on, and its text. */
const searchIndex = (pages: readonly Page[]): string =>
  JSON.stringify(
    pages.flatMap(({ path, title, sections }) =>
      sections.map(({ id, heading, text }) => ({ path, title, id, heading, text })),
    ),
  );

/** The whole HTML of a page. */
function layout(page: Page, pages: readonly Page[], { basePath, hasDashboard }: SiteOptions): string {
  const base = escapeHtml(basePath);
  const item = (path: string, title: string) =>
    `<li><a href="${base}/docs${path === '' ? '' : `/${path}`}"${path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const group = (heading: string, items: readonly string[]) =>
    `<h2>${heading}</h2><ul>${items.join('')}</ul>`;
  const isGuide = ({ path }: Page) => path.startsWith('guides/');
  const items = (belongs: (page: Page) => boolean) =>
    pages.filter(belongs).map(({ path, title }) => item(path, title));
  const contents = page.contents.map(
    ({ id, heading }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(heading)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en" data-docs="${base}/docs">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Sluice</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs/site.css">
<script src="${base}/docs/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" class="menu" popovertarget="menu" aria-label="Pages">☰</button>
<a class="brand" href="${base}/docs">Sluice</a>
<search>
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false" aria-controls="results">
<ul id="results" hidden></ul>
</search>
${hasDashboard ? `<a class="dashboard" href="${base}/">Dashboard</a>` : ''}
</header>
<div class="columns">
<nav id="menu" popover aria-label="Pages">
<ul>${item('', 'Overview')}</ul>
${group('Guides', items(isGuide))}
${group('Reference', [item('api', 'API reference'), ...items((other) => other.path !== '' && !isGuide(other))])}
</nav>
<main id="content" tabindex="-1"><article>
${page.html}</article></main>
${contents.length < 2 ? '' : `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${contents.join('')}</ul></nav>`}
</div>
</body>
</html>
`;
}
