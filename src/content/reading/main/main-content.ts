import type { ContentSelection } from '../../document/content-selection.ts';
import { compileSelector } from '../../document/css-selector.ts';
import { type Outline, outlineOf } from '../../document/outline.ts';
import { type ElementNode, elementsOf, type TreeNode } from '../../document/page-tree.ts';
import { type ParsedPage, rootElement } from '../../document/parsed-page.ts';
import { type RepeatedItems, repeatedItems } from '../../document/repeated-items.ts';
import { shortSelector } from '../../document/short-selector.ts';
import { displayFor } from '../../document/visible-text.ts';
import { besideArticle, narrowedRoot } from './article.ts';
import { titleBefore } from './article-title.ts';
import { markupBoilerplate, namedBoilerplate, pageFrame } from './boilerplate.ts';
import { isFrame, nameReason } from './boilerplate-rules.ts';
import { blocksOf, type LeftOut, withoutCommonBlocks } from './common-blocks.ts';
import { contentRoot } from './content-root.ts';
import { conversations } from './conversation.ts';
import { besidePosts, findPosts, signatures } from './discussion.ts';
import { emptiedHeadings } from './emptied-headings.ts';
import { cardsToOtherPages, sectionsAboutOtherPages, withAround } from './other-pages.ts';
import { beforeTitle, footerWithRights, skipLinks } from './page-edges.ts';
import { type DeclaredKind, declaredKind, foundKind, isOneText, type MainContentKind } from './page-kind.ts';
import { type PageSignals, pageSignals } from './page-signals.ts';
import { previews, repeatedLabels, repeatedTexts } from './repeated-texts.ts';

/** The main content of a page, and how it was found. */
export interface MainContent extends ContentSelection {
  readonly kind: MainContentKind;
  /** How sure the kind is, 0 to 1. */
  readonly confidence: number;
  /** A CSS selector that finds the first root again, except for a title before it. */
  readonly selector: string;
  /** The share of the visible text of the page that is in the selection, 0 to 1. */
  readonly shareOfText: number;
  /**
   * How the root was found, in a word: `include` (the caller's selectors), `main`, `article`, `prose` (it holds the
   * sentences), `posts`, `page` (all but the boilerplate), `noscript` or `hidden` (what a script would show), `whole`.
   */
  readonly method: string;
  /** The blocks of the page, and which of them were left out as common blocks; null: not asked for. */
  readonly site: { readonly blocks: readonly number[]; readonly leftOut: LeftOut } | null;
}

export interface MainContentOptions {
  /** CSS selectors of elements that are the main content. They replace the root that would be found, unless none matches. */
  readonly include: readonly string[];
  /** CSS selectors of elements that are not part of it. */
  readonly exclude: readonly string[];
  /** Blocks that stand on most pages of the host; null: none are left out. */
  readonly commonBlocks: readonly number[] | null;
}

/** The smallest share of the sentences that an element must hold to stand for the whole text. */
const NARROWED_SHARE = 0.9;
/** Texts from this length on that occur twice on a page are copies; in discussions shorter ones are already quotes. */
const COPY_LENGTH = 500;
/** Pages of shops say the same twice, for wide and for narrow screens: the name with its price, the points in favour. */
const PRODUCT_COPY_LENGTH = 24;
const QUOTE_LENGTH = 60;
const COPIES = {
  article: COPY_LENGTH,
  other: COPY_LENGTH,
  product: PRODUCT_COPY_LENGTH,
  discussion: QUOTE_LENGTH,
} as const;
/**
 * The largest share of the text that cards to other products can have. Where the data of the page describes one product with
 * its offer, they can be nearly all: shops show more of other products than of this one.
 */
const MOST_BESIDE_OFFER = 0.9;
const MOST_BESIDE_PRODUCT = 0.5;
/** Posts with this share of the sentences make a page a discussion that says nothing about itself. */
const MOST_OF_DISCUSSION = 0.75;
/** With a larger share, comments and reviews are kept: the page hardly has anything else. */
const MOST_COMMENTS = 0.95;

/**
 * Finds the main content of a page: without navigation, consent layers, share bars and the like. It is never empty for a
 * page that shows text. Throws on an invalid selector; the caller must limit the time.
 */
