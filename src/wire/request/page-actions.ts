import { urlGlobProblem } from '../../base/url-patterns.ts';
import { isObject } from '../../domain/json-schema.ts';
import type {
  ActionSpec,
  ElementLocator,
  ElementState,
  PageAction,
  Point,
} from '../../domain/page-action.ts';
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

/** An action in its full form; see `normaliseAction`. */
type ActionJson = Readonly<Record<string, unknown>>;

/** Checks the rules that a JSON schema cannot express. */
function checkActionMeaning(action: ActionJson, pointer: string, problems: Problems): void {
  switch (action.type) {
    case 'goto':
      // undefined: the action has no `query`.
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
      checkClickMatches(action, pointer, problems);
      break;
    case 'screenshot':
      // A screenshot of a frame without a selector has only its visible part.
      if (action.full_page === true && action.selector === undefined && action.frame !== undefined)
        addProblem(problems, `${pointer}/full_page`, 'cannot be combined with `frame`');
      break;
  }
}

function checkGlob(glob: string, pointer: string, problems: Problems): void {
  const problem = urlGlobProblem(glob);
  if (problem !== null) addProblem(problems, pointer, `is not a valid glob: ${problem}`);
}

/** `all` and `strict` say what becomes of several matches. */
function checkClickMatches(action: ActionJson, pointer: string, problems: Problems): void {
  const { selector } = action;
  for (const name of ['all', 'strict']) {
    if (action[name] !== true) continue;
    if (selector === undefined) addProblem(problems, `${pointer}/${name}`, 'needs `selector`');
    else if (isObject(selector) && selector.nth !== undefined)
      addProblem(problems, `${pointer}/${name}`, 'cannot be combined with `nth`');
  }
  if (action.all === true && action.strict === true)
    addProblem(problems, `${pointer}/strict`, 'cannot be combined with `all`');
}

/** Where an action is in the request. */
interface ParsedPosition {
  readonly index: number;
  readonly pointer: string;
  /** The pointer of a member, under the name that the caller used. */
  readonly memberPointer: (member: string) => string;
}

/** Default time limit of `infinite_scroll`, without its delays. Loading more items takes longer than other actions. */
const SCROLL_TIMEOUT_MS = 30_000;

/** Default time limit of `login`, which waits for several pages. */
const LOGIN_TIMEOUT_MS = 30_000;

type Branches = Readonly<Record<'then' | 'else', readonly PageAction[] | null>>;

/** Converts an action that has been checked. */
function readAction(action: ActionJson, position: ParsedPosition, branches: Branches): PageAction {
  const spec = readSpec(action, position, branches);
  const { index, pointer } = position;
  return {
    ...spec,
    index,
    pointer,
    id: (action.id as string | undefined) ?? null,
    timeoutMs: (action.timeout_ms as number | undefined) ?? defaultTimeout(spec),
    onError: (action.on_error as PageAction['onError'] | undefined) ?? 'stop',
    frame: action.frame === undefined ? null : readElement(action.frame, position.memberPointer('frame')),
    optional: action.optional === true,
    waitAfterMs: (action.wait_after_ms as number | undefined) ?? 0,
  };
}

function defaultTimeout(spec: ActionSpec): number | null {
  switch (spec.type) {
    case 'wait':
      // The duration of the wait is its limit.
      return null;
    case 'if':
      // The condition is checked once, without waiting.
      return 0;
    case 'type':
      return DEFAULT_TIMEOUT_MS + spec.text.length * spec.delayMs;
    case 'infinite_scroll':
      return SCROLL_TIMEOUT_MS + spec.maxScrolls * spec.delayMs;
    case 'login':
      return LOGIN_TIMEOUT_MS;
    case 'wait_for_load_state':
      return spec.state === 'networkidle' ? 3 * DEFAULT_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
    default:
      return DEFAULT_TIMEOUT_MS;
  }
}

