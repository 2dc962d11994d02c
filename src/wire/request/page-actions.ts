import { urlGlobProblem } from '../../base/url-patterns.ts';
import { isObject } from '../../domain/json-schema.ts';
import type { ActionSpec, ElementLocator, PageAction, Point } from '../../domain/page-action.ts';
import { checkDepth } from '../schema/json-value.ts';
import {
  addProblem,
  addValueProblem,
  childPointer,
  MAX_PROBLEMS,
  orList,
  type Problems,
} from '../schema/problems.ts';
import { type Check, checker } from '../schema/validation.ts';
import { LOAD_STATES } from './browser-options.ts';
import { readElement } from './element-selector.ts';
import { readExtractRules } from './extract-rules.ts';
import { ACTIONS, DEFAULT_TIMEOUT_MS } from './page-action-schema.ts';
import { shorthandMember } from './page-action-shorthand.ts';
import { readTarget } from './target-url.ts';

type CheckedAction = Readonly<Record<string, unknown>>;

/** What the schema of an action cannot say. */
function checkActionMeaning(action: CheckedAction, pointer: string, problems: Problems): void {
  switch (action.type) {
    case 'goto':
      readTarget(String(action.url), undefined, `${pointer}/url`, problems);
      break;
    case 'wait_for_url':
    case 'wait_for_response':
      checkGlob(String(action.url), `${pointer}/url`, problems);
      break;
    case 'evaluate':
    case 'wait_for_function':
      checkDepth(action.arg, `${pointer}/arg`, problems);
      break;
    case 'extract':
      readExtractRules(action.schema, `${pointer}/schema`, problems);
      break;
    case 'click':
      checkClickAll(action, pointer, problems);
      break;
    case 'screenshot':
      // An element is always taken wholly; of a frame only what is to be seen of it.
      if (action.full_page === true && action.selector === undefined && action.frame !== undefined)
        addProblem(problems, `${pointer}/full_page`, 'cannot be combined with `frame`');
      break;
  }
}

function checkGlob(glob: string, pointer: string, problems: Problems): void {
  const problem = urlGlobProblem(glob);
  if (problem !== null) addProblem(problems, pointer, `is not a valid glob: ${problem}`);
}

function checkClickAll({ all, selector }: CheckedAction, pointer: string, problems: Problems): void {
  if (all !== true) return;
  if (selector === undefined) addProblem(problems, `${pointer}/all`, 'needs `selector`');
  else if (isObject(selector) && selector.nth !== undefined)
    addProblem(problems, `${pointer}/all`, 'cannot be combined with `nth`');
}

/** An action that fits its schema. */
type ValidAction = Readonly<Record<string, unknown>>;

interface ActionPointers {
  readonly index: number;
  readonly pointer: string;
  /** Where a member stands as the caller wrote it. */
  readonly at: (member: string) => string;
}

/** Of `infinite_scroll`, beside its delays: lists take their time. */
const SCROLL_TIMEOUT_MS = 30_000;

type Branches = Readonly<Record<'then' | 'else', readonly PageAction[] | null>>;

/** One action in its full form → the noun. Only for what has been checked: nothing is wrong with it. */
function readAction(given: ValidAction, place: ActionPointers, branches: Branches): PageAction {
  const ask = readActionType(given, place, branches);
  const { index, pointer } = place;
  return {
    ...ask,
    index,
    pointer,
    id: (given.id as string | undefined) ?? null,
    timeoutMs: (given.timeout_ms as number | undefined) ?? defaultTimeout(ask),
    onError: (given.on_error as PageAction['onError'] | undefined) ?? 'stop',
    frame: given.frame === undefined ? null : readElement(given.frame, place.at('frame')),
    optional: given.optional === true,
    waitAfterMs: (given.wait_after_ms as number | undefined) ?? 0,
  };
}

