import type { PageAction } from '../../domain/page-action.ts';
import { isObject } from '../schema/build.ts';
import { type Check, checker } from '../schema/checker.ts';
import { pointTo } from '../schema/pointer.ts';
import { MOST_PROBLEMS, type Problems, wrong, wrongValue } from '../schema/problems.ts';
import { alternatives } from '../schema/shown.ts';
import { checkMeaning } from './action-meaning.ts';
import { ACTIONS } from './actions-schema.ts';
import { shorthandMember } from './normalise-action.ts';
import { readAction } from './read-action.ts';

export const MOST_ACTIONS = 50;
export const MOST_FIXED_WAITS_MS = 60_000;
/** So many `if` may stand in one another. */
const DEEPEST = 3;

type Action = Readonly<Record<string, unknown>>;

/** What is known while walking the actions. */
interface Walk {
  readonly problems: Problems;
  /** Fixed waits may add up to this; beyond it the action that goes over is named. */
  readonly allowedMs: number;
  /** Said when they do. */
  readonly tooLong: (ms: number) => string;
  count: number;
  over: boolean;
}

const checks = new Map<string, Check>();

/** Actions read, and the sum of their fixed waits, of `if` the larger branch. */
interface Read {
  readonly actions: readonly PageAction[];
  readonly waitsMs: number;
}

/** Where an action stands. */
interface Spot {
  /** In the request; of an action within `if`, of the `if`. */
  readonly index: number;
  readonly pointer: string;
  /** 1 for an action that stands in no `if`. */
  readonly depth: number;
  /** What has been waited until then. */
  readonly beforeMs: number;
}

/**
 * Checks page actions by the table keyed on `type`, and writes them out.
 * @param given as the caller wrote them, for pointers to a shorthand
 * @param budget beforeMs: what is waited before the first action
 */
export function readActions(
  actions: readonly Action[],
  given: unknown,
  budget: { readonly beforeMs: number; readonly timeoutMs: number; readonly usableMs: number },
  problems: Problems,
): readonly PageAction[] {
  const room = Math.max(0, budget.usableMs - budget.beforeMs);
  const walk: Walk = {
    problems,
    allowedMs: Math.min(MOST_FIXED_WAITS_MS, room),
    tooLong: (ms) =>
      room < MOST_FIXED_WAITS_MS
        ? `makes the fixed waits${budget.beforeMs > 0 ? ', with wait_for_timeout_ms,' : ''} ${ms + budget.beforeMs} ms; at most ${Math.floor(budget.usableMs)} ms, which is timeout_ms (${budget.timeoutMs}) less the time to read the page`
        : `makes the fixed waits ${ms} ms; at most ${MOST_FIXED_WAITS_MS} ms`,
    count: 0,
    over: false,
  };
  return walkList(actions, given, { index: -1, pointer: '/page_actions', depth: 1, beforeMs: 0 }, walk)
    .actions;
}

/** @param spot of the list; its index is -1 at the top */
function walkList(actions: readonly unknown[], given: unknown, spot: Spot, walk: Walk): Read {
  let waitsMs = 0;
  const read: PageAction[] = [];
  for (let i = 0; i < actions.length; i++) {
    const pointer = pointTo(spot.pointer, i);
    if (++walk.count > MOST_ACTIONS) {
      if (walk.count === MOST_ACTIONS + 1) {
        wrong(walk.problems, pointer, `is one action too many; at most ${MOST_ACTIONS}, branches included`);
      }
      break;
    }
    const index = spot.index === -1 ? i : spot.index;
    const here = { ...spot, index, pointer, beforeMs: spot.beforeMs + waitsMs };
    const one = readOne(actions[i], Array.isArray(given) ? given[i] : undefined, here, walk);
    read.push(...one.actions);
    waitsMs += one.waitsMs;
  }
  return { actions: read, waitsMs };
}

const NOTHING: Read = { actions: [], waitsMs: 0 };

function readOne(action: unknown, given: unknown, spot: Spot, walk: Walk): Read {
  const { problems } = walk;
  const { pointer: at } = spot;
  if (!isObject(action)) {
    wrongValue(problems, at, 'must be an object', action);
    return NOTHING;
  }
  const kind = typeof action.type === 'string' ? ACTIONS.get(action.type) : undefined;
  if (kind === undefined || typeof action.type !== 'string') {
    const known = `one of ${[...ACTIONS.keys()].join(', ')}`;
    if (Object.hasOwn(action, 'type')) wrongValue(problems, `${at}/type`, `must be ${known}`, action.type);
    else wrong(problems, `${at}/type`, `is required: ${known}`);
    return NOTHING;
  }
  let check = checks.get(action.type);
  if (check === undefined) {
    check = checker(kind.schema);
    checks.set(action.type, check);
  }
  const found: Problems = [];
  if (check(action, at, found)) {
    checkChoice(kind.oneOf, action, at, found);
    checkMeaning(action, at, found);
  }
  const short = shorthandMember(given);
  for (const problem of found) addAsWritten(problem, at, short, problems);
  if (found.length > 0) return NOTHING;
  const { waitsMs, then: yes, else: no } = waitsOf(action, given, spot, walk);
  const written = (member: string) => `${at}/${member === short?.member ? short.name : member}`;
  const place = { index: spot.index, pointer: at, at: written };
  // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
  return { actions: [readAction(action, place, { then: yes, else: no })], waitsMs };
}

/** The member that a shorthand's value stands for is named as the caller wrote it. */
function addAsWritten(
  problem: Problems[number],
  at: string,
  short: ReturnType<typeof shorthandMember>,
  problems: Problems,
): void {
  if (problems.length >= MOST_PROBLEMS) return;
  const member = `${at}/${short?.member}`;
  if (short === null || problem.pointer !== member) problems.push(problem);
  else {
    const pointer = `${at}/${short.name}`;
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

/** The fixed waits of one action; the branches of `if` are read on the way. */
function waitsOf(action: Action, given: unknown, { index, pointer, depth, beforeMs }: Spot, walk: Walk) {
  let waitsMs = 0;
  const add = (ms: unknown, place: string) => {
    if (typeof ms !== 'number') return;
    waitsMs += ms;
    const all = beforeMs + waitsMs;
    if (all <= walk.allowedMs || walk.over) return;
    walk.over = true;
    wrong(walk.problems, place, walk.tooLong(all));
  };
  const branch = (name: 'then' | 'else'): Read | null => {
    const list = action[name];
    if (!Array.isArray(list)) return null;
    const place = `${pointer}/${name}`;
    if (depth > DEEPEST && list.length > 0) {
      wrong(walk.problems, place, `is nested deeper than ${DEEPEST} levels`);
      return NOTHING;
    }
    const inner = isObject(given)
      ? (given[name] ?? (isObject(given.if) ? given.if[name] : undefined))
      : undefined;
    return walkList(list, inner, { index, pointer: place, depth: depth + 1, beforeMs }, walk);
  };
  if (action.type === 'wait') add(action.ms, `${pointer}/${shorthandMember(given)?.name ?? 'ms'}`);
  const [yes, no] = action.type === 'if' ? [branch('then'), branch('else')] : [null, null];
  if (action.type === 'if' && yes === null && no === null)
    wrong(walk.problems, `${pointer}/then`, 'is required (or `else`)');
  waitsMs += Math.max(yes?.waitsMs ?? 0, no?.waitsMs ?? 0);
  add(action.wait_after_ms, `${pointer}/wait_after_ms`);
  // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
  return { waitsMs, then: yes?.actions ?? null, else: no?.actions ?? null };
}
