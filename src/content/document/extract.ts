import { type Failure, failure } from '../../domain/failure.ts';
import type { ExtractOutput, ExtractRule } from '../../domain/page-action.ts';
import { runWithTimeLimit } from '../time-limit.ts';
import { compileSelector, type PageSelector } from './css-selector.ts';
import { attributeOf, type TreeNode } from './page-tree.ts';
import { absoluteUrl, type ParsedPage } from './parsed-page.ts';
import { serializeElement } from './serialize.ts';
import { visibleText } from './visible-text.ts';

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
const VALUE_OVERHEAD = 16;

interface SearchedDocument {
  readonly facts: ParsedPage;
  readonly selectors: Map<string, PageSelector>;
}

/** The result is larger than is allowed. */
class ResultTooLargeError extends Error {}

/**
 * Extracts by rules from one page: `extract` of the options and the page action. Neither limited in time nor safe from deep
 * selectors: that is the caller's business.
 */
class Extractor {
  readonly #documents: readonly SearchedDocument[];
  /** That in which the rule looks now. */
  #at: SearchedDocument;
  #left: number;

  /** @param most characters of all values together; one more throws `ResultTooLargeError` */
  constructor(facts: ParsedPage, most: number) {
    this.#documents = [facts, ...facts.frames].map((one) => ({ facts: one, selectors: new Map() }));
    this.#at = this.#documents[0]!;
    this.#left = most;
  }

  /** One rule for the whole page: its document, and then those in its frames. When it fails, what it had made counts no longer. */
  apply(rule: ExtractRule): unknown {
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

  #in(document: SearchedDocument, rule: ExtractRule): unknown {
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
    this.#take(VALUE_OVERHEAD);
    const { tree, plainXml } = this.#at.facts;
    switch (output.kind) {
      case 'text': {
        const { text, truncated } = visibleText(element, plainXml, this.#left + 1);
        if (truncated) throw new ResultTooLargeError();
        const trimmed = text.trim();
        this.#take(trimmed.length);
        return trimmed;
      }
      case 'html': {
        const markup = serializeElement(element, tree, this.#left);
        if (markup === null) throw new ResultTooLargeError();
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
      known = compileSelector(facts.tree, css);
      selectors.set(css, known);
    }
    return known;
  }

  #take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new ResultTooLargeError();
  }
}

interface ExtractResult {
  /** Name → value; null for what failed. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly Failure[];
}

/** All values of one page together. */
const MAX_CHARACTERS = 5 * 2 ** 20;

/**
 * Every rule on its own, so that one that is too much for this page does not cost the others.
 * @param remaining milliseconds that are left for all of it
 */
export function extractAll(
  rules: readonly ExtractRule[],
  facts: ParsedPage,
  remaining: () => number,
): ExtractResult {
  const extraction = new Extractor(facts, MAX_CHARACTERS);
  const values = Object.create(null) as Record<string, unknown>;
  const failures: Failure[] = [];
  for (const [at, rule] of rules.entries()) {
    let why: string | null = null;
    try {
      // One that never ends leaves time for those after it.
      const ms = at === rules.length - 1 ? remaining() : remaining() / 2;
      const result = ms < 1 ? null : runWithTimeLimit(ms, () => extraction.apply(rule));
      if (result === null) why = 'took too long on this page';
      else values[rule.name] = result.value;
    } catch (error) {
      if (error instanceof ResultTooLargeError)
        why = `exceeds what is left of ${MAX_CHARACTERS} characters for all rules`;
      else if (error instanceof RangeError) why = 'cannot be applied to a page that is nested so deeply';
      else throw error;
    }
    if (why === null) continue;
    values[rule.name] = null;
    failures.push(failure('extract.failed', `The rule ${why}.`, { pointer: rule.pointer }));
  }
  return { values, failures };
}
