import type { ExtractOutput, ExtractRule } from '../../domain/extract-rule.ts';
import { type PageSelector, pageSelector } from '../css-selector.ts';
import type { PageFacts } from '../formats/page-facts.ts';
import { absoluteUrl } from '../formats/page-urls.ts';
import { outerMarkup } from '../formats/serialise.ts';
import { visibleText } from '../formats/visible-text.ts';
import { attributeOf } from '../formats/walk-tree.ts';
import type { TreeNode } from '../page-tree.ts';

/** Values of these are URLs, and are given as browsers give the property of that name: absolute. */
const URL_ATTRIBUTES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'cite',
  'data',
  'xlink:href',
]);
/** So much a value counts beside its characters: punctuation, name. */
const EACH = 16;

interface Document {
  readonly facts: PageFacts;
  readonly selectors: Map<string, PageSelector>;
}

/** The result is larger than is allowed. */
export class TooLarge extends Error {}

/**
 * Extracts by rules from one page: `extract` of the options and the page action. Neither limited in time nor safe from deep
 * selectors: that is the caller's business.
 */
export class Extraction {
  readonly #documents: readonly Document[];
  /** That in which the rule looks now. */
  #at: Document;
  #left: number;

  /** @param most characters of all values together; one more throws `TooLarge` */
  constructor(facts: PageFacts, most: number) {
    this.#documents = [facts, ...facts.frames].map((one) => ({ facts: one, selectors: new Map() }));
    this.#at = this.#documents[0]!;
    this.#left = most;
  }

  /** One rule for the whole page: its document, and then those in its frames. When it fails, what it had made counts no longer. */
  whole(rule: ExtractRule): unknown {
    const before = this.#left;
    let done = false;
    try {
      const value = rule.list ? this.#inAll(rule) : this.#inFirst(rule);
      done = true;
      return value;
    } finally {
      if (!done) this.#left = before;
    }
  }

  #inFirst(rule: ExtractRule): unknown {
    for (const document of this.#documents) {
      const value = this.#in(document, rule);
      if (value !== null) return value;
    }
    return null;
  }

  #inAll(rule: ExtractRule): unknown {
    return this.#documents.flatMap((document) => this.#in(document, rule));
  }

  #in(document: Document, rule: ExtractRule): unknown {
    this.#at = document;
    return this.#value(rule, document.facts.tree.root);
  }

  /**
   * The value of one rule for a context (the document, or a matched element): a text, an object of values, a list of
   * these, or null for what is not there. A list has only what is there: it may be empty.
   */
  #value(rule: ExtractRule, context: TreeNode): unknown {
    const { selector, list, output } = rule;
    if (selector === null) {
      const value = this.#output(output, context);
      return list ? [value].filter((one) => one !== null) : value;
    }
    const search = this.#selector(selector);
    if (!list) {
      const element = search.first(context);
      return element === null ? null : this.#output(output, element);
    }
    const values: unknown[] = [];
    for (const element of search.all(context)) {
      const value = this.#output(output, element);
      if (value !== null) values.push(value);
    }
    return values;
  }

  #output(output: ExtractOutput, element: TreeNode): unknown {
    this.#take(EACH);
    const { tree, plainXml } = this.#at.facts;
    switch (output.kind) {
      case 'text': {
        const { text, cut } = visibleText(element, plainXml, this.#left + 1);
        if (cut) throw new TooLarge();
        const trimmed = text.trim();
        this.#take(trimmed.length);
        return trimmed;
      }
      case 'html': {
        const markup = outerMarkup(element, tree, this.#left);
        if (markup === null) throw new TooLarge();
        this.#take(markup.length);
        return markup;
      }
      case 'attribute':
        return this.#attribute(element, output.name);
      case 'rules': {
        // Without a prototype `__proto__` is a name like any other.
        const object = Object.create(null) as Record<string, unknown>;
        for (const rule of output.rules) {
          this.#take(rule.name.length);
          object[rule.name] = this.#value(rule, element);
        }
        return object;
      }
    }
  }

  #attribute(element: TreeNode, asked: string): string | null {
    const { tree, urls } = this.#at.facts;
    const name = tree.xml ? asked : asked.toLowerCase();
    const written = attributeOf(element, name) ?? attributeOf(element, asked);
    if (written === null) return null;
    const value = URL_ATTRIBUTES.has(name) ? (absoluteUrl(written, urls.base) ?? written) : written;
    this.#take(value.length);
    return value;
  }

  #selector(css: string): PageSelector {
    const { facts, selectors } = this.#at;
    let known = selectors.get(css);
    if (known === undefined) {
      known = pageSelector(facts.tree, css);
      selectors.set(css, known);
    }
    return known;
  }

  #take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TooLarge();
  }
}
