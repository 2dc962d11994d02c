import { imageSource } from '../document/image-source.ts';
import { outlineOf } from '../document/outline.ts';
import type { PagePart } from '../document/page-part.ts';
import { attributeOf, type ElementNode, elementsOf, type TreeNode } from '../document/page-tree.ts';
import { absoluteUrl, type ParsedPage, rootElement } from '../document/parsed-page.ts';
import { repeatedItems } from '../document/repeated-items.ts';
import { SelectorWriter } from '../document/short-selector.ts';
import type { StructuredData } from '../reading/structured/structured-data.ts';
import { addFact, addTableFacts, type Fact, type FactGroup, groupsOf, newGroup, rowGroups } from './facts.ts';
import { factOf, firstInside, labelledText, type TextScan, textOf } from './labelled-text.ts';
import { labelKey } from './labels.ts';

/** All that a page says, as far as a schema asks for it. */
export interface PageEvidence {
  /** What the page tells programs, the main things first. */
  readonly groups: readonly FactGroup[];
  /** Lists of things: the rows of each table, and what repeats in the page. */
  readonly lists: () => readonly (readonly FactGroup[])[];
  /** Texts beside labels; tables of names and values. */
  readonly labelled: FactGroup;
  /** What the page says about itself: title, description, Open Graph. */
  readonly about: FactGroup;
  /** Texts of elements that are named, but not for readers. */
  readonly named: FactGroup;
}

/** Lists of items that are compared with the schema. */
const MAX_LISTS = 12;
const MAX_ITEMS = 1000;

/** @param wanted keys of the labels that the schema asks for */
export function pageEvidence(
  page: ParsedPage,
  parts: readonly PagePart[],
  structured: StructuredData,
  wanted: ReadonlySet<string>,
): PageEvidence {
  const labelled = newGroup();
  const named = newGroup();
  addTableFacts(labelled, structured);
  const selectors = new Map<ParsedPage, SelectorWriter>();
  const scanOf = (part: PagePart): TextScan => {
    const known = selectors.get(part.document) ?? new SelectorWriter(part.document.tree);
    selectors.set(part.document, known);
    return { part, wanted, selectors: known };
  };
  for (const part of parts) {
    const found = labelledText(part.selection?.roots ?? [part.document.tree.root], scanOf(part));
    copyFacts(found.labelled, labelled);
    copyFacts(found.named, named);
  }
  return {
    groups: groupsOf(structured),
    lists: () => [...rowGroups(structured), ...parts.flatMap((part) => itemLists(scanOf(part)))],
    labelled,
    about: aboutPage(page, structured, scanOf({ document: page, selection: null }).selectors),
    named,
  };
}

/** Only what a page tells programs. */
export function structuredEvidence(structured: StructuredData): PageEvidence {
  const labelled = newGroup();
  addTableFacts(labelled, structured);
  const about = newGroup();
  addOpenGraph(about, structured);
  return {
    groups: groupsOf(structured),
    lists: () => rowGroups(structured),
    labelled,
    about,
    named: newGroup(),
  };
}

function copyFacts({ facts }: FactGroup, target: FactGroup): void {
  for (const [key, list] of facts) for (const fact of list) addFact(target, key, fact);
}

/** What repeats in a part of the page, the lists with most text first. */
function itemLists(scan: TextScan): (readonly FactGroup[])[] {
  const { document, selection } = scan.part;
  if (document.plainXml) return [];
  const roots = (selection?.roots ?? [rootElement(document.tree)]).filter(
    (root): root is ElementNode => root?.tagName !== undefined,
  );
  return roots.flatMap((root) => {
    const outline = outlineOf(root, false, selection?.excluded ?? new Set());
    return repeatedItems(outline)
      .toSorted((a, b) => b.text - a.text)
      .slice(0, MAX_LISTS)
      .map(({ members }) => members.slice(0, MAX_ITEMS).map((n) => itemGroup(outline.nodes[n]!, scan)));
  });
}

