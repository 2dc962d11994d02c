import { runWithTimeLimit } from '../../base/time-limit.ts';
import { type CallerRegex, compileRegex } from '../../domain/caller-regex.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { ExtractOutput, ExtractRule } from '../../domain/page-action.ts';
import type { RuleResult } from '../../domain/reading.ts';
import { compileSelector } from '../document/css-selector.ts';
import { tableOf } from '../document/data-tables.ts';
import { attributeOf, type TreeNode } from '../document/page-tree.ts';
import { absoluteUrl, type ParsedPage } from '../document/parsed-page.ts';
import { serializeElement } from '../document/serialize.ts';
import { visibleText } from '../document/visible-text.ts';
import { isAttribute, type XPathNode } from '../xpath/node-index.ts';
import { nodeText } from '../xpath/values.ts';
import { XPathSearch } from '../xpath/xpath.ts';
import { transformValue } from './transform-value.ts';

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

/** Finds what a selector selects for a context: elements, or with XPath also other nodes and values. */
type Search = (context: TreeNode, onlyFirst: boolean) => readonly Selected[];
type Selected = XPathNode | string | number | boolean;

interface SearchedDocument {
  readonly page: ParsedPage;
  /** By language and selector. */
  readonly searches: Map<string, Search>;
  /** Made for the first XPath. */
  xpath: XPathSearch | null;
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
  readonly #regexes = new Map<string, CallerRegex>();
  /** By pointer: whether the rule has found anything so far. */
  readonly #results = new Map<string, boolean>();