function defaultTimeout(ask: ActionSpec): number | null {
  switch (ask.type) {
    case 'wait':
      return null;
    case 'if':
      return 0;
    case 'type':
      return DEFAULT_TIMEOUT_MS + ask.text.length * ask.delayMs;
    case 'infinite_scroll':
      return SCROLL_TIMEOUT_MS + ask.maxScrolls * ask.delayMs;
    case 'wait_for_load_state':
      return ask.state === 'networkidle' ? 3 * DEFAULT_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
    default:
      return DEFAULT_TIMEOUT_MS;
  }
}

function readActionType(given: ValidAction, { at }: ActionPointers, branches: Branches): ActionSpec {
  const type = given.type as ActionSpec['type'];
  const text = (name: string) => given[name] as string;
  const flag = (name: string) => given[name] === true;
  const number = (name: string, otherwise: number) => (given[name] as number | undefined) ?? otherwise;
  const element = (name = 'selector') => readElement(given[name], at(name));
  const maybe = (name = 'selector'): ElementLocator | null =>
    given[name] === undefined ? null : element(name);
  const point = (): Point => ({ x: given.x as number, y: given.y as number });
  switch (type) {
    case 'click': {
      const button = (given.button as 'left' | 'right' | 'middle' | undefined) ?? 'left';
      return { type, at: maybe() ?? point(), button, count: number('click_count', 1), all: flag('all') };
    }
    case 'fill':
      return { type, at: element(), value: text('value'), clear: given.clear !== false };
    case 'type':
      return { type, text: text('text'), at: maybe(), delayMs: number('delay_ms', 0) };
    case 'press':
      return { type, key: text('key'), at: maybe() };
    case 'select': {
      const { value, values, label } = given as { value?: string; values?: string[]; label?: string };
      if (label !== undefined) return { type, at: element(), by: 'label', values: [label] };
      return { type, at: element(), by: 'value', values: values ?? [value!] };
    }
    case 'check':
    case 'uncheck':
    case 'hover':
    case 'hide':
    case 'remove':
      return { type, at: element() } as ActionSpec;
    case 'scroll': {
      const to = (given.to as 'top' | 'bottom' | undefined) ?? maybe() ?? point();
      return { type, to, container: maybe('container') };
    }
    case 'infinite_scroll': {
      const [until, click] = [maybe('until_selector'), maybe('click_selector')];
      const container = maybe('container');
      return {
        type,
        maxScrolls: number('max_scrolls', 10),
        delayMs: number('delay_ms', 500),
        until,
        click,
        container,
      };
    }
    case 'wait':
      return { type, ms: number('ms', 0) };
    case 'wait_for_selector':
      return { type, at: element(), state: (given.state as 'visible' | undefined) ?? 'visible' };
    case 'wait_for_load_state': {
      return { type, state: LOAD_STATES[text('state') as keyof typeof LOAD_STATES] };
    }
    case 'wait_for_url':
      return { type, url: text('url') };
    case 'wait_for_response': {
      const { method, status } = given as { method?: string; status?: number };
      const upper = method?.toUpperCase() ?? null;
      return { type, url: text('url'), method: upper, status: status ?? null, capture: flag('capture') };
    }
    case 'wait_for_function':
    case 'evaluate':
      return { type, script: text('script'), arg: given.arg ?? null } as ActionSpec;
    case 'goto':
      return { type, url: URL.parse(text('url'))!.href };
    case 'reload':
      return { type };
    case 'back':
      return { type };
    case 'screenshot':
      return {
        type,
        name: (given.name as string | undefined) ?? null,
        fullPage: flag('full_page'),
        at: maybe(),
      };
    case 'extract':
      return { type, rules: readExtractRules(given.schema, at('schema'), []) };
    case 'if': {
      const { status_code: status } = given as { status_code?: number | readonly number[] };
      const when = maybe() ?? (typeof status === 'number' ? [status] : (status ?? []));
      return { type, condition: when, thenActions: branches.then, elseActions: branches.else };
    }
  }
}