function readSpec(action: ActionJson, { memberPointer }: ParsedPosition, branches: Branches): ActionSpec {
  const type = action.type as ActionSpec['type'];
  const text = (name: string) => action[name] as string;
  const flag = (name: string) => action[name] === true;
  const number = (name: string, defaultValue: number) => (action[name] as number | undefined) ?? defaultValue;
  const element = (name = 'selector') => readElement(action[name], memberPointer(name));
  const optionalElement = (name = 'selector'): ElementLocator | null =>
    action[name] === undefined ? null : element(name);
  const point = (): Point => ({ x: action.x as number, y: action.y as number });
  switch (type) {
    case 'click': {
      const button = (action.button as 'left' | 'right' | 'middle' | undefined) ?? 'left';
      return {
        type,
        at: optionalElement() ?? point(),
        button,
        count: number('click_count', 1),
        all: flag('all'),
        ...(flag('strict') ? { strict: true as const } : {}),
      };
    }
    case 'fill':
      return { type, at: element(), value: text('value'), clear: action.clear !== false };
    case 'type':
      return { type, text: text('text'), at: optionalElement(), delayMs: number('delay_ms', 0) };
    case 'press':
      return { type, key: text('key'), at: optionalElement() };
    case 'select': {
      const { value, values, label } = action as { value?: string; values?: string[]; label?: string };
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
      const to = (action.to as 'top' | 'bottom' | undefined) ?? optionalElement() ?? point();
      return { type, to, container: optionalElement('container') };
    }
    case 'infinite_scroll': {
      return {
        type,
        maxScrolls: number('max_scrolls', 10),
        delayMs: number('delay_ms', 500),
        until: optionalElement('until_selector'),
        click: optionalElement('click_selector'),
        container: optionalElement('container'),
      };
    }
    case 'wait':
      return { type, ms: number('ms', 0) };
    case 'wait_for_selector':
      return { type, at: element(), state: (action.state as ElementState | undefined) ?? 'visible' };
    case 'wait_for_load_state': {
      return { type, state: LOAD_STATES[text('state') as keyof typeof LOAD_STATES] };
    }
    case 'wait_for_url':
      return { type, url: text('url') };
    case 'wait_for_response': {
      const { method, status } = action as { method?: string; status?: number };
      const upperMethod = method?.toUpperCase() ?? null;
      return {
        type,
        url: text('url'),
        method: upperMethod,
        status: status ?? null,
        capture: flag('capture'),
      };
    }
    case 'wait_for_function':
    case 'evaluate':
      return { type, script: text('script'), arg: action.arg ?? null } as ActionSpec;
    case 'goto':
      return { type, url: URL.parse(text('url'))!.href };
    case 'reload':
      return { type };
    case 'login':
      return { type, profile: text('profile') };
    case 'back':
      return { type };
    case 'screenshot':
      return {
        type,
        name: (action.name as string | undefined) ?? null,
        fullPage: flag('full_page'),
        at: optionalElement(),
      };
    case 'extract': {
      // `checkActionMeaning` has reported the problems of the rules: an action with problems is not converted.
      const reportedProblems: Problems = [];
      return { type, rules: readExtractRules(action.schema, memberPointer('schema'), reportedProblems) };
    }
    case 'if': {
      const { status_code: status } = action as { status_code?: number | readonly number[] };
      const condition = optionalElement() ?? (typeof status === 'number' ? [status] : (status ?? []));
      return { type, condition, thenActions: branches.then, elseActions: branches.else };
    }
  }
}

const MAX_ACTIONS = 50;
const MAX_FIXED_WAITS_MS = 60_000;
/** Levels of nested `if` actions. */
const MAX_IF_DEPTH = 3;

/** State while the actions are read. */
interface ReadContext {
  readonly problems: Problems;
  /** Limit of the sum of all fixed waits of actions. The first action that exceeds it is reported. */
  readonly allowedMs: number;
  /** The message for the action that exceeds the limit. @param ms the sum of the waits up to this action */
  readonly tooLongMessage: (ms: number) => string;
  /** Actions read so far, those in branches included. */
  count: number;
  /** An action that exceeds `allowedMs` was reported. */
  exceeded: boolean;
}