  /** @param maxCharacters of all values together; a longer result throws `ResultTooLargeError` */
  constructor(page: ParsedPage, maxCharacters: number) {
    this.#documents = [page, ...page.frames].map((document) => ({
      page: document,
      searches: new Map(),
      xpath: null,
    }));
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
      if (!done) {
        this.#remainingCharacters = before;
        this.#forget(rule);
      }
    }
  }

  /** What the rules that were applied have found, without those whose `apply` threw. */
  results(): readonly RuleResult[] {
    return Array.from(this.#results, ([pointer, found]) => ({ pointer, found }));
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

  #forget({ pointer, output }: ExtractRule): void {
    this.#results.delete(pointer);
    if (output.kind === 'rules') for (const nested of output.rules) this.#forget(nested);
  }

  #value(rule: ExtractRule, context: TreeNode): unknown {
    const value = this.#valueForContext(rule, context);
    const found = Array.isArray(value) ? value.length > 0 : value !== null;
    this.#results.set(rule.pointer, found || this.#results.get(rule.pointer) === true);
    return value;
  }

  /**
   * The value of one rule for a context, which is the document or a matched element: a text, an object of values, or null
   * if nothing matches. With `list` a list of texts or objects, which may be empty.
   */
  #valueForContext(rule: ExtractRule, context: TreeNode): unknown {
    const { selector, list, regex, transform } = rule;
    // Only what an expression or a transformation finds nothing in is passed over for the next match.
    const onlyFirst = !list && regex === null && transform === null;
    const selected = selector === null ? [context] : this.#compiledSearch(rule)(context, onlyFirst);
    const values: unknown[] = [];
    for (const one of selected) {
      for (const value of this.#valuesOf(rule, one)) {
        if (!list) return value;
        values.push(value);
      }
      if (onlyFirst) return null;
    }
    return list ? values : null;
  }

  /** The values that a rule finds in one match. */
  *#valuesOf(rule: ExtractRule, selected: Selected): Generator<unknown> {
    const { regex, transform } = rule;
    const before = this.#remainingCharacters;
    const output = this.#output(rule.output, selected);
    if (output === null) return;
    if (regex === null && transform === null) {
      yield output;
      return;
    }
    // Only the values count, not the text in which they are found.
    this.#remainingCharacters = before;
    for (const text of regex === null ? [String(output)] : this.#found(regex, String(output))) {
      const value = transform === null ? text : transformValue(transform, text, this.#document.page);
      if (value === null) continue;
      this.#count(VALUE_OVERHEAD + String(value).length);
      yield value;
    }
  }

  *#found(source: string, text: string): Generator<string> {
    let regex = this.#regexes.get(source);
    if (regex === undefined) {
      const compiled = compileRegex(source, '');
      if (isFailure(compiled)) throw new Error(compiled.message);
      regex = compiled;
      this.#regexes.set(source, regex);
    }
    for (const match of regex.matches(text)) yield match.group ?? match.text;
  }

  #output(output: ExtractOutput, selected: Selected): unknown {
    this.#count(VALUE_OVERHEAD);
    // Only elements have HTML, attributes, tables and descendants.
    if (!isElement(selected)) return output.kind === 'text' ? this.#text(selected) : null;
    switch (output.kind) {
      case 'text':
        return this.#visibleText(selected);
      case 'html': {
        const markup = serializeElement(selected, this.#document.page.tree, this.#remainingCharacters);
        if (markup === null) throw new ResultTooLargeError();
        this.#count(markup.length);
        return markup;
      }
      case 'attribute':
        return this.#attribute(selected, output.name);
      case 'attributes':
        return this.#object(output.names, (name) => [name, this.#attribute(selected, name)]);
      case 'table': {
        const table = tableOf(this.#document.page, selected);
        this.#count(JSON.stringify(table).length);
        return table;
      }
      case 'rules':
        return this.#object(output.rules, (rule) => [rule.name, this.#value(rule, selected)]);
    }
  }

  #object<T>(members: readonly T[], member: (of: T) => readonly [name: string, value: unknown]): object {
    // Without a prototype `__proto__` is a name like any other.
    const object = Object.create(null) as Record<string, unknown>;
    for (const of of members) {
      const [name, value] = member(of);
      this.#count(name.length);
      object[name] = value;
    }
    return object;
  }

  #visibleText(element: TreeNode): string {
    const { plainXml } = this.#document.page;
    const { text, truncated } = visibleText(element, plainXml, this.#remainingCharacters + 1);
    if (truncated) throw new ResultTooLargeError();
    const trimmed = text.trim();
    this.#count(trimmed.length);
    return trimmed;
  }

  /** The value of an attribute or a text that an XPath selected, or the value that it computed. */
  #text(selected: Selected): string | number | boolean {
    if (typeof selected === 'number' || typeof selected === 'boolean') return selected;
    const text =
      typeof selected === 'string'
        ? selected
        : isAttribute(selected)
          ? this.#absolute(selected.attribute.name, selected.attribute.value)
          : nodeText(selected).trim();
    this.#count(text.length);
    return text;
  }

  #attribute(element: TreeNode, nameInRule: string): string | null {
    const name = this.#document.page.tree.xml ? nameInRule : nameInRule.toLowerCase();
    const written = attributeOf(element, name) ?? attributeOf(element, nameInRule);
    if (written === null) return null;
    const value = this.#absolute(name, written);
    this.#count(value.length);
    return value;
  }

  /** The value of an attribute, as an absolute URL if it is one. */
  #absolute(name: string, value: string): string {
    return URL_ATTRIBUTES.has(name) ? (absoluteUrl(value, this.#document.page.urls.base) ?? value) : value;
  }

  #compiledSearch({ selector, language }: ExtractRule): Search {
    const document = this.#document;
    const key = `${language}=${selector}`;
    let search = document.searches.get(key);
    if (search === undefined) {
      search = language === 'css' ? cssSearch(document, selector!) : xpathSearch(document, selector!);
      document.searches.set(key, search);
    }
    return search;
  }

  #count(characters: number): void {
    this.#remainingCharacters -= characters;
    if (this.#remainingCharacters < 0) throw new ResultTooLargeError();
  }
}

const isElement = (selected: Selected): selected is TreeNode =>
  typeof selected === 'object' && !isAttribute(selected) && selected.childNodes !== undefined;

function cssSearch({ page }: SearchedDocument, css: string): Search {
  const compiled = compileSelector(page.tree, css);
  return (context, onlyFirst) => {
    if (!onlyFirst) return compiled.all(context);
    const element = compiled.first(context);
    return element === null ? [] : [element];
  };
}

function xpathSearch(document: SearchedDocument, xpath: string): Search {
  document.xpath ??= new XPathSearch(document.page.tree);
  const select = document.xpath.compile(xpath);
  return (context) => {
    const selected = select(context);
    if (typeof selected === 'object') return selected;
    // The text of nothing is empty: `string(//h1)` without a heading.
    return selected === '' ? [] : [selected];
  };
}

interface ExtractResult {
  /** Name → value; null if the rule failed. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly Failure[];
  readonly results: readonly RuleResult[];
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
  return { values, failures, results: extractor.results() };
}
