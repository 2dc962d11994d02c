import type { PagePart } from '../document/page-part.ts';
import { attributeOf, childrenOf, type TreeNode } from '../document/page-tree.ts';
import { absoluteUrl } from '../document/parsed-page.ts';
import type { SelectorWriter } from '../document/short-selector.ts';
import { displayFor, visibleText } from '../document/visible-text.ts';
import { visitElements } from '../document/visit-elements.ts';
import { addFact, type Fact, type FactGroup, newGroup } from './facts.ts';
import { labelKey } from './labels.ts';

/** A larger element is a part of the page and no label. */
const MAX_SMALL_ELEMENTS = 8;
const MAX_SMALL_LENGTH = 400;
const MAX_VALUE_LENGTH = 5000;
/** Nodes that are visited in search of a link or a date. */
const MAX_VISITED = 100;
const MAX_CHILDREN = 40;
/** Among more siblings the search for the next one would take too long. */
const MAX_SIBLINGS = 2000;
/** Facts of one page. */
const MAX_FACTS = 5000;
const LABEL_AND_VALUE = /^([^:：\n]{1,60})[:：]\s*(\S.*)$/;
const LABEL_END = /^[\s:：–—-]+/;
/** Not read: controls, and links that lead on or sort. */
const SKIPPED: ReadonlySet<string> = new Set(['nav', 'select', 'button', 'option', 'form', 'svg']);
/** A name in one of these names what is below it, or is one of several choices. */
const NO_LABELS: ReadonlySet<string> = new Set(['a', 'li']);
/** Attributes with names that the authors of the page gave to its parts. */
const NAMING = ['class', 'id', 'itemprop', 'data-testid', 'data-field', 'data-name'] as const;
const LINKED: ReadonlySet<string> = new Set(['a', 'area']);

/** The texts of a page that stand beside a label, and those of elements that are named. */
export interface LabelledText {
  /** `Price: 5`, `<dt>Price<dd>5`, `<b>Price</b> 5`. */
  readonly labelled: FactGroup;
  /** `<span class="price">5</span>`: names that readers do not see. */
  readonly named: FactGroup;
}

export interface TextScan {
  readonly part: PagePart;
  /** Keys of the labels to look for. */
  readonly wanted: ReadonlySet<string>;
  readonly selectors: SelectorWriter;
}

/** @param roots elements of the part that are searched */
export function labelledText(
  roots: readonly TreeNode[],
  { part, wanted, selectors }: TextScan,
): LabelledText {
  const found: LabelledText = { labelled: newGroup(), named: newGroup() };
  const { document } = part;
  const excluded = part.selection?.excluded;
  let remaining = MAX_FACTS;
  const last = new Map<string, TreeNode>();
  const add = (group: FactGroup, key: string, element: TreeNode, text: string) => {
    if (text === '' || remaining-- <= 0) return;
    const before = group === found.labelled ? last.get(key) : undefined;
    // The same label again, in an element inside: the inner one is more exact.
    if (before !== undefined && isInside(element, before)) group.facts.get(key)!.pop();
    if (group === found.labelled) last.set(key, element);
    addFact(group, key, factOf(element, text, part, selectors));
  };
  visitElements<true>(roots, true, (element) => {
    if (remaining <= 0 || SKIPPED.has(element.tagName!) || excluded?.has(element)) return null;
    if (displayFor(element, document.plainXml) === 'none') return null;
    const names = namesOf(element).filter((key) => wanted.has(key));
    if (names.length > 0) {
      const text = textOf(element, document.plainXml);
      for (const key of names) add(found.named, key, element, text);
    }
    if (!isSmall(element)) return true;
    const text = textOf(element, document.plainXml);
    if (text === '' || text.length > MAX_SMALL_LENGTH) return true;
    for (const line of text.split('\n')) {
      const match = LABEL_AND_VALUE.exec(line.trim());
      const key = match === null ? '' : labelKey(match[1]!);
      if (wanted.has(key)) add(found.labelled, key, element, match![2]!.trim());
    }
    const key = labelKey(text);
    if (!wanted.has(key) || NO_LABELS.has(element.tagName!)) return true;
    const value = valueAfter(element);
    if (value === null) return true;
    const told = value.tagName === undefined ? (value.value ?? '') : textOf(value, document.plainXml);
    // A row of labels is the head of a table.
    if (!wanted.has(labelKey(told)))
      add(
        found.labelled,
        key,
        value.tagName === undefined ? element.parentNode! : value,
        told.replace(LABEL_END, '').trim(),
      );
    return true;
  });
  return found;
}

