import { createRequire } from 'node:module';
import type * as CssSelect from 'css-select';
import type * as CssWhat from 'css-what';
import { runWithTimeLimit } from '../../base/time-limit.ts';
import {
  childrenOf,
  type ElementNode,
  isForeign,
  localName,
  type PageTree,
  parentOf,
  type TreeAttribute,
  type TreeNode,
} from './page-tree.ts';
import { PSEUDO_CLASSES } from './pseudo-classes.ts';

const MAX_LENGTH = 2000;
const MAX_DEPTH = 10;
const loadPackage = createRequire(import.meta.url);

type Adapter = NonNullable<CssSelect.Options<TreeNode, ElementNode>['adapter']>;

const NAME_START = /[\w\\-]|[^\x00-\x7f]/;
const NO_NODES: TreeNode[] = [];

const adapter: Adapter = {
  isTag: (node): node is ElementNode => node.tagName !== undefined,
  getAttributeValue: (element, name) => findAttribute(element, name)?.value,
  hasAttrib: (element, name) => findAttribute(element, name) !== undefined,
  getChildren: childrenOf,
  getName: localName,
  getParent: parentOf,
  getSiblings: (node) => node.parentNode?.childNodes ?? [node],
  getText: nodeText,
  removeSubsets: (nodes) =>
    nodes.filter((node) => !nodes.some((other) => other !== node && isAncestor(other, node))),
};

/** @param name lower-case in HTML, although attributes of SVG have capitals (`viewBox`) */
function findAttribute(element: TreeNode, name: string): TreeAttribute | undefined {
  const found = element.attrs?.find((attr) => attr.name === name);
  if (found !== undefined || !isForeign(element)) return found;
  return element.attrs?.find((attr) => attr.name.toLowerCase() === name);
}

function nodeText(node: TreeNode): string {
  if (node.value !== undefined) return node.value;
  let text = '';
  for (const child of node.childNodes ?? NO_NODES) text += nodeText(child);
  return text;
}

function isAncestor(outer: TreeNode, node: TreeNode): boolean {
  for (let parent = node.parentNode; parent !== null; parent = parent.parentNode)
    if (parent === outer) return true;
  return false;
}

/**
 * Our pseudo-classes, under names that cannot occur in a selector: css-select ignores a pseudo-class in its options if it
 * has one of the same name.
 */
const OWN_PREFIX = 'own ';
const OWN_PSEUDOS = Object.fromEntries(
  Object.entries(PSEUDO_CLASSES).map(([name, matches]) => [OWN_PREFIX + name, matches]),
);

const CHILD = { type: 'child' } as CssWhat.Traversal;
const DESCENDANT = { type: 'descendant' } as CssWhat.Traversal;
const ANY = { type: 'universal', namespace: null } as CssWhat.UniversalSelector;
const COMBINATORS = new Set<string>(['adjacent', 'child', 'descendant', 'sibling', 'column-combinator']);
const FUNCTIONS_OF_SELECTORS = new Set(['is', 'where', 'matches', 'not']);

const isCombinator = ({ type }: CssWhat.Selector) => COMBINATORS.has(type);

/**
 * Parses a selector for css-select. Throws if css-select would understand it differently from browsers.
 * @returns a tree for one compilation only, because compiling changes it
 */
function parseSelector(css: string): CssWhat.Selector[][] {
  const { parse } = loadPackage('css-what') as typeof CssWhat;
  const list = parse(css);
  for (const selector of list) adaptSelector(selector, { inHas: false });
  return list;
}

/**
 * Replaces pseudo-classes by ours, and throws on selectors that css-select would understand differently.
 * @param inHas the selector is an argument of `:has()`
 */
