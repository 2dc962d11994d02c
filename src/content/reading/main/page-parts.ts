import { matchesAny } from '../../document/css-selector.ts';
import type { PagePart } from '../../document/page-part.ts';
import type { ParsedPage } from '../../document/parsed-page.ts';
import { findMainContent, type MainContent, type MainContentOptions, withoutFrame } from './main-content.ts';

/** The page and the documents in its frames. */
export function wholeParts(page: ParsedPage): readonly PagePart[] {
  return [page, ...page.frames].map((document) => ({ document, selection: null }));
}

export interface MainParts {
  readonly parts: readonly PagePart[];
  /** What `links` and `images` are read from. */
  readonly linkParts: readonly PagePart[];
  /** The main content of the first part; null: the page is a feed or sitemap, which has none. */
  readonly main: MainContent | null;
}

/**
 * The main content of the page and of each document in its frames. XML is left whole. If `include` matches in some of the
 * documents, the others are left out. The caller must limit the time.
 */
export function mainParts(
  page: ParsedPage,
  options: MainContentOptions & { readonly linksFrom: 'content' | 'page' },
): MainParts {
  if (page.plainXml) return { parts: wholeParts(page), linkParts: wholeParts(page), main: null };
  const documents = [page, ...page.frames];
  const included = documents.filter(({ tree }) => options.include.some((css) => matchesAny(tree, css)));
  const found = (included.length > 0 ? included : documents).map((document) => ({
    document,
    selection: findMainContent(document, options),
  }));
  const linkParts =
    options.linksFrom === 'content' || included.length > 0
      ? found
      : documents.map((document) => ({ document, selection: withoutFrame(document, options.exclude) }));
  return { parts: found, linkParts, main: found[0]!.selection };
}
