import { createRequire } from 'node:module';
import type * as JsonPath from 'jsonpath-rfc9535';
import type JsonPathParser from 'jsonpath-rfc9535/parser';
import { runWithTimeLimit } from '../../base/time-limit.ts';

/** A node of the parser's syntax tree. */
interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface FunctionSignature {
  readonly parameters: readonly ('value' | 'nodes')[];
  readonly result: 'value' | 'logical';
}

/** The functions of RFC 9535 §2.4. */
const FUNCTIONS: Readonly<Record<string, FunctionSignature>> = {
  length: { parameters: ['value'], result: 'value' },
  count: { parameters: ['nodes'], result: 'value' },
  match: { parameters: ['value', 'value'], result: 'logical' },
  search: { parameters: ['value', 'value'], result: 'logical' },
  value: { parameters: ['nodes'], result: 'value' },
};

/** Each level of nested filters multiplies the time. */
const MAX_FILTER_DEPTH = 3;

/**
 * The rule beyond the grammar that a query breaks: integers within ±(2⁵³ − 1) (RFC 9535 §2.1), well-typed functions
 * (§2.4.3); null if none.
 */
function typeProblem(query: unknown): string | null {
  return checkNode(query, /* filterDepth */ 0);
}

function checkNode(node: unknown, filterDepth: number): string | null {
  if (Array.isArray(node)) return firstProblem(node, filterDepth);
  if (node === null || typeof node !== 'object') return null;
  const syntax = node as SyntaxNode;
  switch (syntax.type) {
    case 'FilterSelector':
      if (filterDepth === MAX_FILTER_DEPTH) return `at most ${MAX_FILTER_DEPTH} filters may be nested`;
      return checkNode(syntax.value, filterDepth + 1);
    case 'IndexSelector':
      return indexProblem([syntax.value]);
    case 'SliceSelector':
      return indexProblem([syntax.start, syntax.end, syntax.step]);
    case 'TestExpr':
      return resultProblem(syntax.expression, 'logical') ?? firstProblem(Object.values(syntax), filterDepth);
    case 'ComparisonExpr':
      return (
        resultProblem(syntax.left, 'value') ??
        resultProblem(syntax.right, 'value') ??
        firstProblem([syntax.left, syntax.right], filterDepth)
      );
    case 'FunctionExpr':
      return callProblem(syntax) ?? firstProblem(syntax.arguments as unknown[], filterDepth);
    default:
      return firstProblem(Object.values(syntax), filterDepth);
  }
}

function firstProblem(nodes: readonly unknown[], filterDepth: number): string | null {
  for (const node of nodes) {
    const problem = checkNode(node, filterDepth);
    if (problem !== null) return problem;
  }
  return null;
}

function indexProblem(values: readonly unknown[]): string | null {
  const wrong = values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value));
  return wrong ? 'an index is outside of ±(2^53 − 1)' : null;
}

function resultProblem(node: unknown, wanted: 'value' | 'logical'): string | null {
  const call = node as SyntaxNode;
  if (call.type !== 'FunctionExpr') return null;
  const signature = signatureOf(call);
  if (signature === undefined || signature.result === wanted) return null;
  return wanted === 'value'
    ? `the result of ${call.name}() cannot be compared`
    : `the result of ${call.name}() must be compared with something`;
}

function callProblem(call: SyntaxNode): string | null {
  const signature = signatureOf(call);
  if (signature === undefined) return `there is no function ${call.name}()`;
  const { parameters } = signature;
  const args = call.arguments as readonly SyntaxNode[];
  if (args.length !== parameters.length) {
    return `${call.name}() takes ${parameters.length} argument(s), not ${args.length}`;
  }
  for (const [index, parameter] of parameters.entries()) {
    const arg = args[index]!;
    const valid = parameter === 'nodes' ? arg.type === 'FilterQuery' : isSingleValue(arg);
    if (!valid)
      return `argument ${index + 1} of ${call.name}() must be a ${parameter === 'nodes' ? 'query' : 'single value'}`;
  }
  return null;
}

function signatureOf(call: SyntaxNode): FunctionSignature | undefined {
  const name = String(call.name);
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}

function isSingleValue(node: SyntaxNode): boolean {
  if (node.type === 'Literal') return true;
  if (node.type === 'FunctionExpr') return signatureOf(node)?.result === 'value';
  return (
    node.type === 'FilterQuery' && isSingular((node.value as SyntaxNode).segments as readonly SyntaxNode[])
  );
}

