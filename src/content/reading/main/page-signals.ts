import {
  attributeOf,
  type ElementNode,
  elementsOf,
  isForeign,
  type TreeNode,
  textContent,
} from '../../document/page-tree.ts';
import { displayFor } from '../../document/visible-text.ts';

/** What a page says about itself in its metadata. */
export interface PageSignals {
  /** Types of schema.org in JSON-LD, microdata and RDFa, in lower case. */
  readonly types: ReadonlySet<string>;
  /** `og:type`, in lower case. */
  readonly openGraphType: string;
  /** The page is made by software for forums, by its `generator` or the names that the software gives to its outermost elements. */
  readonly forum: boolean;
  /** The title of the document, and `og:title`. */
  readonly titles: readonly string[];
  /** What the page shows when no script runs. Empty if they ran: then a browser shows none of it. */
  readonly noscripts: readonly ElementNode[];
  /** Elements that are hidden by an attribute: `hidden`, or `style`. The outermost ones. */
  readonly hidden: readonly ElementNode[];
}

const JSON_LD_TYPE = /"@type"\s{0,20}:\s{0,20}\[?\s{0,20}"([A-Za-z:/.]{1,80})"/g;
const MAX_JSON_LD = 256 * 1024;
const MAX_TITLES = 5;
const MAX_TITLE = 1000;
const MAX_ANCESTORS = 256;
const LAST_NAME = /[^/:#]*$/;

/** @param scripting whether scripts ran: then the content of `noscript` is one text that nobody sees */
export function pageSignals(root: TreeNode, scripting: boolean): PageSignals {
  const types = new Set<string>();
  const noscripts: ElementNode[] = [];
  const hidden: ElementNode[] = [];
  const titles: string[] = [];
  const addTitle = (title: string | null) => {
    if (title !== null && titles.length < MAX_TITLES) titles.push(title.slice(0, MAX_TITLE));
  };
  let openGraphType = '';
  let forum = false;
  const addType = (type: string) => types.add(LAST_NAME.exec(type)![0].toLowerCase());
  for (const element of elementsOf(root)) {
    const { tagName, attrs } = element;
    if (tagName === 'noscript' && !scripting) noscripts.push(element as ElementNode);
    if (tagName === 'title' && !isForeign(element)) addTitle(textContent(element, MAX_TITLE));
    if (attrs === undefined || attrs.length === 0) continue;
    if (isHiddenBlock(element)) hidden.push(element as ElementNode);
    if (tagName === 'script') {
      if (attributeOf(element, 'type')?.toLowerCase() !== 'application/ld+json') continue;
      for (const [, type] of textContent(element, MAX_JSON_LD).matchAll(JSON_LD_TYPE)) addType(type!);
    } else if (tagName === 'meta') {
      const property = attributeOf(element, 'property');
      const content = attributeOf(element, 'content');
      if (property === 'og:type') openGraphType = content?.trim().toLowerCase() ?? '';
      else if (property === 'og:title') addTitle(content);
      else if (attributeOf(element, 'name')?.toLowerCase() === 'generator')
        forum ||= FORUM_GENERATOR.test(content ?? '');
    } else {
      if (!forum && OUTER_TAGS.has(tagName!)) forum = isOfForum(element);
      const type = attributeOf(element, 'itemtype') ?? attributeOf(element, 'typeof');
      if (type !== null) for (const name of type.trim().split(/\s+/, 5)) addType(name);
    }
  }
  return { types, openGraphType, forum, titles, noscripts, hidden: outermost(hidden) };
}

/** Beginnings of the `generator` of software for forums. */
const FORUM_GENERATOR =
  /^\s{0,20}(?:discourse|phpbb|xenforo|vbulletin|mybb|simple machines|smf\b|invision|ip\.board|ips community|flarum|nodebb|vanilla forum|discuz|fluxbb|punbb|woltlab|burning board|bbpress|wpforo|phorum|fudforum|yabb|esotalk|misago|jforum|kunena|asgaros|beehive|minibb|ubb\.threads)/i;
const OUTER_TAGS = new Set(['html', 'body', 'div']);
/** The `id` of `html`, `body` or a `div` around the page, as software for forums writes it. */
const FORUM_ID =
  /^(?:xf|xenforo|phpbb|vbulletin_html|(?:pun|brd-?)(?:viewtopic|wrap)?|tpl_?wbb_?thread|wpforo-wrap|bbpress-forums|ips_?wrapper|kunena)$/i;
/** The same of class names, of pages that show a topic. */
const FORUM_CLASS =
  /(?:^|\s)(?:section-viewtopic|template-topic|bbpress-forums|single-topic|wpforo-topic|template-thread_view)(?:\s|$)/i;
/** The attributes in which Invision and XenForo name what a page is. */
const FORUM_PAGE: readonly (readonly [name: string, value: string])[] = [
  ['data-pagecontroller', 'topic'],
  ['data-template', 'thread_view'],
];

function isOfForum(element: TreeNode): boolean {
  if (FORUM_ID.test(attributeOf(element, 'id') ?? '')) return true;
  if (element.tagName === 'div') return false;
  if (FORUM_CLASS.test(attributeOf(element, 'class') ?? '')) return true;
  return FORUM_PAGE.some(([name, value]) => attributeOf(element, name)?.toLowerCase() === value);
}

const HIDDEN_BLOCKS = new Set(['body', 'div', 'main', 'section', 'article']);

function isHiddenBlock(element: TreeNode): boolean {
  if (!HIDDEN_BLOCKS.has(element.tagName!)) return false;
  return displayFor(element, false) === 'none';
}

function outermost(elements: readonly ElementNode[]): ElementNode[] {
  const all = new Set<TreeNode>(elements);
  return elements.filter((element) => {
    // The parent of a document is undefined.
    let outer = element.parentNode;
    for (let up = 0; outer?.tagName !== undefined && up < MAX_ANCESTORS; up++, outer = outer.parentNode)
      if (all.has(outer)) return false;
    return true;
  });
}
