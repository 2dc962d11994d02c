import type { TreeNode } from '../page-tree.ts';
import { JsonLd } from './json-ld.ts';
import { NamedValues, short } from './named-values.ts';
import { relOf } from './page-links.ts';
import { type PageUrls, webUrl } from './page-urls.ts';
import { attributeOf, rawText } from './walk-tree.ts';

const MOST_LINKS = 100;
const FEEDS = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
]);
/** Vocabularies that belong to Open Graph (https://ogp.me), by the prefix of `property`. */
const GRAPH = /^(?:og|article|book|profile|video|music|product|fb):/;

/** Its media type, lower-case, without parameters; empty: there is none. */
function typeOf(element: TreeNode): string {
  return (attributeOf(element, 'type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Goes over the elements of a page once and keeps what they say of it. */
export class HeadCollector {
  title: string | null = null;
  canonical: string | null = null;
  icon: string | null = null;
  touchIcon: string | null = null;
  language: string | null = null;
  time: string | null = null;
  readonly names = new NamedValues();
  readonly graph = new NamedValues();
  readonly twitter = new NamedValues();
  readonly items = new NamedValues();
  readonly jsonLd = new JsonLd();
  readonly feeds: { url: string; type: string; title: string | null }[] = [];
  readonly alternates: { language: string; url: string }[] = [];
  readonly #urls: PageUrls;

  constructor(urls: PageUrls) {
    this.#urls = urls;
  }

  see(element: TreeNode): void {
    switch (element.tagName) {
      case 'html':
        this.language ??= short(attributeOf(element, 'lang') ?? attributeOf(element, 'xml:lang'));
        break;
      case 'title':
        // Drawings have titles too.
        if (element.namespaceURI === undefined || element.namespaceURI.endsWith('xhtml'))
          this.title ??= short(rawText(element, 8000));
        break;
      case 'meta':
        this.#meta(element);
        break;
      case 'link':
        this.#link(element);
        break;
      case 'time':
        if (attributeOf(element, 'pubdate') !== null || attributeOf(element, 'itemprop') === 'datePublished')
          this.time ??= short(attributeOf(element, 'datetime'));
        break;
      case 'script':
        if (typeOf(element) === 'application/ld+json') this.jsonLd.add(rawText(element, 2 ** 20));
        break;
    }
  }

  #meta(element: TreeNode): void {
    const value = short(attributeOf(element, 'content'));
    if (value === null) return;
    if (attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-language')
      this.names.add('content-language', value);
    // Either attribute is met with either vocabulary.
    for (const key of ['property', 'name', 'itemprop']) {
      const name = attributeOf(element, key)?.trim().toLowerCase();
      if (name === undefined || name === '') continue;
      if (name.startsWith('twitter:')) this.twitter.add(name.slice(8), value);
      else if (GRAPH.test(name)) this.graph.add(name.startsWith('og:') ? name.slice(3) : name, value);
      else (key === 'itemprop' ? this.items : this.names).add(name, value);
    }
  }

  #link(element: TreeNode): void {
    const rel = relOf(element);
    const href = rel.length === 0 ? null : attributeOf(element, 'href');
    // An empty one leads nowhere (WHATWG HTML §4.2.4), and not to the page itself.
    const url = href === null || href.trim() === '' ? null : webUrl(href, this.#urls.base);
    if (url === null) return;
    if (rel.includes('canonical')) this.canonical ??= url;
    if (rel.includes('icon')) this.icon ??= url;
    else if (rel.includes('apple-touch-icon')) this.touchIcon ??= url;
    if (!rel.includes('alternate') || rel.includes('stylesheet')) return;
    const type = typeOf(element);
    const language = short(attributeOf(element, 'hreflang'));
    if (FEEDS.has(type)) {
      if (this.feeds.length < MOST_LINKS)
        this.feeds.push({ url, type, title: short(attributeOf(element, 'title')) });
    } else if (language !== null && this.alternates.length < MOST_LINKS)
      this.alternates.push({ language, url });
  }
}
