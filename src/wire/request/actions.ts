import { isObject } from '../schema/build.ts';
import { type Check, checker } from '../schema/checker.ts';
import { checkDepth } from '../schema/depth.ts';
import { pointTo } from '../schema/pointer.ts';
import { MOST_PROBLEMS, type Problems, wrong, wrongValue } from '../schema/problems.ts';
import { alternatives } from '../schema/shown.ts';
import { ACTIONS } from './actions-schema.ts';
import { readExtract } from './extract.ts';
import { shorthandOf } from './normalise-action.ts';
import { readTarget } from './target.ts';

export const MOST_ACTIONS = 50;
export const MOST_FIXED_WAITS_MS = 60_000;
const DEEPEST = 3;

type Action = Readonly<Record<string, unknown>>;

/** What is known while walking the actions. */
interface Walk {
  readonly problems: Problems;
  /** Fixed waits may add up to this; beyond it the action that goes over is named. */
  readonly allowedMs: number;
  /** Said when they do. */
  readonly limit: string;
  count: number;
  over: boolean;
}

const checks = new Map<string, Check>();

/**
 * Checks page actions by the table keyed on `type`. Gives the sum of the fixed waits, of `if` the larger branch.
 * @param given as the caller wrote them, for pointers to a shorthand
 * @param beforeMs what is waited before the first action
 */
export function checkActions(
  actions: readonly Action[],
  given: unknown,
  budget: { readonly beforeMs: number; readonly timeoutMs: number; readonly usableMs: number },
  problems: Problems,
): number {
  const room = Math.floor(budget.usableMs) - budget.beforeMs;
  const walk: Walk = {
    problems,
    allowedMs: Math.min(MOST_FIXED_WAITS_MS, room),
    limit:
      room < MOST_FIXED_WAITS_MS
        ? `${Math.floor(budget.usableMs)} ms, which is timeout_ms (${budget.timeoutMs}) less the time to read the page`
        : `${MOST_FIXED_WAITS_MS} ms`,
    count: 0,
    over: false,
  };
  return walkList(actions, given, '/page_actions', 1, 0, walk);
}

function walkList(
  actions: readonly unknown[],
  given: unknown,
  at: string,
  depth: number,
  before: number,
  walk: Walk,
): number {
  let sum = 0;
  for (let i = 0; i < actions.length; i++) {
    const place = pointTo(at, i);
    if (++walk.count > MOST_ACTIONS) {
      if (walk.count === MOST_ACTIONS + 1) {
        wrong(walk.problems, place, `is one action too many; at most ${MOST_ACTIONS}, branches included`);
      }
      return sum;
    }
    const written = Array.isArray(given) ? given[i] : undefined;
    sum += checkOne(actions[i], written, place, depth, before + sum, walk);
  }
  return sum;
}

function checkOne(
  action: unknown,
  given: unknown,
  at: string,
  depth: number,
  before: number,
  walk: Walk,
): number {
  const { problems } = walk;
  if (!isObject(action)) {
    wrongValue(problems, at, 'must be an object', action);
    return 0;
  }
  const kind = typeof action.type === 'string' ? ACTIONS.get(action.type) : undefined;
  if (kind === undefined || typeof action.type !== 'string') {
    const known = `one of ${[...ACTIONS.keys()].join(', ')}`;
    if (Object.hasOwn(action, 'type')) wrongValue(problems, `${at}/type`, `must be ${known}`, action.type);
    else wrong(problems, `${at}/type`, `is required: ${known}`);
    return 0;
  }
  let check = checks.get(action.type);
  if (check === undefined) {
    check = checker(kind.schema);
    checks.set(action.type, check);
  }
  const found: Problems = [];
  if (check(action, at, found)) {
    checkChoice(kind.oneOf, action, at, found);
    if (action.type === 'goto') readTarget(String(action.url), undefined, `${at}/url`, found);
    checkDepth(action.arg, `${at}/arg`, found);
    if (action.type === 'extract') readExtract(action.schema, `${at}/schema`, found);
  }
  const shorthand = shorthandOf(given);
  for (const problem of found) addAsWritten(problem, at, shorthand, kind.main, problems);
  if (found.length > 0) return 0;
  return waitsOf(action, given, at, depth, before, walk);
}

/** A shorthand's main member is named as the caller wrote it. */
function addAsWritten(
  problem: Problems[number],
  at: string,
  shorthand: string | null,
  main: string | null,
  problems: Problems,
): void {
  if (problems.length >= MOST_PROBLEMS) return;
  const member = main === null ? null : `${at}/${main}`;
  if (shorthand === null || member === null || problem.pointer !== member) problems.push(problem);
  else {
    const pointer = `${at}/${shorthand}`;
    problems.push({ ...problem, pointer, message: problem.message.replace(member, pointer) });
  }
}

function checkChoice(
  groups: readonly (readonly string[])[],
  action: Action,
  at: string,
  problems: Problems,
): void {
  if (groups.length === 0) return;
  const started = groups.filter((group) => group.some((name) => Object.hasOwn(action, name)));
  const missing = started[0]?.find((name) => !Object.hasOwn(action, name));
  const words = alternatives(groups.map((group) => group.join(' and ')));
  if (started.length === 0)
    wrong(problems, `${at}/${groups[0]![0]}`, `is required (or another of: ${words})`);
  else if (started.length > 1) wrong(problems, at, `must have one of: ${words}, not several`);
  else if (missing !== undefined) wrong(problems, `${at}/${missing}`, 'is required too');
}

/** The fixed waits of one action; the branches of `if` are checked on the way. */
function waitsOf(
  action: Action,
  given: unknown,
  at: string,
  depth: number,
  before: number,
  walk: Walk,
): number {
  let sum = 0;
  const add = (ms: unknown, place: string) => {
    if (typeof ms !== 'number') return;
    sum += ms;
    if (before + sum <= walk.allowedMs || walk.over) return;
    walk.over = true;
    wrong(walk.problems, place, `makes the fixed waits ${before + sum} ms; at most ${walk.limit}`);
  };
  if (action.type === 'wait') {
    add(action.ms, shorthandOf(given) === 'wait' ? `${at}/wait` : `${at}/ms`);
  }
  if (action.type === 'if') {
    if (!Array.isArray(action.then) && !Array.isArray(action.else)) {
      wrong(walk.problems, `${at}/then`, 'is required (or `else`)');
    }
    const sums = ['then', 'else'].map((name) => {
      const branch = action[name];
      if (!Array.isArray(branch)) return 0;
      const place = `${at}/${name}`;
      if (depth >= DEEPEST && branch.length > 0) {
        wrong(walk.problems, place, `is nested deeper than ${DEEPEST} levels`);
        return 0;
      }
      const inner = isObject(given)
        ? (given[name] ?? (isObject(given.if) ? given.if[name] : undefined))
        : undefined;
      return walkList(branch, inner, place, depth + 1, before, walk);
    });
    sum += Math.max(...sums);
  }
  add(action.wait_after_ms, `${at}/wait_after_ms`);
  return sum;
}