/** What an item of a list says: labelled and named texts, then its title, link, picture and date. */
function itemGroup(item: TreeNode, scan: TextScan): FactGroup {
  const group = newGroup();
  const { labelled, named } = labelledText([item], scan);
  copyFacts(labelled, group);
  copyFacts(named, group);
  const { part, selectors } = scan;
  const { document } = part;
  const textFact = (element: TreeNode): Fact =>
    factOf(element, textOf(element, document.plainXml), part, selectors);
  const link = firstInside(item, (node) => node.tagName === 'a' && attributeOf(node, 'href') !== null);
  const title = firstInside(item, ({ tagName }) => /^h[1-6]$/.test(tagName!)) ?? link;
  if (title !== null && textOf(title, false) !== '') {
    const fact = textFact(title);
    for (const key of ['title', 'name', 'headline']) addFact(group, key, fact);
  }
  const href = link === null ? null : absoluteUrl(attributeOf(link, 'href')!, document.urls.base);
  const at = (element: TreeNode) => () => ({ selector: selectors.of(element) });
  if (link !== null && href !== null)
    addFact(group, 'url', { value: href, url: href, from: 'text', place: at(link) });
  const image = firstInside(item, ({ tagName }) => tagName === 'img');
  const src = image === null ? null : imageSource(image, document.urls.base);
  if (image !== null && src !== null)
    addFact(group, 'image', { value: src, url: src, from: 'text', place: at(image) });
  const time = firstInside(item, ({ tagName }) => tagName === 'time');
  if (time !== null) addFact(group, 'datepublished', textFact(time));
  return group;
}

/** Names of `meta` elements, and what they say in words of schema.org. */
const META_NAMES: Readonly<Record<string, string>> = {
  description: 'description',
  author: 'author',
  keywords: 'keywords',
  date: 'datepublished',
  'dc.date': 'datepublished',
  'dc.creator': 'author',
  'last-modified': 'datemodified',
};
const GRAPH_NAMES: Readonly<Record<string, string>> = {
  publishedtime: 'datepublished',
  modifiedtime: 'datemodified',
  updatedtime: 'datemodified',
  productpriceamount: 'price',
  productpricecurrency: 'pricecurrency',
  articlesection: 'articlesection',
  articletag: 'keywords',
  articleauthor: 'author',
  articlepublishedtime: 'datepublished',
  articlemodifiedtime: 'datemodified',
};

function aboutPage(page: ParsedPage, structured: StructuredData, selectors: SelectorWriter): FactGroup {
  const group = newGroup();
  if (page.plainXml) return group;
  const headings: TreeNode[] = [];
  const head: [key: string, value: string, element: TreeNode][] = [];
  for (const element of elementsOf(page.tree.root)) {
    const { tagName } = element;
    const content = (name: string) => attributeOf(element, name)?.trim() ?? '';
    if (tagName === 'h1') headings.push(element);
    else if (tagName === 'title' && element.namespaceURI?.includes('svg') !== true) {
      const text = element.childNodes?.map(({ value }) => value ?? '').join('') ?? '';
      head.push(['title', text.replace(/\s+/g, ' ').trim(), element]);
    } else if (tagName === 'meta')
      head.push([META_NAMES[content('name').toLowerCase()] ?? '', content('content'), element]);
    else if (tagName === 'html') head.push(['inlanguage', content('lang'), element]);
    else if (tagName === 'link' && content('rel').toLowerCase() === 'canonical')
      head.push(['url', absoluteUrl(content('href'), page.urls.base) ?? '', element]);
  }
  const part = { document: page, selection: null };
  // Several headings of the first level are sections.
  if (headings.length === 1 && textOf(headings[0]!, false) !== '')
    addTitle(group, factOf(headings[0]!, textOf(headings[0]!, false), part, selectors));
  addOpenGraph(group, structured);
  for (const [key, value, element] of head) {
    if (key === '' || value === '') continue;
    const place = () => ({ selector: headSelector(element, selectors) });
    const fact: Fact = { value, from: 'text', place, ...(key === 'url' ? { url: value } : {}) };
    if (key === 'title') addTitle(group, fact);
    else addFact(group, key, fact);
  }
  return group;
}

function headSelector(element: TreeNode, selectors: SelectorWriter): string {
  const name = attributeOf(element, 'name');
  return element.tagName === 'meta' && name !== null
    ? `meta[name=${JSON.stringify(name)}]`
    : selectors.of(element);
}

function addTitle(group: FactGroup, fact: Fact): void {
  for (const key of ['title', 'name', 'headline']) addFact(group, key, fact);
}

function addOpenGraph(group: FactGroup, { open_graph }: StructuredData): void {
  for (const [name, values] of Object.entries(open_graph)) {
    const path = `/open_graph/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    for (const [n, value] of [values].flat().entries()) {
      const place = { path: Array.isArray(values) ? `${path}/${n}` : path };
      const key = labelKey(name);
      const fact: Fact = { value, from: 'og', place };
      if (key === 'title') addTitle(group, fact);
      else addFact(group, GRAPH_NAMES[key] ?? key, fact);
    }
  }
}