/** Whether the query selects at most one node (RFC 9535 §2.3.5.1). */
function isSingular(segments: readonly SyntaxNode[]): boolean {
  return segments.every((segment) => {
    if (segment.type !== 'ChildSegment') return false;
    const node = segment.node as SyntaxNode;
    if (node.type === 'MemberNameShorthand') return true;
    const selectors = node.selectors as readonly SyntaxNode[] | undefined;
    const type = selectors?.length === 1 ? selectors[0]!.type : '';
    return type === 'NameSelector' || type === 'IndexSelector';
  });
}

const MAX_LENGTH = 2000;
/** Depth of nested parentheses and brackets. The parser reads the contents of each level three times. */
const MAX_DEPTH = 8;
/** Parsing takes well under 1 ms, but the first call also compiles the parser, perhaps on a busy machine. */
const PARSE_MS = 1_000;
const loadPackage = createRequire(import.meta.url);
/** Thrown to stop the search at the first match. */
const FOUND = Symbol('found');

/** What is wrong with a JSONPath query (RFC 9535), as a message for the caller; null if it can be used. */
export function jsonPathProblem(path: string): string | null {
  if (path.length > MAX_LENGTH)
    return `a JSONPath has at most ${MAX_LENGTH} characters, this one has ${path.length}`;
  if (depthOf(path) > MAX_DEPTH) return 'the JSONPath is nested too deeply';
  const { default: parse } = loadPackage('jsonpath-rfc9535/parser') as { default: typeof JsonPathParser };
  try {
    const query = runWithTimeLimit(PARSE_MS, () => parse(path));
    return query === null ? 'the JSONPath takes too long to read' : typeProblem(query.value);
  } catch (error) {
    if (error instanceof RangeError) return 'the JSONPath is nested too deeply';
    const { location, message } = error as { location?: { start: { offset: number } }; message: string };
    if (location === undefined) return message;
    const { offset } = location.start;
    return offset >= path.length
      ? 'the JSONPath ends too early'
      : `the JSONPath is wrong at character ${offset + 1} (${JSON.stringify(path.slice(offset, offset + 10))})`;
  }
}

/** Depth of nested parentheses and brackets; those in strings do not count. */
function depthOf(path: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of path.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]]/gs)) {
    if (token === '(' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === ')' || token === ']') depth--;
  }
  return deepest;
}

/** Whether the path selects at least one node. The caller must limit the time. */
export function selectsAny(document: unknown, path: string): boolean {
  const { exec } = loadPackage('jsonpath-rfc9535') as typeof JsonPath;
  try {
    exec(document as JsonPath.JsonValue, path, () => {
      throw FOUND;
    });
  } catch (error) {
    if (error === FOUND) return true;
    throw error;
  }
  return false;
}

/** The value of the first node that the path selects; undefined: it selects none. The caller must limit the time. */
export function firstMatch(document: unknown, path: string): unknown {
  const { exec } = loadPackage('jsonpath-rfc9535') as typeof JsonPath;
  let first: { readonly value: unknown } | null = null;
  try {
    exec(document as JsonPath.JsonValue, path, (value) => {
      first = { value };
      throw FOUND;
    });
  } catch (error) {
    if (error !== FOUND) throw error;
  }
  return (first as { readonly value: unknown } | null)?.value;
}

/** Prefixes that keep other sites from running JSON as a script: `)]}',` · `while(1);` · `for(;;);` · `{}&&`. */
const ANTI_HIJACKING_PREFIX = /^\s*(?:\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);|\{\}\s*&&)\s*/;
/** JSONP: one call, perhaps after an empty comment or a check that its function exists. */
const JSONP = /^\s*(?:\/\*\*\/)?\s*(?:typeof [\w$.]+ === ?'function' && )?[\w$.[\]]+\s*\((.*)\)\s*;?\s*$/s;

/**
 * Parses the JSON documents (RFC 8259) in a text: a single one, perhaps after a byte order mark or an anti-hijacking prefix,
 * or as JSONP; or one in each line (NDJSON, and JSON text sequences of RFC 7464). Throws SyntaxError for any other text.
 */
export function parseJsonDocuments(text: string): readonly unknown[] {
  const source = text.replace(/^\ufeff/, '');
  try {
    return [JSON.parse(source)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const wrapped = ANTI_HIJACKING_PREFIX.test(source)
    ? source.replace(ANTI_HIJACKING_PREFIX, '')
    : JSONP.exec(source)?.[1];
  if (wrapped !== undefined) return [JSON.parse(wrapped)];
  const lines = source.split(/[\n\x1e]/).filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line));
}
