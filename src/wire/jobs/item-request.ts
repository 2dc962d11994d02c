import type { Failure } from '../../domain/failure.ts';
import { isObject } from '../../domain/json-schema.ts';
import type { Task } from '../../domain/task.ts';
import { type ExtractTemplates, requestedTemplate, unknownTemplate } from '../../domain/template.ts';
import { parseTask } from '../request/parse-task.ts';
import { addProblem, addValueProblem, type Problems } from '../schema/problems.ts';

const MAX_REF_CHARS = 128;

export interface ItemRequest {
  readonly ref: string | null;
  readonly task: Task;
  /** The members of the scrape request. */
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * A scrape request of a job: `ref` and the members of a scrape request; those of `defaults` are added where they are missing.
 * @param templates of the user, by name
 * @param pointer of the request, for problems
 * @param options.ofCrawl see `parseTask`
 * @param options.isSent whether a webhook gets the scrapes, so that their records need not be kept
 * @returns null: there are problems
 */
export function readItemRequest(
  value: unknown,
  defaults: Readonly<Record<string, unknown>>,
  templates: ExtractTemplates,
  pointer: string,
  problems: Problems,
  { ofCrawl = false, isSent = false }: { readonly ofCrawl?: boolean; readonly isSent?: boolean } = {},
): ItemRequest | null {
  if (!isObject(value)) {
    addValueProblem(problems, pointer, 'must be a JSON object', value);
    return null;
  }
  const { ref = null, ...own } = value;
  const before = problems.length;
  if (ref !== null && (typeof ref !== 'string' || ref.length < 1 || ref.length > MAX_REF_CHARS))
    addProblem(problems, `${pointer}/ref`, `must be a string of 1 to ${MAX_REF_CHARS} characters`);
  const members = { ...defaults, ...own };
  const name = requestedTemplate(members);
  const template = name === null || !Object.hasOwn(templates, name) ? null : templates[name]!;
  if (name !== null && template === null) {
    problems.push(withPrefix(unknownTemplate(name, '/scraper_options/extract'), pointer));
    return null;
  }
  const { task, problems: found } = parseTask(members, template, ofCrawl);
  for (const problem of found ?? []) problems.push(withPrefix(problem, pointer));
  if (task !== null && task.router.retain !== 'full' && !isSent)
    addProblem(
      problems,
      `${pointer}/router/retain`,
      'must be `full`, because the result of an item is its record; or the job needs a `webhook` that gets the event `page` with `include: full`',
    );
  if (task !== null && task.router.webhook !== null)
    addProblem(problems, `${pointer}/router/webhook`, 'is not for items; use `webhook` of the job');
  if (task !== null && task.router.notify !== null) {
    const { channels = null } = (members.router ?? {}) as { readonly channels?: unknown };
    const member = channels === null ? 'notify_on' : 'channels';
    addProblem(problems, `${pointer}/router/${member}`, `is not for items; use \`${member}\` of the job`);
  }
  if (task !== null && task.router.compareTo !== null)
    addProblem(problems, `${pointer}/router/compare_to`, 'is not for items of jobs; use a monitor');
  return task === null || problems.length > before ? null : { ref: ref as string | null, task, members };
}

/** The problem with its place in the whole body. */
export function withPrefix(problem: Failure, pointer: string): Failure {
  if (problem.pointer === undefined || pointer === '') return problem;
  const message = problem.message.replace(`\`${problem.pointer}`, `\`${pointer}${problem.pointer}`);
  return { ...problem, message, pointer: `${pointer}${problem.pointer}` };
}
