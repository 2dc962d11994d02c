import { imageSource } from '../../document/image-source.ts';
import { attributeOf, type TreeNode } from '../../document/page-tree.ts';
import { absoluteUrl, type ParsedPage } from '../../document/parsed-page.ts';
import { ElementTexts, visitElements } from '../../document/visit-elements.ts';

/** An item as JSON (WHATWG HTML §5.7.1, "converting to JSON"). */
export interface MicrodataItem {
  readonly type: readonly string[];
  readonly id?: string;
  readonly properties: Readonly<Record<string, readonly (string | MicrodataItem)[]>>;
  /** The text of an item without properties, which some pages use for a person or a brand. */
  readonly value?: string;
}

/** A long listing has a few hundred items. */
const MAX_ITEMS = 5000;
const MAX_PROPERTIES = 20_000;
/** Names of one `itemprop`, types of one `itemtype`, ids of one `itemref`. */
const MAX_TOKENS = 20;
/** Elements visited because of `itemref`: each reference visits its element again. */
const MAX_REFERENCED_ELEMENTS = 50_000;
/** Items inside of items. Deeper ones are left out: `itemref` can nest items without end. */
const MAX_ITEM_DEPTH = 20;
/** Limit of all values in the output, in characters: several names and `itemref` repeat a value. */
const MAX_OUTPUT_LENGTH = 3 * 2 ** 20;
/** Properties whose text contains the text of other properties. It limits how often a text is read. */
const MAX_NESTED_TEXTS = 16;

/** Attributes with the value of a property (WHATWG HTML §5.2.4). */
const URL_ATTRIBUTE: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
};
const VALUE_ATTRIBUTE: Readonly<Record<string, string>> = {
  meta: 'content',
  data: 'value',
  meter: 'value',
  time: 'datetime',
};

interface OpenItem {
  readonly element: TreeNode;
  readonly properties: { readonly name: string; readonly value: string | OpenItem }[];
  containsItems: boolean;
}

interface MicrodataState {
  /** The item that properties are added to. */
  readonly item: OpenItem | null;
  /** How many open properties contain this text. */
  readonly texts: number;
}

/** Reads the microdata of a page (WHATWG HTML §5). The properties that `itemref` refers to come after those inside the item. */
export function microdataOf(page: ParsedPage): MicrodataItem[] {
  return new MicrodataReader(page).read();
}

class MicrodataReader {
  readonly #page: ParsedPage;
  readonly #texts: ElementTexts;
  readonly #items = new Map<TreeNode, OpenItem>();
  readonly #topItems: OpenItem[] = [];
  /** The first element of each id that is referred to. */
  readonly #elementsById = new Map<string, TreeNode | null>();
  #propertyCount = 0;
  #referencedCount = 0;
  #outputCount = 0;
  #outputLength = 0;

  constructor(page: ParsedPage) {
    this.#page = page;
    this.#texts = new ElementTexts(page);
  }

  read(): MicrodataItem[] {
    const roots = [this.#page.tree.root];
    visitElements<MicrodataState>(roots, { item: null, texts: 0 }, (element, state) =>
      this.#enter(element, state),
    );
    this.#addReferences();
    return this.#topItems.map((item) => this.#toJson(item, [])).filter((item) => item !== null);
  }

  #enter(element: TreeNode, { item, texts }: MicrodataState): MicrodataState {
    const names = attributeOf(element, 'itemprop');
    const opened = attributeOf(element, 'itemscope') === null ? null : this.#open(element);
    if (opened !== null && names === null) this.#topItems.push(opened);
    if (opened !== null && item !== null) item.containsItems = true;
    const hasText = names !== null && item !== null && opened === null && texts < MAX_NESTED_TEXTS;
    if (names !== null && item !== null && (opened !== null || texts < MAX_NESTED_TEXTS))
      this.#addProperty(item, element, names, opened);
    return { item: opened ?? item, texts: hasText ? texts + 1 : texts };
  }

  #open(element: TreeNode): OpenItem | null {
    const known = this.#items.get(element);
    if (known !== undefined || this.#items.size >= MAX_ITEMS) return known ?? null;
    const item = { element, properties: [], containsItems: false };
    this.#items.set(element, item);
    return item;
  }