export function findMainContent(page: ParsedPage, options: MainContentOptions): MainContent {
  const { tree, plainXml } = page;
  const root = rootElement(tree) ?? (tree.root as ElementNode);
  const excludedByCaller = selected(page, options.exclude);
  const whole = outlineOf(root as ElementNode, plainXml, new Set());
  const included = outermost(whole, selected(page, options.include));
  const finder = new ContentFinder(page, whole, excludedByCaller, new Set(included));
  // Who includes all of the page leaves nothing out but what `exclude` says.
  const wantsAll = included.some(({ tagName }) => tagName === 'body' || tagName === 'html');
  const found = plainXml ? null : finder.find();
  let roots = included.length > 0 ? included : (found?.roots ?? [root]);
  const title = included.length > 0 ? null : (found?.title ?? null);
  let selection: ContentSelection = {
    roots: title === null ? roots : [title, ...roots],
    excluded: wantsAll ? excludedByCaller : finder.excluded,
  };
  let characters = selectedCharacters(selection, plainXml);
  let method = included.length > 0 ? 'include' : (found?.method ?? 'whole');
  if (characters === 0 && whole.text[0]! > 0) {
    // All text was excluded: the whole root is selected instead.
    roots = included.length > 0 ? included : [root];
    selection = { roots, excluded: excludedByCaller };
    characters = selectedCharacters(selection, plainXml);
    if (included.length === 0) method = 'whole';
  }
  let site: MainContent['site'] = null;
  if (options.commonBlocks !== null) {
    const common = withoutCommonBlocks(selection, whole, new Set(options.commonBlocks));
    selection = common.selection;
    characters -= common.leftOut.characters;
    site = { blocks: blocksOf(whole), leftOut: common.leftOut };
  }
  return {
    ...selection,
    kind: found?.kind ?? 'other',
    confidence: found?.confidence ?? 0,
    selector: shortSelector(tree, roots[0]!),
    shareOfText: characters === 0 ? 0 : Math.min(1, characters / Math.max(whole.text[0]!, characters)),
    method,
    site,
  };
}

/**
 * The page without its frame: without header, navigation, asides, footer and layers, as far as they are not all that it has.
 * Throws on an invalid selector; the caller must limit the time.
 * @param exclude CSS selectors of elements that are left out, too
 */
export function withoutFrame(page: ParsedPage, exclude: readonly string[]): ContentSelection {
  const { tree, plainXml } = page;
  const root = (rootElement(tree) ?? tree.root) as ElementNode;
  const excluded = new Set(selected(page, exclude));
  const whole = outlineOf(root, plainXml, excluded);
  for (const node of pageFrame(whole)) excluded.add(node);
  for (const node of namedBoilerplate(outlineOf(root, plainXml, excluded), LINKED)) excluded.add(node);
  // A menu that opens is hidden, and so not in the outline.
  const shown = new Set<TreeNode>(whole.nodes);
  for (const node of elementsOf(root, excluded))
    if (!shown.has(node) && (isFrame(node as ElementNode, false) || nameReason(node as ElementNode, LINKED)))
      excluded.add(node);
  return { roots: [root], excluded };
}

/** All that leads to other pages of the site is content. */
const LINKED = { comments: true, product: false, teasers: true };

interface FoundContent {
  /** The title, if it stands before the roots. */
  readonly title: TreeNode | null;
  readonly roots: readonly TreeNode[];
  readonly kind: MainContentKind;
  readonly confidence: number;
  readonly method: string;
}

class ContentFinder {
  readonly excluded: Set<TreeNode>;
  readonly #page: ParsedPage;
  readonly #whole: Outline;
  /** Elements that the caller wants. */
  readonly #kept: ReadonlySet<TreeNode>;
  readonly #signals: PageSignals;
  #declared: DeclaredKind;

  constructor(
    page: ParsedPage,
    whole: Outline,
    excluded: ReadonlySet<TreeNode>,
    kept: ReadonlySet<TreeNode>,
  ) {
    this.#page = page;
    this.#whole = whole;
    this.excluded = new Set(excluded);
    this.#kept = kept;
    this.#signals = pageSignals(page.tree.root, page.tree.scripting);
    this.#declared = declaredKind(this.#signals, page.urls.page);
  }

