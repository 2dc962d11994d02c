import { createRequire } from 'node:module';
import type * as HtmlParser2 from 'htmlparser2';
import { rfc3339Date } from '../../../base/rfc3339-date.ts';
import type { FoundLink, FoundLinks } from '../../../domain/found-links.ts';
import { webUrl } from '../../document/parsed-page.ts';
import { gunzippedText } from './feed.ts';
import { knownName, localPart, prefixOf } from './vocabularies.ts';

const loadPackage = createRequire(import.meta.url);

/** The limit of one sitemap (https://www.sitemaps.org/protocol.html). */
const MAX_URLS = 50_000;
const MAX_TEXT_LENGTH = 9_000;
const MAX_PREFIXES = 100;
const utf8 = new TextDecoder();

/** What encloses one entry: in sitemaps, RSS, Atom. */
const ENTRIES = new Set(['url', 'sitemap', 'item', 'entry']);
const TEXTS = new Set(['loc', 'lastmod', 'link', 'title', 'pubDate', 'updated', 'date', 'modified']);
const ROOTS: Readonly<Record<string, 'urls' | 'sitemaps' | undefined>> = {
  urlset: 'urls',
  rss: 'urls',
  feed: 'urls',
  RDF: 'urls',
  sitemapindex: 'sitemaps',
};

/**
 * The entries of a sitemap, an index of sitemaps, a feed (RSS, Atom) or a text with one URL in each line; also packed with gzip.
 * Reads the source as a stream, because a sitemap may have 50 MB, and a tree of it takes ten times as much.
 * @param bytes UTF-8, or a gzip file
 */
export function sitemapLinks(bytes: Uint8Array, url: string): FoundLinks {
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = packed ? gunzippedText(bytes) : utf8.decode(bytes);
  if (text === null)
    return nothing(
      'The file cannot be unpacked: it is damaged, or has more than 50 MiB when it is unpacked.',
    );
  return /^[\s\ufeff]*</.test(text) ? xmlLinks(text, url) : textLinks(text, url);
}

const nothing = (problem: string): FoundLinks => ({
  links: [],
  left: 0,
  nofollow: false,
  contentHash: null,
  blocks: null,
  problem,
});

interface Entry {
  readonly kind: FoundLink['kind'];
  url: string;
  title: string;
  date: string;
}

function xmlLinks(text: string, base: string): FoundLinks {
  const { Parser } = loadPackage('htmlparser2') as typeof HtmlParser2;
  const entries = new EntryList(base);
  let root: { readonly name: string; readonly namespace: string | null } | null = null;
  /** What the prefixes stand for. Files declare each of them once, mostly in the root. */
  const namespaces = new Map<string, string>();
  let depth = 0;
  let entryDepth = 0;
  let entry: Entry | null = null;
  let member: string | null = null;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        const { href, rel, xmlns } = attributes;
        for (const key in attributes)
          if (key.startsWith('xmlns:') && namespaces.size < MAX_PREFIXES)
            namespaces.set(key.slice(6), attributes[key]!);
        // One that a single element declares for itself ends with it.
        if (root === null && xmlns !== undefined) namespaces.set('', xmlns);
        const namespace =
          (prefixOf(name) === '' ? xmlns : undefined) ?? namespaces.get(prefixOf(name)) ?? null;
        root ??= { name, namespace };
        const local = localPart(name);
        if (ENTRIES.has(local)) {
          entry = { kind: local === 'sitemap' ? 'sitemap' : 'link', url: '', title: '', date: '' };
          entryDepth = depth;
        } else if (entry !== null && TEXTS.has(local) && depth === entryDepth + 1) {
          // Others are those of another vocabulary, such as images in sitemaps.
          const known = knownName(name, namespace, root).replace(/^(?:dc|dcterms):(?=date|modified)/, '');
          if (!TEXTS.has(known)) return;
          member = known;
          if (known === 'link' && href !== undefined && (rel ?? 'alternate') === 'alternate')
            entry.url ||= href;
        }
      },
      ontext(value) {
        if (entry === null || member === null) return;
        const target = member === 'loc' || member === 'link' ? 'url' : member === 'title' ? 'title' : 'date';
        if (target !== 'date' || entry.date.length < 100)
          entry[target] = (entry[target] + value).slice(0, MAX_TEXT_LENGTH);
      },
      onclosetag(name) {
        depth--;
        member = null;
        if (entry === null || !ENTRIES.has(localPart(name))) return;
        entries.add(entry);
        entry = null;
      },
    },
    { xmlMode: true },
  );
  parser.end(text);
  // The compiler does not see that the parser sets it.
  const rootName = (root as { readonly name: string } | null)?.name ?? '';
  const kind = ROOTS[localPart(rootName)];
  return kind === undefined ? nothing('The file is no sitemap.') : entries.result();
}

function textLinks(text: string, base: string): FoundLinks {
  const entries = new EntryList(base);
  let other = false;
  for (const line of text.split(/[\r\n]+/)) {
    const url = line.replace('\ufeff', '').trim();
    if (/^https?:\/\//i.test(url)) entries.add({ kind: 'link', url, title: '', date: '' });
    else other ||= url !== '';
  }
  return other && entries.empty ? nothing('The file is no sitemap.') : entries.result();
}

class EntryList {
  readonly #links: FoundLink[] = [];
  readonly #base: string;
  #left = 0;

  constructor(base: string) {
    this.#base = base;
  }

  get empty(): boolean {
    return this.#links.length === 0;
  }

  add({ kind, url: text, title, date }: Entry): void {
    const trimmed = text.trim();
    if (trimmed === '') return;
    const url = webUrl(trimmed, this.#base);
    if (url === null || this.#links.length >= MAX_URLS) {
      this.#left++;
      return;
    }
    this.#links.push({
      url,
      kind,
      nofollow: false,
      title: title.trim() || null,
      lastModified: date === '' ? null : rfc3339Date(date),
    });
  }

  result(): FoundLinks {
    return {
      links: this.#links,
      left: this.#left,
      nofollow: false,
      contentHash: null,
      blocks: null,
      problem: null,
    };
  }
}
