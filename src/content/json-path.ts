import { createRequire } from 'node:module';
import type * as JsonPath from 'jsonpath-rfc9535';
import type JsonPathParser from 'jsonpath-rfc9535/parser';
import { runWithTimeLimit } from './time-limit.ts';

/** A node of the parser's tree, as far as it is looked at. */
interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The functions of RFC 9535 §2.4: what they take and what they give. */
const FUNCTIONS: Readonly<
  Record<string, { readonly takes: readonly ('value' | 'nodes')[]; readonly gives: 'value' | 'logical' }>
> = {
  length: { takes: ['value'], gives: 'value' },
  count: { takes: ['nodes'], gives: 'value' },
  match: { takes: ['value', 'value'], gives: 'logical' },
  search: { takes: ['value', 'value'], gives: 'logical' },
  value: { takes: ['nodes'], gives: 'value' },
};

/** Filters within filters multiply the time they take. */
const MAX_FILTER_DEPTH = 3;

/**
 * What a query that parses breaks of the rules behind the grammar: whole numbers within ±(2⁵³ − 1) (RFC 9535 §2.1),
 * well-typed functions (§2.4.3). Null: nothing.
 */
function typeProblem(query: unknown): string | null {
  return checkNode(query, 0);
}

function checkNode(node: unknown, filters: number): string | null {
  if (Array.isArray(node)) return firstProblem(node, filters);
  if (node === null || typeof node !== 'object') return null;
  const syntax = node as SyntaxNode;
  switch (syntax.type) {
    case 'FilterSelector':
      if (filters === MAX_FILTER_DEPTH) return `at most ${MAX_FILTER_DEPTH} filters may be nested`;
      return checkNode(syntax.value, filters + 1);
    case 'IndexSelector':
      return indexProblem([syntax.value]);
    case 'SliceSelector':
      return indexProblem([syntax.start, syntax.end, syntax.step]);
    case 'TestExpr':
      return resultProblem(syntax.expression, 'logical') ?? firstProblem(Object.values(syntax), filters);
    case 'ComparisonExpr':
      return (
        resultProblem(syntax.left, 'value') ??
        resultProblem(syntax.right, 'value') ??
        firstProblem([syntax.left, syntax.right], filters)
      );
    case 'FunctionExpr':
      return callProblem(syntax) ?? firstProblem(syntax.arguments as unknown[], filters);
    default:
      return firstProblem(Object.values(syntax), filters);
  }
}

function firstProblem(nodes: readonly unknown[], filters: number): string | null {
  for (const node of nodes) {
    const problem = checkNode(node, filters);
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
  const known = functionOf(call);
  if (known === undefined || known.gives === wanted) return null;
  return wanted === 'value'
    ? `the result of ${call.name}() cannot be compared`
    : `the result of ${call.name}() must be compared with something`;
}

function callProblem(call: SyntaxNode): string | null {
  const known = functionOf(call);
  if (known === undefined) return `there is no function ${call.name}()`;
  const given = call.arguments as readonly SyntaxNode[];
  if (given.length !== known.takes.length) {
    return `${call.name}() takes ${known.takes.length} argument(s), not ${given.length}`;
  }
  for (const [n, wanted] of known.takes.entries()) {
    const ok = wanted === 'nodes' ? given[n]!.type === 'FilterQuery' : givesValue(given[n]!);
    if (!ok)
      return `argument ${n + 1} of ${call.name}() must be a ${wanted === 'nodes' ? 'query' : 'single value'}`;
  }
  return null;
}

function functionOf(call: SyntaxNode) {
  const name = String(call.name);
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}

function givesValue(node: SyntaxNode): boolean {
  if (node.type === 'Literal') return true;
  if (node.type === 'FunctionExpr') return functionOf(node)?.gives === 'value';
  return (
    node.type === 'FilterQuery' && isSingular((node.value as SyntaxNode).segments as readonly SyntaxNode[])
  );
}

/** A query that gives at most one node (RFC 9535 §2.3.5.1). */
function isSingular(segments: readonly SyntaxNode[]): boolean {
  return segments.every((segment) => {
    if (segment.type !== 'ChildSegment') return false;
    const node = segment.node as SyntaxNode;
    if (node.type === 'MemberNameShorthand') return true;
    const selectors = node.selectors as readonly SyntaxNode[] | undefined;
    const only = selectors?.length === 1 ? selectors[0]!.type : '';
    return only === 'NameSelector' || only === 'IndexSelector';
  });
}

const MAX_LENGTH = 2000;
/** Parentheses and brackets in one another: the parser reads what is in them three times, and what is in those nine times. */
const MAX_DEPTH = 8;
/** Reading one takes well under 1 ms, but the first one also compiles the reader, on a busy machine. */
const PARSE_MS = 1_000;
const loadPackage = createRequire(import.meta.url);
const FOUND = Symbol('found');

/** Why this is no JSONPath query (RFC 9535) that can be used here, for people; null: it is one. */
export function jsonPathProblem(path: string): string | null {
  if (path.length > MAX_LENGTH)
    return `a JSONPath has at most ${MAX_LENGTH} characters, this one has ${path.length}`;
  if (depthOf(path) > MAX_DEPTH) return 'the JSONPath is nested too deeply';
  const { default: parse } = loadPackage('jsonpath-rfc9535/parser') as { default: typeof JsonPathParser };
  try {
    const read = runWithTimeLimit(PARSE_MS, () => parse(path));
    return read === null ? 'the JSONPath takes too long to read' : typeProblem(read.value);
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

/** How many parentheses and brackets stand in one another, strings left out. */
function depthOf(path: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of path.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]]/gs)) {
    if (token === '(' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === ')' || token === ']') depth--;
  }
  return deepest;
}

/** Whether the path selects at least one node. Not limited in time: that is the caller's business. */
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

/** What servers put before JSON so that no page can run it as a script: `)]}',` · `while(1);` · `for(;;);` · `{}&&`. */
const ANTI_HIJACKING_PREFIX = /^\s*(?:\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);|\{\}\s*&&)\s*/;
/** JSONP: one call, maybe behind an empty comment or a check that its function exists. */
const JSONP = /^\s*(?:\/\*\*\/)?\s*(?:typeof [\w$.]+ === ?'function' && )?[\w$.[\]]+\s*\((.*)\)\s*;?\s*$/s;

/**
 * The JSON documents (RFC 8259) in a text: one, also behind a byte order mark, behind a guard, or as JSONP; or one a
 * line (NDJSON, and JSON text sequences of RFC 7464). Throws SyntaxError when the text is none of these.
 */
export function parseJsonDocuments(text: string): readonly unknown[] {
  const plain = text.replace(/^\ufeff/, '');
  try {
    return [JSON.parse(plain)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const inside = ANTI_HIJACKING_PREFIX.test(plain)
    ? plain.replace(ANTI_HIJACKING_PREFIX, '')
    : JSONP.exec(plain)?.[1];
  if (inside !== undefined) return [JSON.parse(inside)];
  const lines = plain.split(/[\n\x1e]/).filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line));
}