/** The compiled schemas, by the type of the action. */
const checks = new Map<string, Check>();

/** The actions of a list. */
interface ReadActions {
  readonly actions: readonly PageAction[];
  /** Sum of their fixed waits. An `if` counts with the branch that waits longer. */
  readonly waitsMs: number;
}

/** Position of an action, or of a list of actions. */
interface ActionPosition {
  /** Index in `page_actions`; within an `if`, that of the outermost `if`; null: the list `page_actions` itself. */
  readonly index: number | null;
  readonly pointer: string;
  /** 1: not within an `if`. */
  readonly depth: number;
  /** Fixed waits of the actions before it. */
  readonly beforeMs: number;
}

type ItemPosition = ActionPosition & { readonly index: number };

/**
 * Checks and converts the page actions.
 * @param actions in their full form
 * @param original the same as the caller wrote them: problems point to the names that the caller used
 * @param budget `pageWaitMs`: `wait_for_timeout_ms`, the fixed wait before the first action; `usableMs`: `timeoutMs` less the time to read the page
 */
export function readActions(
  actions: readonly ActionJson[],
  original: unknown,
  budget: { readonly pageWaitMs: number; readonly timeoutMs: number; readonly usableMs: number },
  problems: Problems,
): readonly PageAction[] {
  const remainingMs = Math.max(0, budget.usableMs - budget.pageWaitMs);
  const context: ReadContext = {
    problems,
    allowedMs: Math.min(MAX_FIXED_WAITS_MS, remainingMs),
    tooLongMessage: (ms) =>
      remainingMs < MAX_FIXED_WAITS_MS
        ? `makes the fixed waits${budget.pageWaitMs > 0 ? ', with wait_for_timeout_ms,' : ''} ${ms + budget.pageWaitMs} ms; at most ${Math.floor(budget.usableMs)} ms, which is timeout_ms (${budget.timeoutMs}) less the time to read the page`
        : `makes the fixed waits ${ms} ms; at most ${MAX_FIXED_WAITS_MS} ms`,
    count: 0,
    exceeded: false,
  };
  return readActionList(
    actions,
    original,
    { index: null, pointer: '/page_actions', depth: 1, beforeMs: 0 },
    context,
  ).actions;
}

/** @param position of the list */
function readActionList(
  actions: readonly unknown[],
  original: unknown,
  position: ActionPosition,
  context: ReadContext,
): ReadActions {
  let waitsMs = 0;
  const pageActions: PageAction[] = [];
  for (let i = 0; i < actions.length; i++) {
    const pointer = childPointer(position.pointer, i);
    if (++context.count > MAX_ACTIONS) {
      if (context.count === MAX_ACTIONS + 1) {
        addProblem(
          context.problems,
          pointer,
          `is one action too many; at most ${MAX_ACTIONS}, branches included`,
        );
      }
      break;
    }
    const index = position.index ?? i;
    const itemPosition = { ...position, index, pointer, beforeMs: position.beforeMs + waitsMs };
    const item = readAndCheckAction(
      actions[i],
      Array.isArray(original) ? original[i] : undefined,
      itemPosition,
      context,
    );
    pageActions.push(...item.actions);
    waitsMs += item.waitsMs;
  }
  return { actions: pageActions, waitsMs };
}

const NO_ACTIONS: ReadActions = { actions: [], waitsMs: 0 };

function readAndCheckAction(
  action: unknown,
  original: unknown,
  position: ItemPosition,
  context: ReadContext,
): ReadActions {
  const { problems } = context;
  const { pointer } = position;
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
  const actionProblems: Problems = [];
  if (check(action, pointer, actionProblems)) {
    checkMemberGroups(kind.oneOf, action, pointer, actionProblems);
    checkActionMeaning(action, pointer, actionProblems);
  }
  const shorthand = shorthandMember(original);
  for (const problem of actionProblems) addShorthandProblem(problem, pointer, shorthand, problems);
  if (actionProblems.length > 0) return NO_ACTIONS;
  const { waitsMs, ...branches } = readWaitsAndBranches(action, original, position, context);
  const memberPointer = (member: string) =>
    `${pointer}/${member === shorthand?.member ? shorthand.name : member}`;
  const parsedPosition = { index: position.index, pointer, memberPointer };
  return { actions: [readAction(action, parsedPosition, branches)], waitsMs };
}