/** An element's text as a fact, with what it links to and its date for machines. */
export function factOf(
  element: TreeNode,
  text: string,
  { document }: PagePart,
  selectors: SelectorWriter,
): Fact {
  const link = firstInside(element, ({ tagName }) => LINKED.has(tagName!));
  const href = link === null ? null : attributeOf(link, 'href');
  const url = href === null ? null : absoluteUrl(href, document.urls.base);
  const time = firstInside(element, ({ tagName }) => tagName === 'time');
  const date = time === null ? null : attributeOf(time, 'datetime');
  return {
    value: text.length > MAX_VALUE_LENGTH ? text.slice(0, MAX_VALUE_LENGTH) : text,
    from: 'text',
    place: () => ({ selector: selectors.of(element) }),
    ...(url === null ? {} : { url }),
    ...(date === null ? {} : { date }),
  };
}

/** The trimmed text of an element. What an element only has for machines counts if it shows nothing. */
export function textOf(element: TreeNode, xml: boolean): string {
  const { text } = visibleText(element, xml, MAX_VALUE_LENGTH);
  return text.trim().replace(/[ \t\u00a0]+/g, ' ');
}

/** The first such element: the element itself, or one of a few inside. */
export function firstInside(element: TreeNode, matches: (node: TreeNode) => boolean): TreeNode | null {
  const open = [element];
  for (let visited = 0; open.length > 0 && visited < MAX_VISITED; visited++) {
    const node = open.pop()!;
    if (node.tagName !== undefined && matches(node)) return node;
    open.push(...childrenOf(node).slice(0, MAX_CHILDREN).reverse());
  }
  return null;
}

function isSmall(element: TreeNode): boolean {
  const open = [element];
  let count = 0;
  let length = 0;
  while (open.length > 0) {
    const node = open.pop()!;
    if (node.value !== undefined) length += node.value.length;
    if (++count > 4 * MAX_SMALL_ELEMENTS || length > 4 * MAX_SMALL_LENGTH) return false;
    const children = childrenOf(node);
    if (children.length > MAX_CHILDREN) return false;
    open.push(...children);
  }
  return true;
}

/** What follows a label: the next sibling, else that of its parent. */
function valueAfter(label: TreeNode): TreeNode | null {
  let node = label;
  for (let level = 0; level < 2; level++) {
    const parent: TreeNode | null | undefined = node.parentNode;
    // The parent of a document is undefined.
    if (parent === null || parent === undefined) return null;
    const siblings = childrenOf(parent);
    if (siblings.length > MAX_SIBLINGS) return null;
    const next = siblings.slice(siblings.indexOf(node) + 1).find(hasText);
    if (next !== undefined) return isLabelToo(label, next) ? null : next;
    if (siblings.filter(hasText).length > 1) return null;
    node = parent;
  }
  return null;
}

const hasText = ({ tagName, value }: TreeNode): boolean =>
  tagName !== undefined || (value !== undefined && value.replace(LABEL_END, '').trim() !== '');

const isLabelToo = ({ tagName }: TreeNode, next: TreeNode): boolean =>
  next.tagName === tagName && (tagName === 'th' || tagName === 'dt' || /^h[1-6]$/.test(tagName!));

/** Whether an element is this one, or inside of it. */
function isInside(element: TreeNode, outer: TreeNode): boolean {
  let node: TreeNode | null = element;
  for (let level = 0; node != null && level <= MAX_SMALL_ELEMENTS; level++) {
    if (node === outer) return true;
    node = node.parentNode;
  }
  return false;
}

function namesOf(element: TreeNode): readonly string[] {
  if (element.attrs === undefined || element.attrs.length === 0) return [];
  const keys = new Set<string>();
  for (const name of NAMING) {
    const value = attributeOf(element, name);
    if (value !== null && value.length <= 400)
      for (const word of value.split(/\s+/)) keys.add(labelKey(word));
  }
  return [...keys];
}