function adaptSelector(selector: CssWhat.Selector[], { inHas }: { readonly inHas: boolean }): void {
  for (const [index, token] of selector.entries()) {
    const before = selector[index - 1];
    if ((token.type === 'tag' || token.type === 'universal') && before !== undefined && !isCombinator(before))
      throw new Error(
        'A name of an element, or `*`, must be the beginning of a compound selector (such as `[class*="ads"]` for a part of a class)',
      );
    if (token.type === 'parent') throw new Error('"<" is not a CSS combinator');
    if (token.type !== 'pseudo') continue;
    const { name, data } = token;
    // css-select looks names up in plain objects, where it would find `constructor`.
    if (name in {}) throw new Error(`Unknown pseudo-class :${name}`);
    if (name in PSEUDO_CLASSES && data === null) token.name = OWN_PREFIX + name;
    if (inHas && name === 'scope')
      throw new Error(
        '":scope" in ":has()" is not supported; ":has(> a)" looks at the children of the element',
      );
    if (inHas && name === 'has') throw new Error('":has()" is not allowed inside ":has()"');
    if (!Array.isArray(data)) continue;
    if (inHas && FUNCTIONS_OF_SELECTORS.has(name) && data.some((argument) => argument.some(isCombinator)))
      throw new Error(`":${name}()" with combinators is not supported in ":has()"`);
    for (const argument of data) adaptSelector(argument, { inHas: inHas || name === 'has' });
    if (name === 'has') token.data = data.flatMap(expandHas);
  }
}

/** Turns `:has(a b)` into `:has(> a b, > * a b)`, because css-select would also accept the element itself as `a`. */
function expandHas(selector: CssWhat.Selector[]): CssWhat.Selector[][] {
  if (isCombinator(selector[0]!) || !selector.some(isCombinator)) return [selector];
  return [
    [CHILD, ...selector],
    [CHILD, ANY, DESCENDANT, ...structuredClone(selector)],
  ];
}

/** Compiling takes well under 1 ms, but the first call also compiles css-select itself, perhaps on a busy machine. */
const COMPILE_MS = 1_000;

/** Results by selector: callers send the same few selectors again and again. */
const knownProblems = new Map<string, string | null>();
const MAX_KNOWN_PROBLEMS = 500;

/** What is wrong with a CSS selector, as a message for the caller; null if it can be used. */
export function selectorProblem(css: string): string | null {
  if (css.length > MAX_LENGTH)
    return `a selector has at most ${MAX_LENGTH} characters, this one has ${css.length}`;
  const known = knownProblems.get(css);
  if (known !== undefined) return known;
  const problem = compileProblem(css);
  if (knownProblems.size >= MAX_KNOWN_PROBLEMS) knownProblems.clear();
  knownProblems.set(css, problem);
  return problem;
}

function compileProblem(css: string): string | null {
  const problem = syntaxProblem(css);
  if (problem !== null) return problem;
  try {
    const { compile } = loadPackage('css-select') as typeof CssSelect;
    const options = optionsFor({ xml: false, quirks: false });
    const compiled = runWithTimeLimit(COMPILE_MS, () => compile(parseSelector(css), options));
    return compiled === null ? 'the selector takes too long to read' : null;
  } catch (error) {
    return error instanceof RangeError ? 'the selector is nested too deeply' : problemMessage(error as Error);
  }
}

/** Improves a message of css-select: it names the package, and quotes the rest of the selector, which may be empty. */
function problemMessage({ message }: Error): string {
  return message.replace(/ by css-select$/, '').replace(/ found $/, ' found its end');
}

/**
 * Finds mistakes that css-select accepts: an empty selector, a combinator at the end, invalid characters, a missing name.
 * Also a combinator at the beginning, for which its message would be unclear.
 */