const MAX_ACTIONS = 50;
const MAX_FIXED_WAITS_MS = 60_000;
/** So many `if` may stand in one another. */
const MAX_IF_DEPTH = 3;

type ActionJson = Readonly<Record<string, unknown>>;

/** What is known while walking the actions. */
interface ReadContext {
  readonly problems: Problems;
  /** Fixed waits may add up to this; beyond it the action that goes over is named. */
  readonly allowedMs: number;
  /** Said when they do. */
  readonly tooLongMessage: (ms: number) => string;
  count: number;
  exceeded: boolean;
}

const checks = new Map<string, Check>();

/** Actions read, and the sum of their fixed waits, of `if` the larger branch. */
interface ReadActions {
  readonly actions: readonly PageAction[];
  readonly waitsMs: number;
}

/** Where an action stands. */
interface ActionPosition {
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
  actions: readonly ActionJson[],
  given: unknown,
  budget: { readonly beforeMs: number; readonly timeoutMs: number; readonly usableMs: number },
  problems: Problems,
): readonly PageAction[] {
  const room = Math.max(0, budget.usableMs - budget.beforeMs);
  const walk: ReadContext = {
    problems,
    allowedMs: Math.min(MAX_FIXED_WAITS_MS, room),
    tooLongMessage: (ms) =>
      room < MAX_FIXED_WAITS_MS
        ? `makes the fixed waits${budget.beforeMs > 0 ? ', with wait_for_timeout_ms,' : ''} ${ms + budget.beforeMs} ms; at most ${Math.floor(budget.usableMs)} ms, which is timeout_ms (${budget.timeoutMs}) less the time to read the page`
        : `makes the fixed waits ${ms} ms; at most ${MAX_FIXED_WAITS_MS} ms`,
    count: 0,
    exceeded: false,
  };
  return readActionList(actions, given, { index: -1, pointer: '/page_actions', depth: 1, beforeMs: 0 }, walk)
    .actions;
}

/** @param spot of the list; its index is -1 at the top */
function readActionList(
  actions: readonly unknown[],
  given: unknown,
  spot: ActionPosition,
  walk: ReadContext,
): ReadActions {
  let waitsMs = 0;
  const read: PageAction[] = [];
  for (let i = 0; i < actions.length; i++) {
    const pointer = childPointer(spot.pointer, i);
    if (++walk.count > MAX_ACTIONS) {
      if (walk.count === MAX_ACTIONS + 1) {
        addProblem(
          walk.problems,
          pointer,
          `is one action too many; at most ${MAX_ACTIONS}, branches included`,
        );
      }
      break;
    }
    const index = spot.index === -1 ? i : spot.index;
    const here = { ...spot, index, pointer, beforeMs: spot.beforeMs + waitsMs };
    const one = readCheckedAction(actions[i], Array.isArray(given) ? given[i] : undefined, here, walk);
    read.push(...one.actions);
    waitsMs += one.waitsMs;
  }
  return { actions: read, waitsMs };
}

const NO_ACTIONS: ReadActions = { actions: [], waitsMs: 0 };

function readCheckedAction(
  action: unknown,
  given: unknown,
  spot: ActionPosition,
  walk: ReadContext,
): ReadActions {
  const { problems } = walk;
  const { pointer } = spot;
  if (!isObject(action)) {
    addValueProblem(problems, pointer, 'must be an object', action);
    return NO_ACTIONS;
  }
  const kind = typeof action.type === 'string' ? ACTIONS.get(action.type) : undefined;
  if (kind === undefined || typeof action.type !== 'string') {
    const known = `one of ${[...ACTIONS.keys()].join(', ')}`;
    if (Object.hasOwn(action, 'type'))
      addValueProblem(problems, `${pointer}/type`, `must be ${known}`, action.type);
    else addProblem(problems, `${pointer}/type`, `is required: ${known}`);
    return NO_ACTIONS;
  }
  let check = checks.get(action.type);
  if (check === undefined) {
    check = checker(kind.schema);
    checks.set(action.type, check);
  }
  const found: Problems = [];
  if (check(action, pointer, found)) {
    checkMemberGroups(kind.oneOf, action, pointer, found);
    checkActionMeaning(action, pointer, found);
  }
  const short = shorthandMember(given);
  for (const problem of found) addShorthandProblem(problem, pointer, short, problems);
  if (found.length > 0) return NO_ACTIONS;
  const { waitsMs, then: yes, else: no } = fixedWaits(action, given, spot, walk);
  const written = (member: string) => `${pointer}/${member === short?.member ? short.name : member}`;
  const place = { index: spot.index, pointer, at: written };
  // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
  return { actions: [readAction(action, place, { then: yes, else: no })], waitsMs };
}

