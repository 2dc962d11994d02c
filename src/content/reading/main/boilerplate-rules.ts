import { classNames, classWords } from '../../document/class-words.ts';
import { attributeOf, type ElementNode } from '../../document/page-tree.ts';

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

// Boilerplate is what surrounds the main content of a page: navigation, banners, layers, controls.

/** HTML elements for boilerplate. */
const BOILERPLATE_TAGS = wordSet('nav footer aside dialog menu button select input textarea tool-tip');
/** WAI-ARIA roles of boilerplate. */
const BOILERPLATE_ROLES = wordSet(
  'navigation banner contentinfo search dialog alertdialog menu menubar toolbar complementary tooltip alert button',
);
/** Landmarks around the content: elements, and roles of WAI-ARIA. */
const FRAME_TAGS = wordSet('nav aside dialog menu');
const FRAME_ROLES = wordSet(
  'navigation banner contentinfo search dialog alertdialog menu menubar toolbar complementary',
);
/** Words in class names and ids of boilerplate. */
const BOILERPLATE_WORDS = wordSet(
  `nav navbar navigation megamenu submenu menu offcanvas breadcrumb breadcrumbs footer sidebar masthead flyout
   modal popup popover lightbox drawer toast tooltip dropdown
   newsletter subscribe signup login share sharing social socials sharedaddy addtoany
   advert advertisement advertising
   pagination pager paging pagenav skip toolbar
   filter filters facet facets
   printfriendly noprint disclaimer disclaimers`,
);
/** Words of what a page has once or twice. */
export const PAGE_WORDS = wordSet('nav navbar navigation footer sidebar reviews');
/** Words of layers that ask for consent, with the names of common products for them. */
export const CONSENT_WORDS = wordSet(
  `cookie cookies consent gdpr onetrust cookiebanner cookieconsent cookiebot cookielaw cmplz didomi usercentrics`,
);
/** Words of teasers: links to other pages, with a picture and some words. */
export const TEASER_WORDS = wordSet(
  `related recommended recommendations recommendation recirc trending sponsored promo upsell upsells crosssell`,
);
/** Words of the comments that readers write below an article. */
export const COMMENT_WORDS = wordSet('comments respond disqus');
/** The word of what buyers say, on pages of products and of shops. */
export const REVIEWS = 'reviews';
/** Words of praise, of controls for buying, and of bars with these that follow the reader. */
const SHOP_WORDS = wordSet(
  'testimonial testimonials sticky cart wishlist quantity qty delivery payment checkout affirm klarna seller swatch swatches variant variants thumbnail thumbnails',
);

/** Class names by which frameworks hide an element. */
const HIDING_NAMES = wordSet(
  `hidden d-none hide is-hidden u-hidden invisible
   sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-only a11y-hidden`,
);
/** Class names that show a hidden element again, at some widths of the screen: `md:block`, `d-lg-flex`. */
const SHOWING_NAME =
  /(?:^|[-:])(?:block|flex|grid|inline|table|inline-block|inline-flex|visible|contents|table-cell|not-sr-only)$/;

function isHiddenByName(node: ElementNode): boolean {
  const names = classNames(node);
  return names.some((name) => HIDING_NAMES.has(name)) && !names.some((name) => SHOWING_NAME.test(name));
}

export interface BoilerplateContext {
  /** Comments are content: the page is a discussion. */
  readonly comments: boolean;
  /** The page offers one product. */
  readonly product: boolean;
  /** Teasers of other pages are content: their links are wanted. */
  readonly teasers: boolean;
}

export const isButton = (node: ElementNode) =>
  node.tagName === 'button' || attributeOf(node, 'role')?.trim().toLowerCase() === 'button';

/** The tag name, role or attribute by which an element is boilerplate; null if there is none. */
export function markupReason(node: ElementNode): string | null {
  if (BOILERPLATE_TAGS.has(node.tagName)) return node.tagName;
  if (node.attrs === undefined || node.attrs.length === 0) return null;
  const role = attributeOf(node, 'role')?.trim().toLowerCase();
  if (role !== undefined && BOILERPLATE_ROLES.has(role)) return role;
  return attributeOf(node, 'aria-hidden') === 'true' ? 'aria-hidden' : null;
}

/** Whether the element is a landmark around the content. `header` and `footer` are none inside of a section. */
export function isFrame(node: ElementNode, inSection: boolean): boolean {
  const role = attributeOf(node, 'role')?.trim().toLowerCase();
  if (role !== undefined && FRAME_ROLES.has(role)) return true;
  if (node.tagName === 'header' || node.tagName === 'footer') return !inSection;
  return FRAME_TAGS.has(node.tagName);
}

/**
 * The word in the class names or the id by which an element is boilerplate; `hidden` if a class name hides it. null if there is
 * none.
 */
export function nameReason(
  node: ElementNode,
  { comments, product, teasers }: BoilerplateContext,
): string | null {
  if (isHiddenByName(node)) return 'hidden';
  for (const word of classWords(node)) {
    if (BOILERPLATE_WORDS.has(word) || CONSENT_WORDS.has(word)) return word;
    if (!teasers && TEASER_WORDS.has(word)) return word;
    if (!comments && (COMMENT_WORDS.has(word) || word === REVIEWS)) return word;
    if (product && SHOP_WORDS.has(word)) return word;
  }
  return null;
}