function syntaxProblem(css: string): string | null {
  let open = 0;
  let brackets = 0;
  let quote = '';
  let last = '';
  for (let n = 0; n < css.length; n++) {
    const char = css[n]!;
    if (char === '\\') n++;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[') brackets++;
    else if (char === ']') brackets--;
    else if (char === '(' && ++open > MAX_DEPTH) return `at most ${MAX_DEPTH} parentheses may be nested`;
    else if (char === ')') open--;
    else if (brackets === 0 && open === 0 && '=@{};/!$%^&?<'.includes(char)) {
      return `"${char}" is not allowed at character ${n + 1} of a selector`;
    } else if (brackets === 0 && open === 0 && '.#'.includes(char) && !NAME_START.test(css.charAt(n + 1))) {
      return `"${char}" at character ${n + 1} of the selector is not followed by a name`;
    } else if ('>~+'.includes(char) && (last === '' || last === ',') && brackets === 0 && open === 0)
      return `a selector cannot begin with "${char}"; write ":scope ${char} ..." to begin at the element itself`;
    if (char.trim() !== '') last = char;
  }
  if (last === '') return 'the selector is empty';
  return '>~+,'.includes(last) ? 'the selector ends with a combinator' : null;
}

/** Whether any element matches. Throws on an invalid selector. The caller must limit the time. */
export function matchesAny(tree: PageTree, css: string): boolean {
  return compileSelector(tree, css).first(tree.root) !== null;
}

/** A selector compiled for one page. */
export interface PageSelector {
  first(context: TreeNode): TreeNode | null;
  all(context: TreeNode): readonly TreeNode[];
}

/**
 * Compiles a selector that searches the descendants of a context in document order. As with `querySelectorAll`, ancestors
 * in the selector may be outside the context; `:scope` is the context, or the root element if the context is the document.
 * Throws on an invalid selector. The caller must limit the time.
 */
export function compileSelector(tree: PageTree, css: string): PageSelector {
  const { _compileUnsafe, selectAll, selectOne } = loadPackage('css-select') as typeof CssSelect;
  const options = optionsFor(tree);
  // Compiled once, because that takes longer than most searches. But the compiled form contains the context of `:scope`.
  const compiled = _compileUnsafe(parseSelector(css), options);
  const scoped = css.toLowerCase().includes(':scope');
  const query = (context: TreeNode) => (scoped && context !== tree.root ? parseSelector(css) : compiled);
  return {
    first: (context) => selectOne(query(context), context, options),
    all: (context) => selectAll(query(context), context, options),
  };
}

function optionsFor(tree: Pick<PageTree, 'xml' | 'quirks'>): CssSelect.Options<TreeNode, ElementNode> {
  return {
    adapter,
    pseudos: OWN_PSEUDOS,
    xmlMode: tree.xml,
    quirksMode: tree.quirks,
    relativeSelector: false,
  };
}

const ENGINE_PREFIX = /^(css|xpath|text)=/;
/** Problems that may only exist for css-select: the browser decides about such a selector. */
const LEFT_TO_BROWSER = /^Unknown pseudo|not (?:yet )?supported|^Parenthesis not matched/;
const UNQUOTED_CHAIN = 'text that contains ">>" must be in quotes';
const CLOSING_BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/**
 * What is wrong with the syntax of a selector for a browser, as a message for the caller; null if nothing is found here.
 * @param selector with the prefix of its engine: `css=`, `xpath=`, `text=`
 */
export function elementSelectorProblem(selector: string): string | null {
  const engine = ENGINE_PREFIX.exec(selector)?.[1];
  const text = engine === undefined ? selector : selector.slice(engine.length + 1);
  if (text.trim() === '') return 'the selector is empty';
  // Playwright would end the selector at `>>`, and read what follows as another selector.
  if (engine === 'text') return />>/.test(text) && !/^\s*["'/]/.test(text) ? UNQUOTED_CHAIN : null;
  if (engine === 'xpath') return xpathProblem(text);
  const problem = selectorProblem(text);
  if (problem === null || !LEFT_TO_BROWSER.test(problem)) return problem;
  return unclosedProblem(text, { escapes: true });
}

/** By XPath 1.0 §3.7: literals have no escapes; an expression cannot end with an operator. */
function xpathProblem(text: string): string | null {
  const unclosed = unclosedProblem(text, { escapes: false });
  if (unclosed !== null) return unclosed;
  const end = text.trimEnd();
  if (end !== '/' && /[/@|=<>!+,]$|::$/.test(end)) return 'the expression ends before it is complete';
  return />>/.test(end.replace(/"[^"]*"|'[^']*'/g, '')) ? '">>" is not part of XPath' : null;
}

/** Finds a quote or bracket without counterpart. @param escapes whether a backslash escapes the next character */
function unclosedProblem(text: string, { escapes }: { readonly escapes: boolean }): string | null {
  const open: string[] = [];
  let quote = '';
  for (let n = 0; n < text.length; n++) {
    const char = text[n]!;
    if (escapes && char === '\\') n++;
    else if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(' || char === '[') open.push(char);
    else if ((char === ')' || char === ']') && CLOSING_BRACKETS[open.pop() ?? ''] !== char)
      return `"${char}" at character ${n + 1} has no opening counterpart`;
  }
  if (quote !== '') return `a ${quote} is not closed`;
  const last = open.pop();
  return last === undefined ? null : `a "${last}" is not closed`;
}
