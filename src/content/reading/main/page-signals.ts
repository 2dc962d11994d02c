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
    } else {
      const type = attributeOf(element, 'itemtype') ?? attributeOf(element, 'typeof');
      if (type !== null) for (const name of type.trim().split(/\s+/, 5)) addType(name);
    }
  }
  return { types, openGraphType, titles, noscripts, hidden: outermost(hidden) };
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
