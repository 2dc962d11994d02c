import type { Failure } from '../domain/failure.ts';
import { isObject } from '../domain/json-schema.ts';
import type { ExtractTemplates } from '../domain/template.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { type ItemRequest, readItemRequest, withPrefix } from '../wire/jobs/item-request.ts';

export interface BatchItems {
  /** Members that are added to each request where they are missing. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Pointer of `defaults`. */
  readonly pointer: string;
  /** Of the user, by name; may grow while requests are read. */
  readonly templates: ExtractTemplates;
  /** See `readItemRequest`. */
  readonly isSent?: boolean;
  readonly pipeline: Pick<Pipeline, 'problems'>;
}

/** A valid URL, with which the defaults alone are a whole request. */
const ANY_URL = 'https://example.com/';

/**
 * Reads the requests of a batch one by one. What is wrong with the defaults alone is told once, at the defaults, not at each
 * request that takes them.
 * @returns a function that returns null if the request is not valid, and adds why, unless that is told already
 */
export function batchReader({
  defaults,
  pointer: defaultsPointer,
  templates,
  isSent = false,
  pipeline,
}: BatchItems) {
  const read = (value: unknown, pointer: string, found: Failure[]): ItemRequest | null => {
    const request = readItemRequest(value, defaults, templates, pointer, found, { isSent });
    if (request !== null)
      for (const problem of pipeline.problems(request.task)) found.push(withPrefix(problem, pointer));
    return found.length > 0 ? null : request;
  };
  /** By pointers below `defaults`; null: no request had a problem with one of them. */
  let ofDefaults: Map<string, Failure> | null = null;
  const problemOfDefaults = (value: unknown, pointer: string): Failure | null => {
    const member = pointer.split('/', 2)[1] ?? '';
    if (!Object.hasOwn(defaults, member) || (isObject(value) && Object.hasOwn(value, member))) return null;
    if (ofDefaults === null) {
      const found: Failure[] = [];
      read({ url: ANY_URL }, defaultsPointer, found);
      ofDefaults = new Map(found.map((problem) => [problem.pointer!.slice(defaultsPointer.length), problem]));
    }
    return ofDefaults.get(pointer) ?? null;
  };
  const told = new Set<Failure>();
  return (value: unknown, pointer: string, problems: Failure[]): ItemRequest | null => {
    const found: Failure[] = [];
    const request = read(value, pointer, found);
    for (const problem of found) {
      const common = problemOfDefaults(value, problem.pointer?.slice(pointer.length) ?? '');
      if (common === null) problems.push(problem);
      else if (!told.has(common)) {
        told.add(common);
        problems.push(common);
      }
    }
    return request;
  };
}
