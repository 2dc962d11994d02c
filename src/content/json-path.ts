import { createRequire } from 'node:module';
import type * as JsonPath from 'jsonpath-rfc9535';
import type JsonPathParser from 'jsonpath-rfc9535/parser';
import { typeProblem } from './json-path-types.ts';
import { withinTime } from './time-limit.ts';

const LONGEST = 2000;
/** Parentheses and brackets in one another: the parser reads what is in them three times, and what is in those nine times. */
const DEEPEST = 8;
/** Reading one takes well under 1 ms, but the first one also compiles the reader, on a busy machine. */
const READ_MS = 1_000;
const load = createRequire(import.meta.url);
const FOUND = Symbol('found');

/** Why this is no JSONPath query (RFC 9535) that can be used here, for people; null: it is one. */
export function jsonPathProblem(path: string): string | null {
  if (path.length > LONGEST)
    return `a JSONPath has at most ${LONGEST} characters, this one has ${path.length}`;
  if (depthOf(path) > DEEPEST) return 'the JSONPath is nested too deeply';
  const { default: parse } = load('jsonpath-rfc9535/parser') as { default: typeof JsonPathParser };
  try {
    const read = withinTime(READ_MS, () => parse(path));
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
  const { exec } = load('jsonpath-rfc9535') as typeof JsonPath;
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