/** The member that a shorthand's value stands for is named as the caller wrote it. */
function addShorthandProblem(
  problem: Problems[number],
  pointer: string,
  short: ReturnType<typeof shorthandMember>,
  problems: Problems,
): void {
  if (problems.length >= MAX_PROBLEMS) return;
  const member = `${pointer}/${short?.member}`;
  if (short === null || problem.pointer !== member) problems.push(problem);
  else {
    const written = `${pointer}/${short.name}`;
    problems.push({ ...problem, pointer: written, message: problem.message.replace(member, written) });
  }
}

function checkMemberGroups(
  groups: readonly (readonly string[])[],
  action: ActionJson,
  pointer: string,
  problems: Problems,
): void {
  if (groups.length === 0) return;
  const started = groups.filter((group) => group.some((name) => Object.hasOwn(action, name)));
  const missing = started[0]?.find((name) => !Object.hasOwn(action, name));
  const words = orList(groups.map((group) => group.join(' and ')));
  if (started.length === 0)
    addProblem(problems, `${pointer}/${groups[0]![0]}`, `is required (or another of: ${words})`);
  else if (started.length > 1) addProblem(problems, pointer, `must have one of: ${words}, not several`);
  else if (missing !== undefined) addProblem(problems, `${pointer}/${missing}`, 'is required too');
}

/** The fixed waits of one action; the branches of `if` are read on the way. */
function fixedWaits(
  action: ActionJson,
  given: unknown,
  { index, pointer, depth, beforeMs }: ActionPosition,
  walk: ReadContext,
) {
  let waitsMs = 0;
  const add = (ms: unknown, place: string) => {
    if (typeof ms !== 'number') return;
    waitsMs += ms;
    const all = beforeMs + waitsMs;
    if (all <= walk.allowedMs || walk.exceeded) return;
    walk.exceeded = true;
    addProblem(walk.problems, place, walk.tooLongMessage(all));
  };
  const branch = (name: 'then' | 'else'): ReadActions | null => {
    const list = action[name];
    if (!Array.isArray(list)) return null;
    const place = `${pointer}/${name}`;
    if (depth > MAX_IF_DEPTH && list.length > 0) {
      addProblem(walk.problems, place, `is nested deeper than ${MAX_IF_DEPTH} levels`);
      return NO_ACTIONS;
    }
    const inner = isObject(given)
      ? (given[name] ?? (isObject(given.if) ? given.if[name] : undefined))
      : undefined;
    return readActionList(list, inner, { index, pointer: place, depth: depth + 1, beforeMs }, walk);
  };
  if (action.type === 'wait') add(action.ms, `${pointer}/${shorthandMember(given)?.name ?? 'ms'}`);
  const [yes, no] = action.type === 'if' ? [branch('then'), branch('else')] : [null, null];
  if (action.type === 'if' && yes === null && no === null)
    addProblem(walk.problems, `${pointer}/then`, 'is required (or `else`)');
  waitsMs += Math.max(yes?.waitsMs ?? 0, no?.waitsMs ?? 0);
  add(action.wait_after_ms, `${pointer}/wait_after_ms`);
  // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
  return { waitsMs, then: yes?.actions ?? null, else: no?.actions ?? null };
}