  #addProperty(item: OpenItem, element: TreeNode, names: string, nested: OpenItem | null): void {
    const value = nested ?? this.#valueOf(element);
    for (const name of tokensOf(names)) {
      if (++this.#propertyCount > MAX_PROPERTIES) return;
      item.properties.push({ name, value });
    }
  }

  #valueOf(element: TreeNode): string {
    const tag = element.tagName!;
    const urlAttribute = URL_ATTRIBUTE[tag];
    if (urlAttribute !== undefined) {
      const shown = tag === 'img' ? imageSource(element, this.#page.urls.base) : null;
      if (shown !== null) return this.#texts.ofAttribute(shown);
      const url = attributeOf(element, urlAttribute)?.trim() ?? '';
      return this.#texts.ofAttribute(url === '' ? '' : (absoluteUrl(url, this.#page.urls.base) ?? url));
    }
    // Pages also use `content` where the standard does not: what a reader sees and the value then differ.
    const written =
      attributeOf(element, VALUE_ATTRIBUTE[tag] ?? 'content') ?? attributeOf(element, 'content');
    if (written !== null) return this.#texts.ofAttribute(written);
    return tag === 'input' ? this.#texts.ofAttribute(fieldText(element)) : this.#texts.of(element);
  }

  #addReferences(): void {
    const references = new Map<OpenItem, string[]>();
    for (const item of this.#items.values()) {
      const ids = tokensOf(attributeOf(item.element, 'itemref') ?? '');
      if (ids.length === 0) continue;
      references.set(item, ids);
      for (const id of ids) this.#elementsById.set(id, null);
    }
    if (references.size === 0) return;
    visitElements([this.#page.tree.root], true, (element) => {
      const id = attributeOf(element, 'id');
      if (id !== null && this.#elementsById.get(id) === null) this.#elementsById.set(id, element);
      return true;
    });
    for (const [item, ids] of references)
      for (const id of ids) {
        const element = this.#elementsById.get(id);
        if (element) this.#addReferenced(item, element);
      }
  }

  #addReferenced(item: OpenItem, root: TreeNode): void {
    visitElements([root], 0, (element, texts): number | null => {
      if (++this.#referencedCount > MAX_REFERENCED_ELEMENTS) return null;
      const nested = this.#items.get(element) ?? null;
      const names = attributeOf(element, 'itemprop');
      if (names !== null && texts < MAX_NESTED_TEXTS) this.#addProperty(item, element, names, nested);
      return nested === null ? texts + (names === null ? 0 : 1) : null;
    });
  }

  /** @returns null at the limits, and for an item inside of itself */
  #toJson(item: OpenItem, ancestors: readonly OpenItem[]): MicrodataItem | null {
    if (ancestors.length >= MAX_ITEM_DEPTH || ancestors.includes(item)) return null;
    if (++this.#outputCount > MAX_ITEMS) return null;
    // Without a prototype `__proto__` is a name like any other.
    const properties = Object.create(null) as Record<string, (string | MicrodataItem)[]>;
    for (const { name, value } of item.properties) {
      const json = typeof value === 'string' ? value : this.#toJson(value, [...ancestors, item]);
      this.#outputLength += name.length + (typeof value === 'string' ? value.length : 0);
      if (json === null || this.#outputLength > MAX_OUTPUT_LENGTH) continue;
      const values = properties[name];
      if (values === undefined) properties[name] = [json];
      else values.push(json);
    }
    const id = attributeOf(item.element, 'itemid')?.trim();
    const isPlain = item.properties.length === 0 && !item.containsItems;
    const text = isPlain ? this.#texts.of(item.element) : '';
    return {
      type: tokensOf(attributeOf(item.element, 'itemtype') ?? ''),
      ...(id ? { id: absoluteUrl(id, this.#page.urls.base) ?? id } : {}),
      properties,
      ...(text === '' ? {} : { value: text }),
    };
  }
}

/** A form field in the short form that schema.org has for it (potential actions): `required name=q`. */
function fieldText(input: TreeNode): string {
  const name = attributeOf(input, 'name');
  if (name === null) return attributeOf(input, 'value') ?? '';
  return `${attributeOf(input, 'required') === null ? '' : 'required '}name=${name}`;
}

function tokensOf(text: string): string[] {
  const tokens = text.slice(0, 10_000).split(/[ \t\n\f\r]+/);
  return [...new Set(tokens)].filter((token) => token !== '').slice(0, MAX_TOKENS);
}
