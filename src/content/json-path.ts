import { createRequire } from 'node:module';
import type * as JsonPath from 'jsonpath-rfc9535';
import type JsonPathParser from 'jsonpath-rfc9535/parser';
import { typeProblem } from './json-path-types.ts';

const LONGEST = 2000;
const load = createRequire(import.meta.url);
const FOUND = Symbol('found');

/** Why this is no JSONPath query (RFC 9535) that can be used here, for people; null: it is one. */
export function jsonPathProblem(path: string): string | null {
  if (path.length > LONGEST)
    return `a JSONPath has at most ${LONGEST} characters, this one has ${path.length}`;
  const { default: parse } = load('jsonpath-rfc9535/parser') as { default: typeof JsonPathParser };
  try {
    return typeProblem(parse(path));
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
