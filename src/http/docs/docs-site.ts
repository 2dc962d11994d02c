import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../base/program-files.ts';
import { basePathOf, escapeHtml, LOGO } from './dashboard-pages.ts';
import type { ShownBy } from './docs-code.ts';
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

/** The folders of docs/ whose files are pages, with their heading and order. Files that are not named follow, by name. */
const FOLDERS = [
  {
    folder: 'recipes',
    heading: 'Recipes',
    order: [
      'shop-prices',
      'login',
      'infinite-scroll',
      'site-to-markdown',
      'watch-a-page',
      'pdf',
      'blocked-site',
      'rotating-proxies',
      'screenshots',
      'mcp-agent',
      'webhooks',
      'python',
      'errors-and-retries',
      'scrapy',
      'langchain',
    ],
  },
  {
    folder: 'guides',
    heading: 'Guides',
    order: [
      'first-scrape',
      'test-hosts',
      'extraction',
      'profiles',
      'crawling',
      'scheduling',
      'notifications',
      'alerts',
      'proxies',
      'vendors',
      'costs',
      'command-line',
      'mcp',
      'proxy-port',
      'from-firecrawl',
      'from-scrapingbee',
      'from-zyte',
      'from-playwright',
      'self-hosting',
      'teams',
      'remote-browsers',
      'scaling',
    ],
  },
] as const satisfies readonly { folder: string; heading: string; order: readonly string[] }[];

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
  'postgresql',
  'scaling',
  'reverse-proxy',
  'systemd',
  'performance',
  'glossary',
];

/** The name of the first page in the navigation. */
const HOME = 'Start';

const DOCS = join(PACKAGE_ROOT, 'docs');
const ASSETS = join(DOCS, 'assets');

interface Page extends RenderedMarkdown {
  readonly path: string;
}

/**
 * Renders docs/ as a site.
 * @param shownBy.baseUrl also stands in the examples
 * @param shownBy.hasDashboard whether the service has a dashboard, which the pages then link to
 */
export async function makeDocsSite(shownBy: ShownBy): Promise<DocsSite> {
  const basePath = basePathOf(shownBy.baseUrl);
  const inFolders = await Promise.all(
    FOLDERS.map(async ({ folder, order }) => {
      const files = await readdir(join(DOCS, folder)).catch(() => []);
      return inOrder(files, order).map((name) => `${folder}/${name}`);
    }),
  );
  const paths = [...inFolders.flat(), ...REFERENCE];
  const known = new Set(paths);
  const render = async (path: string, parts: Readonly<Record<string, string>> = {}): Promise<Page> => {
    const source = path === '' ? 'index' : path;
    const text = await readFile(join(DOCS, `${source}.md`), 'utf8');
    const hrefOf = (link: string) => addressOf(link, source, known, basePath);
    return { path, ...renderMarkdown(text, { hrefOf, shownBy, parts }) };
  };
  const others = await Promise.all(paths.map((path) => render(path)));
  const recipes = others.filter(({ path }) => path.startsWith('recipes/'));
  const pages = [await render('', { recipes: pageList(recipes, basePath) }), ...others];
  const files = new Map<string, DocsFile>();
  const add = (path: string, type: string, body: string) =>
    files.set(path, { type, body, hash: createHash('sha256').update(body).digest('base64url') });
  for (const page of pages) add(page.path, 'text/html', layout(page, pages, shownBy));
  for (const [name, type] of [
    ['site.css', 'text/css'],
    ['site.js', 'text/javascript'],
  ] as const)
    add(name, type, await readFile(join(ASSETS, name), 'utf8'));
  add('search.json', 'application/json', searchIndex(pages));
  return files;
}

/** The names of the Markdown files, without `.md`: first those of `order`. */
function inOrder(files: readonly string[], order: readonly string[]): readonly string[] {
  const names = files
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
  return [...order.filter((name) => names.includes(name)), ...names.filter((name) => !order.includes(name))];
}

/** Links to pages with their first sentence. */
function pageList(pages: readonly Page[], basePath: string): string {
  const items = pages.map(({ path, title, summary }) => {
    const [sentence = ''] = /^.*?[.:](?= |$)/.exec(summary) ?? [];
    return `<li><a href="${escapeHtml(`${basePath}/docs/${path}`)}">${escapeHtml(title)}</a><span>${escapeHtml(sentence.replace(/:$/, '.'))}</span></li>`;
  });
  return items.length === 0 ? '' : `<ul class="pages">${items.join('\n')}</ul>\n`;
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
  if (pathname === '/docs/recipes/') return `${basePath}/docs#recipes`;
  const path = /^\/docs\/(.+)\.md$/.exec(pathname)?.[1];
  if (path === undefined || (path !== 'index' && !known.has(path))) return null;
  return `${basePath}/docs${path === 'index' ? '' : `/${path}`}${hash}`;
}

const nameOf = ({ path, title }: Page): string => (path === '' ? HOME : title);

/** What the search looks through: the heading of a part, the page that it is on, its text, and the words of the page. */
const searchIndex = (pages: readonly Page[]): string =>
  JSON.stringify(
    pages.flatMap(({ path, title, sections, words }) =>
      sections.map(({ isRow, ...section }) => ({
        path,
        title,
        ...section,
        ...(isRow ? { row: true } : {}),
        ...(section.id === '' && words !== '' ? { words } : {}),
      })),
    ),
  );

/** The whole HTML of a page. */
function layout(page: Page, pages: readonly Page[], { baseUrl, hasDashboard }: ShownBy): string {
  const base = escapeHtml(basePathOf(baseUrl));
  const addressOfPage = (path: string) => `${base}/docs${path === '' ? '' : `/${path}`}`;
  const item = (path: string, title: string) =>
    `<li><a href="${addressOfPage(path)}"${path === page.path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const group = (heading: string, items: readonly string[]) =>
    items.length === 0 ? '' : `<h2>${heading}</h2><ul>${items.join('')}</ul>`;
  const items = (belongs: (page: Page) => boolean) =>
    pages.filter(belongs).map(({ path, title }) => item(path, title));
  const groups = FOLDERS.map(({ folder, heading }) =>
    group(
      heading,
      items(({ path }) => path.startsWith(`${folder}/`)),
    ),
  );
  const index = pages.indexOf(page);
  const neighbour = (other: Page | undefined, rel: 'prev' | 'next', label: string) =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${addressOfPage(other.path)}"><span>${label}</span> ${escapeHtml(nameOf(other))}</a>`;
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
<a class="brand" href="${base}/docs">${LOGO} Sluice</a>
<search>
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false" aria-controls="results">
<ul id="results" hidden></ul>
</search>
${hasDashboard ? `<a class="dashboard" href="${base}/">Dashboard</a>` : ''}
</header>
<div class="columns">
<nav id="menu" popover aria-label="Pages">
<ul>${item('', HOME)}</ul>
${groups.join('\n')}
${group('Reference', [item('api', 'API reference'), ...items(({ path }) => REFERENCE.includes(path))])}
</nav>
<main id="content" tabindex="-1"><article>
${page.html}</article>
<nav class="neighbours" aria-label="Neighbouring pages">
${neighbour(pages[index - 1], 'prev', 'Previous page')}
${neighbour(pages[index + 1], 'next', 'Next page')}
</nav></main>
${contents.length < 2 ? '' : `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${contents.join('')}</ul></nav>`}
</div>
</body>
</html>
`;
}
