import type { Outline } from '../../document/outline.ts';
import type { RepeatedItems } from '../../document/repeated-items.ts';
import { concentration } from './article.ts';
import type { PageSignals } from './page-signals.ts';

export type MainContentKind = 'article' | 'listing' | 'product' | 'discussion' | 'document' | 'other';

/** What the page says it is, by its metadata and its address. */
export interface DeclaredKind {
  readonly kind: 'article' | 'product' | 'discussion' | 'other';
  /** A discussion of questions and answers: comments stand beside the answers, and are not the content. */
  readonly answers: boolean;
  /** A product with an offer is described in the data of the page. */
  readonly offer: boolean;
}

/** Not `product.group`, which is for lists. */
const PRODUCT_TYPE = /^(?:[a-z]+:)?product(?:[.:]item)?$/;
const LIST_TYPE = /product[.:]group$/;
const ARTICLE_TYPE = /article$|^blogposting$/;
/** Words of software for forums, in a path or in a host. */
const FORUM_URL = /(?:^|[./_-])(?:forums?|threads?|viewtopic|showthread)(?:[./_?-]|$)/i;

export function declaredKind({ types, openGraphType, forum }: PageSignals, url: string): DeclaredKind {
  const is = (kind: DeclaredKind['kind'], { answers = false, offer = false } = {}) => ({
    kind,
    answers,
    offer,
  });
  if (types.has('qapage')) return is('discussion', { answers: true });
  if (types.has('discussionforumposting') || forum || FORUM_URL.test(url)) return is('discussion');
  const isList = types.has('itemlist') || LIST_TYPE.test(openGraphType);
  const offer = !isList && types.has('product') && (types.has('offer') || types.has('aggregateoffer'));
  // Pages of all kinds describe a product without an offer to show how many stars it has.
  const described = !isList && types.has('product') && !types.has('aggregaterating');
  if (offer || described || PRODUCT_TYPE.test(openGraphType)) return is('product', { offer });
  if (openGraphType === 'article' || types.values().some((type) => ARTICLE_TYPE.test(type)))
    return is('article');
  return is('other');
}

/** The least shares in an article: of sentences in the text, and of sentences with one parent (`concentration`). */
const ARTICLE_PROSE = 0.5;
const ARTICLE_CONCENTRATION = 0.6;
/** The same if the page itself says that it is an article. */
const DECLARED_PROSE = 0.75;
const DECLARED_CONCENTRATION = 0.2;

/** Whether the content is one text from beginning to end. */
export function isOneText(outline: Outline, root: number, declared: DeclaredKind): boolean {
  if (declared.kind !== 'article' && declared.kind !== 'other') return false;
  const prose = outline.prose[root]! / outline.text[root]!;
  if (!(prose >= ARTICLE_PROSE)) return false;
  const together = concentration(outline, root);
  if (together >= ARTICLE_CONCENTRATION) return true;
  return declared.kind === 'article' && prose >= DECLARED_PROSE && together >= DECLARED_CONCENTRATION;
}

/** A listing has a group of at least so many items, with this share of the text. */
const LISTING_MEMBERS = 5;
const LISTING_SHARE = 0.4;

/** What the content is, in the end, and how sure that is. */
export function foundKind(
  outline: Outline,
  root: number,
  declared: DeclaredKind,
  oneText: boolean,
  groups: readonly RepeatedItems[],
): { readonly kind: MainContentKind; readonly confidence: number } {
  if (declared.kind === 'product' || declared.kind === 'discussion')
    return { kind: declared.kind, confidence: 0.8 };
  if (oneText) {
    if (declared.kind === 'article') return { kind: 'article', confidence: 0.9 };
    return { kind: isReference(outline, root) ? 'document' : 'article', confidence: 0.6 };
  }
  const isListing = groups.some(
    ({ members, text }) => members.length >= LISTING_MEMBERS && text >= LISTING_SHARE * outline.text[root]!,
  );
  if (isListing) return { kind: 'listing', confidence: 0.6 };
  return { kind: 'other', confidence: 0.4 };
}

const REFERENCE_TAGS = new Set(['pre', 'code', 'dl', 'table', 'kbd']);

/** Whether the text has what manuals have and news have not: code, tables, definitions. */
function isReference({ nodes, end }: Outline, root: number): boolean {
  let count = 0;
  for (let n = root + 1; n < end[root]!; n++) if (REFERENCE_TAGS.has(nodes[n]!.tagName)) count++;
  return count >= 3;
}