/** Adds the problem. If the value of a shorthand is at fault, its pointer gets the name that the caller wrote. */
function addShorthandProblem(
  problem: Problems[number],
  pointer: string,
  shorthand: ReturnType<typeof shorthandMember>,
  problems: Problems,
): void {
  if (problems.length >= MAX_PROBLEMS) return;
  const member = `${pointer}/${shorthand?.member}`;
  if (shorthand === null || problem.pointer !== member) problems.push(problem);
  else {
    const shorthandPointer = `${pointer}/${shorthand.name}`;
    problems.push({
      ...problem,
      pointer: shorthandPointer,
      message: problem.message.replace(member, shorthandPointer),
    });
  }
}

/** Exactly one of the groups must be present, and it must be complete. */
function checkMemberGroups(
  groups: readonly (readonly string[])[],
  action: ActionJson,
  pointer: string,
  problems: Problems,
): void {
  if (groups.length === 0) return;
  const presentGroups = groups.filter((group) => group.some((name) => Object.hasOwn(action, name)));
  const missing = presentGroups[0]?.find((name) => !Object.hasOwn(action, name));
  const words = orList(groups.map((group) => group.join(' and ')));
  if (presentGroups.length === 0)
    addProblem(problems, `${pointer}/${groups[0]![0]}`, `is required (or another of: ${words})`);
  else if (presentGroups.length > 1) addProblem(problems, pointer, `must have one of: ${words}, not several`);
  else if (missing !== undefined) addProblem(problems, `${pointer}/${missing}`, 'is required too');
}

/** Adds up the fixed waits of an action, and reads the branches of an `if`, whose waits count too. */
function readWaitsAndBranches(
  action: ActionJson,
  original: unknown,
  { index, pointer, depth, beforeMs }: ItemPosition,
  context: ReadContext,
) {
  let waitsMs = 0;
  const addWait = (ms: unknown, memberPointer: string) => {
    if (typeof ms !== 'number') return;
    waitsMs += ms;
    const totalMs = beforeMs + waitsMs;
    if (totalMs <= context.allowedMs || context.exceeded) return;
    context.exceeded = true;
    addProblem(context.problems, memberPointer, context.tooLongMessage(totalMs));
  };
  const branch = (name: 'then' | 'else'): ReadActions | null => {
    const list = action[name];
    if (!Array.isArray(list)) return null;
    const branchPointer = `${pointer}/${name}`;
    if (depth > MAX_IF_DEPTH && list.length > 0) {
      addProblem(context.problems, branchPointer, `is nested deeper than ${MAX_IF_DEPTH} levels`);
      return NO_ACTIONS;
    }
    const originalBranch = isObject(original)
      ? (original[name] ?? (isObject(original.if) ? original.if[name] : undefined))
      : undefined;
    return readActionList(
      list,
      originalBranch,
      { index, pointer: branchPointer, depth: depth + 1, beforeMs },
      context,
    );
  };
  if (action.type === 'wait') addWait(action.ms, `${pointer}/${shorthandMember(original)?.name ?? 'ms'}`);
  const [thenBranch, elseBranch] = action.type === 'if' ? [branch('then'), branch('else')] : [null, null];
  if (action.type === 'if' && thenBranch === null && elseBranch === null)
    addProblem(context.problems, `${pointer}/then`, 'is required (or `else`)');
  waitsMs += Math.max(thenBranch?.waitsMs ?? 0, elseBranch?.waitsMs ?? 0);
  addWait(action.wait_after_ms, `${pointer}/wait_after_ms`);
  // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
  return { waitsMs, then: thenBranch?.actions ?? null, else: elseBranch?.actions ?? null };
}
