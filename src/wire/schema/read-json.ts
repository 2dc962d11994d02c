import { type Failure, failure } from '../../domain/failure.ts';
import { addProblem, childPointer, MAX_PROBLEMS, type Problems } from './problems.ts';

/**
 * What JSON of a caller may have at most (RFC 8259 §9 allows such limits): more than any honest request has, and so little that
 * reading it does not keep other requests waiting. A free value in it has a lower limit of its depth.
 */
export const JSON_LIMITS = {
  /** Levels of arrays and objects. */
  levels: 1_024,
  /** Members of objects and elements of arrays, over the whole text. An empty array or object counts as two. */
  values: 300_000,
  /** Different names of members. Each is hashed and kept by V8, which takes many times as long as to read a value. */
  names: 25_000,
  /** Arrays and objects. Reading, checking and masking 240,000 of them takes 0.2 s and more. Larger batches are sent as lines. */
  containers: 100_000,
  /** Members whose object has one of that name already. To read 290,000 of them takes 75 ms. */
  repeated: 1_000,
  /** Objects, if there are more than `sharedNames` different names: the more names, the longer V8 takes to read an object. */
  objectsOfManyNames: 25_000,
  sharedNames: 300,
} as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** @returns what is above the limits, in words; null: nothing */
export const jsonExcess = (text: string): string | null => scan(text, null);

/**
 * One pass over a text that may be JSON. What is wrong with its syntax is left to `JSON.parse`.
 * @param problems gets the members that an object has more than once (RFC 8259 §4: names should be unique); null: not wanted
 * @returns what is above the limits, in words; null: nothing
 */
function scan(text: string, problems: Problems | null): string | null {
  const { length } = text;
  /**
   * By level: names of members, and the number of the object that had them last; negative: that has been told. Objects of one
   * level do not overlap.
   */
  const names: Map<string, number>[] = [];
  /** By level: the number of the object that is open; 0: it is an array. */
  const open: number[] = [0];
  /** By level: the name or index of the current value. */
  const path: (string | number)[] = [0];
  let level = 0;
  let values = 0;
  let containers = 0;
  let objects = 0;
  let nameCount = 0;
  let repeated = 0;
  let isName = false;
  for (let i = 0; i < length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const start = i + 1;
        let hasEscapes = false;
        for (i = start; i < length; i++) {
          const code = text.charCodeAt(i);
          if (code === QUOTE) break;
          if (code !== BACKSLASH) continue;
          hasEscapes = true;
          i++;
        }
        if (!isName) break;
        isName = false;
        const written = text.slice(start, i);
        const name = hasEscapes ? unescaped(written) : written;
        path[level] = name;
        names[level] ??= new Map();
        const known = names[level]!;
        const object = open[level]!;
        const before = known.get(name);
        if (before === -object || before === object) {
          if (++repeated > JSON_LIMITS.repeated) return TOO_MANY_REPEATED;
          if (before === object && problems !== null) addRepeated(problems, path, level);
          known.set(name, -object);
          break;
        }
        known.set(name, object);
        if (before !== undefined) break;
        if (++nameCount > JSON_LIMITS.names)
          return `it has more than ${JSON_LIMITS.names} different names of members`;
        if (nameCount > JSON_LIMITS.sharedNames && objects > JSON_LIMITS.objectsOfManyNames)
          return TOO_MANY_OBJECTS;
        break;
      }
      case COMMA:
        if (++values > JSON_LIMITS.values) return TOO_MANY_VALUES;
        isName = open[level] !== 0;
        if (!isName) (path[level] as number)++;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (++values > JSON_LIMITS.values) return TOO_MANY_VALUES;
        if (++level > JSON_LIMITS.levels) return `it is nested deeper than ${JSON_LIMITS.levels} levels`;
        isName = text.charCodeAt(i) === OPEN_OBJECT;
        open[level] = isName ? ++objects : 0;
        if (++containers > JSON_LIMITS.containers) return TOO_MANY_CONTAINERS;
        if (objects > JSON_LIMITS.objectsOfManyNames && nameCount > JSON_LIMITS.sharedNames)
          return TOO_MANY_OBJECTS;
        path[level] = 0;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        isName = false;
        if (level > 0) level--;
    }
  }
  return null;
}

const TOO_MANY_CONTAINERS = `it has more than ${JSON_LIMITS.containers} arrays and objects`;
const TOO_MANY_REPEATED = `it has more than ${JSON_LIMITS.repeated} members that their object already has`;
const TOO_MANY_OBJECTS = `it has more than ${JSON_LIMITS.objectsOfManyNames} objects, and more than ${JSON_LIMITS.sharedNames} different names of members`;
const TOO_MANY_VALUES = `it has more than ${JSON_LIMITS.values} members and elements`;

/** The name that a literal means. One that is no JSON stays as it is. */
function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

function addRepeated(problems: Problems, path: readonly (string | number)[], level: number): void {
  if (problems.length === MAX_PROBLEMS) return;
  const pointer = path.slice(1, level + 1).reduce<string>(childPointer, '');
  addProblem(problems, pointer, 'is given more than once');
}

export type ReadJson =
  | { readonly value: unknown; readonly problems: null }
  | { readonly problems: readonly Failure[] };

/**
 * Reads JSON of a caller, within `JSON_LIMITS`. An object with the same member twice is refused.
 * @returns or problems: `request.invalid_json`, whose message continues `subject`, or `request.validation` with pointers
 */
export function readJson(text: string, subject = 'The request body must be one JSON object'): ReadJson {
  const repeated: Problems = [];
  const excess = scan(text, repeated);
  if (excess !== null) return invalid(subject, excess);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalid(subject, syntaxErrorReason((error as Error).message));
  }
  return repeated.length > 0 ? { problems: repeated } : { value, problems: null };
}

const invalid = (subject: string, why: string): ReadJson => ({
  problems: [failure('request.invalid_json', `${subject}: ${why}.`)],
});

/** The reason in a message of V8, which contains the position or, for short texts, the character. */
function syntaxErrorReason(v8Message: string): string {
  const position = /position \d+(?: \(line \d+ column \d+\))?/.exec(v8Message)?.[0];
  if (position !== undefined) return `unexpected character at ${position}`;
  const token = /^Unexpected token '(.+?)', /su.exec(v8Message)?.[1];
  return token === undefined ? 'it ends too early' : `unexpected character ${JSON.stringify(token)}`;
}
