import { type Failure, failure } from '../../domain/failure.ts';
import type { ExtractOutput, ExtractRule } from '../../domain/page-action.ts';
import { runWithTimeLimit } from '../time-limit.ts';
import { compileSelector, type PageSelector } from './css-selector.ts';
import { attributeOf, type TreeNode } from './page-tree.ts';
import { absoluteUrl, type ParsedPage } from './parsed-page.ts';
import { serializeElement } from './serialize.ts';
import { visibleText } from './visible-text.ts';

/** Attributes with URLs. Their values are made absolute, like the DOM properties of the same names. */
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
/** Characters that each value counts in addition to its own: punctuation and name in JSON. */
const VALUE_OVERHEAD = 16;

interface SearchedDocument {
  readonly page: ParsedPage;
  readonly selectors: Map<string, PageSelector>;
}

/** The result is larger than the limit. */
class ResultTooLargeError extends Error {}

/**
 * Applies rules to one page: those of the option `extract`, and of the page action. The caller must limit the time, and
 * handle the RangeError of a page that is nested too deeply.
 */
class Extractor {
  readonly #documents: readonly SearchedDocument[];
  /** The document that the current rule searches. */
  #document: SearchedDocument;
  #remainingCharacters: number;

  /** @param maxCharacters of all values together; a longer result throws `ResultTooLargeError` */
  constructor(page: ParsedPage, maxCharacters: number) {
    this.#documents = [page, ...page.frames].map((document) => ({ page: document, selectors: new Map() }));
    this.#document = this.#documents[0]!;
    this.#remainingCharacters = maxCharacters;
  }

  /** Applies one rule to the document and then to its frames. If it throws, its values do not count towards the limit. */
  apply(rule: ExtractRule): unknown {
    const before = this.#remainingCharacters;
    let done = false;
    try {
      const value = rule.list ? this.#valuesOfAllDocuments(rule) : this.#firstValue(rule);
      done = true;
      return value;
    } finally {
      if (!done) this.#remainingCharacters = before;
    }
  }

  #firstValue(rule: ExtractRule): unknown {
    for (const document of this.#documents) {
      const value = this.#valueIn(document, rule);
      if (value !== null) return value;
    }
    return null;
  }

  #valuesOfAllDocuments(rule: ExtractRule): unknown {
    return this.#documents.flatMap((document) => this.#valueIn(document, rule));
  }

  #valueIn(document: SearchedDocument, rule: ExtractRule): unknown {
    this.#document = document;
    return this.#value(rule, document.page.tree.root);
  }

  /**
   * The value of one rule for a context, which is the document or a matched element: a text, an object of values, or null
   * if nothing matches. With `list` a list of texts or objects, which may be empty.
   */
  #value(rule: ExtractRule, context: TreeNode): unknown {
    const { selector, list, output } = rule;
    if (selector === null) {
      const value = this.#output(output, context);
      if (!list) return value;
      return value === null ? [] : [value];
    }
    const search = this.#compiledSelector(selector);
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
    this.#count(VALUE_OVERHEAD);
    const { tree, plainXml } = this.#document.page;
    switch (output.kind) {
      case 'text': {
        const { text, truncated } = visibleText(element, plainXml, this.#remainingCharacters + 1);
        if (truncated) throw new ResultTooLargeError();
        const trimmed = text.trim();
        this.#count(trimmed.length);
        return trimmed;
      }
      case 'html': {
        const markup = serializeElement(element, tree, this.#remainingCharacters);
        if (markup === null) throw new ResultTooLargeError();
        this.#count(markup.length);
        return markup;
      }
      case 'attribute':
        return this.#attribute(element, output.name);
      case 'rules': {
        // Without a prototype `__proto__` is a name like any other.
        const object = Object.create(null) as Record<string, unknown>;
        for (const rule of output.rules) {
          this.#count(rule.name.length);
          object[rule.name] = this.#value(rule, element);
        }
        return object;
      }
    }
  }

  #attribute(element: TreeNode, nameInRule: string): string | null {
    const { tree, urls } = this.#document.page;
    const name = tree.xml ? nameInRule : nameInRule.toLowerCase();
    const written = attributeOf(element, name) ?? attributeOf(element, nameInRule);
    if (written === null) return null;
    const value = URL_ATTRIBUTES.has(name) ? (absoluteUrl(written, urls.base) ?? written) : written;
    this.#count(value.length);
    return value;
  }

  #compiledSelector(css: string): PageSelector {
    const { page, selectors } = this.#document;
    let compiled = selectors.get(css);
    if (compiled === undefined) {
      compiled = compileSelector(page.tree, css);
      selectors.set(css, compiled);
    }
    return compiled;
  }

  #count(characters: number): void {
    this.#remainingCharacters -= characters;
    if (this.#remainingCharacters < 0) throw new ResultTooLargeError();
  }
}

interface ExtractResult {
  /** Name → value; null if the rule failed. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly Failure[];
}

/** Limit of all values of one page together. */
const MAX_CHARACTERS = 5 * 2 ** 20;

/**
 * Applies each rule on its own, so that a rule that fails on this page does not affect the others.
 * @param remainingMs milliseconds left for all rules
 */
export function extractAll(
  rules: readonly ExtractRule[],
  page: ParsedPage,
  remainingMs: () => number,
): ExtractResult {
  const extractor = new Extractor(page, MAX_CHARACTERS);
  const values = Object.create(null) as Record<string, unknown>;
  const failures: Failure[] = [];
  for (const [index, rule] of rules.entries()) {
    let problem: string | null = null;
    try {
      // Half of the time, so that a rule that never ends leaves some for the rules after it.
      const ms = index === rules.length - 1 ? remainingMs() : remainingMs() / 2;
      const result = ms < 1 ? null : runWithTimeLimit(ms, () => extractor.apply(rule));
      if (result === null) problem = 'took too long on this page';
      else values[rule.name] = result.value;
    } catch (error) {
      if (error instanceof ResultTooLargeError)
        problem = `exceeds what is left of ${MAX_CHARACTERS} characters for all rules`;
      else if (error instanceof RangeError) problem = 'cannot be applied to a page that is nested so deeply';
      else throw error;
    }
    if (problem === null) continue;
    values[rule.name] = null;
    failures.push(failure('extract.failed', `The rule ${problem}.`, { pointer: rule.pointer }));
  }
  return { values, failures };
}