  find(): FoundContent {
    const unshown = behindScripts(this.#whole, this.#signals);
    const rest = this.#withoutConversations(this.#withoutBoilerplate(unshown ?? this.#whole));
    const start = contentRoot(rest, this.#declared.kind === 'article');
    let { index: root, method } = start;
    const oneText = isOneText(rest, root, this.#declared);
    const isDiscussion = this.#declared.kind === 'discussion';
    if (oneText) {
      const narrow = narrowedRoot(rest, root, NARROWED_SHARE);
      if (narrow !== root) method = 'prose';
      root = narrow;
      this.#exclude(rest, besideArticle(rest, root));
    }
    this.#exclude(rest, repeatedTexts(rest, root, COPIES[this.#declared.kind]));
    this.#exclude(rest, previews(rest, root));
    const groups = repeatedItems(rest).filter(({ parent }) => parent >= root && parent < rest.end[root]!);
    if (isDiscussion) this.#exclude(rest, signatures(rest, root));
    const posts = isDiscussion ? findPosts(rest, root, groups) : null;
    if (posts !== null) {
      this.#exclude(rest, besidePosts(rest, root, posts, this.#declared.answers));
    }
    if (!oneText) this.#exclude(rest, repeatedLabels(rest, groups));
    this.#excludeOtherPages(rest, root, groups, oneText);
    const node = rest.nodes[root]!;
    let title: TreeNode | null = null;
    if (oneText) {
      const outline = unshown ?? this.#whole;
      const index = outline.nodes.indexOf(node);
      title = titleBefore(outline, index, this.excluded, this.#signals.titles);
      this.#exclude(outline, emptiedHeadings(outline, index, this.excluded));
    }
    if (unshown !== null) method = unshown.nodes[0]!.tagName === 'noscript' ? 'noscript' : 'hidden';
    return {
      title,
      roots: isShown(node)
        ? [node]
        : node.childNodes!.filter((child) => child.tagName !== undefined && isShown(child)),
      ...foundKind(rest, root, this.#declared, oneText, groups),
      method,
    };
  }

  #withoutBoilerplate(outline: Outline): Outline {
    const { plainXml } = this.#page;
    const { kind, answers } = this.#declared;
    const [start] = outline.nodes;
    for (const node of [...skipLinks(start!), ...markupBoilerplate(outline)]) this.#excludeNode(node);
    const withoutMarked = outlineOf(start!, plainXml, this.excluded);
    const context = {
      comments: kind === 'discussion' && !answers,
      product: kind === 'product',
      teasers: false,
    };
    for (const node of namedBoilerplate(withoutMarked, context)) this.#excludeNode(node);
    return outlineOf(start!, plainXml, this.excluded);
  }

  /** Decides what posts on the page are: the discussion that it is about; or else comments and reviews, which are left out. */
  #withoutConversations(outline: Outline): Outline {
    if (this.#declared.kind === 'discussion') return outline;
    const found = conversations(outline, repeatedItems(outline));
    if (found.length === 0) return outline;
    const share = Math.max(...found.map(({ prose }) => prose)) / outline.prose[0]!;
    if (this.#declared.kind === 'other' && share >= MOST_OF_DISCUSSION) {
      this.#declared = { kind: 'discussion', answers: false, offer: false };
      return outline;
    }
    if (share > MOST_COMMENTS) return outline;
    for (const posts of found) this.#exclude(outline, withAround(outline, 0, posts));
    return outlineOf(outline.nodes[0]!, this.#page.plainXml, this.excluded);
  }

  /** Excludes the edges of the page, and what leads to other pages. */
  #excludeOtherPages(
    outline: Outline,
    root: number,
    groups: readonly RepeatedItems[],
    oneText: boolean,
  ): void {
    const isProduct = this.#declared.kind === 'product';
    if (!oneText) {
      this.#exclude(outline, beforeTitle(outline, root));
      this.#exclude(outline, footerWithRights(outline, root));
    }
    if (isProduct) {
      const most = this.#declared.offer ? MOST_BESIDE_OFFER : MOST_BESIDE_PRODUCT;
      this.#exclude(outline, cardsToOtherPages(outline, root, groups, most));
    }
    this.#exclude(outline, sectionsAboutOtherPages(outline, root, oneText || isProduct));
  }

  #exclude({ nodes }: Outline, indexes: Iterable<number>): void {
    for (const index of indexes) this.#excludeNode(nodes[index]!);
  }

  #excludeNode(node: TreeNode): void {
    if (!this.#kept.has(node)) this.excluded.add(node);
  }
}

const isShown = (node: TreeNode) => displayFor(node, false) !== 'none';

/** A page that shows fewer characters of sentences may be hidden until a script runs; so long must be what it hides. */
const MIN_UNSHOWN = 200;

/**
 * What the page would show with scripts, or without them, if it shows hardly anything as it is: a `noscript`, or an
 * element that is hidden until a script runs.
 */
function behindScripts(whole: Outline, { noscripts, hidden }: PageSignals): Outline | null {
  const [text, prose] = [whole.text[0]!, whole.prose[0]!];
  // Pages have hidden menus and dialogs; but hardly one that shows nothing else.
  const candidates = prose < MIN_UNSHOWN ? [...noscripts, ...hidden] : noscripts;
  let best: Outline | null = null;
  for (const element of candidates) {
    if ((element.childNodes ?? []).length === 0) continue;
    const outline = outlineOf(element, false, new Set());
    if (outline.prose[0]! <= Math.max(MIN_UNSHOWN, prose, text / 2)) continue;
    if (best === null || outline.prose[0]! > best.prose[0]!) best = outline;
  }
  return best;
}

function selected({ tree }: ParsedPage, selectors: readonly string[]): ReadonlySet<TreeNode> {
  return new Set(selectors.flatMap((css) => [...compileSelector(tree, css).all(tree.root)]));
}

/** The elements that are not inside another one, in document order. */
function outermost({ nodes, end }: Outline, elements: ReadonlySet<TreeNode>): TreeNode[] {
  const found: TreeNode[] = [];
  if (elements.size === 0) return found;
  for (let n = 0; n < nodes.length; n++) {
    if (!elements.has(nodes[n]!)) continue;
    found.push(nodes[n]!);
    n = end[n]! - 1;
  }
  return found;
}

function selectedCharacters({ roots, excluded }: ContentSelection, xml: boolean): number {
  return roots.reduce((sum, root) => sum + outlineOf(root as ElementNode, xml, excluded).text[0]!, 0);
}
