import { isObject } from '../../domain/json-schema.ts';
import { flag, number, problem, text } from './members.ts';

type Members = Readonly<Record<string, unknown>>;
type Action = Readonly<Record<string, unknown>>;

interface ActionKind {
  /** Members besides `action` and `onError`. */
  readonly members: readonly string[];
  readonly read: (members: Members) => Action;
}

/** Their times are seconds, ours milliseconds. */
const ms = (value: unknown, name: string, otherwise: number): number =>
  (value === undefined || value === null ? otherwise : number(value, name)) * 1000;

/** @throws ExtractProblem */
function selector(value: unknown, state: 'state' | 'no state' = 'no state'): Action {
  if (!isObject(value)) return problem('`selector` must be an object');
  const { type, value: expression, state: wanted = 'visible', ...rest } = value;
  const other = Object.keys(rest)[0];
  if (other !== undefined) return problem(`Unrecognized field "${other}" in \`selector\``);
  if (state === 'no state' && wanted !== 'visible')
    return problem('`selector.state` is only available for waitForSelector');
  return { type: text(type, 'selector.type'), value: text(expression, 'selector.value') };
}

const on = (type: string, more: Action = {}): ActionKind => ({
  members: ['selector'],
  read: (members) => ({ type, selector: selector(members.selector), ...more }),
});

const unavailable = (why: string): ActionKind => ({ members: [], read: () => problem(why) });

/** @throws ExtractProblem if the member asks for something */
function refuse(members: Members, name: string): void {
  const value = members[name];
  if (value !== undefined && value !== null && value !== 0)
    problem(`\`${name}\` of this action is not available`);
}

/** Their comparison of URLs as a glob. @throws ExtractProblem */
export function urlGlob(value: unknown, matching: unknown): string {
  const literal = text(value, 'URL').replace(/[\\*{}]/g, '\\$&');
  switch (matching ?? 'contains') {
    case 'contains':
      return `**${literal}**`;
    case 'startsWith':
      return `${literal}**`;
    case 'endsWith':
      return `**${literal}`;
    case 'exact':
      return literal;
    default:
      return problem('URLs are compared by contains, startsWith, endsWith or exact');
  }
}

function navigation(type: 'goto' | 'reload', members: Members): Action {
  const options = members.options ?? {};
  if (!isObject(options)) return problem('`options` must be an object');
  if (options.waitUntil !== undefined && options.waitUntil !== 'load')
    return problem('`options.waitUntil` can only be load');
  return {
    type,
    ...(type === 'goto' && { url: text(members.url, 'url') }),
    timeout_ms: ms(options.timeout, 'options.timeout', 30),
  };
}

const ACTIONS: Readonly<Record<string, ActionKind>> = {
  click: {
    members: ['selector', 'button', 'delay', 'waitForNavigationTimeout'],
    read: (members) => {
      refuse(members, 'delay');
      refuse(members, 'waitForNavigationTimeout');
      return { type: 'click', selector: selector(members.selector), button: members.button ?? 'left' };
    },
  },
  doubleClick: on('click', { click_count: 2 }),
  evaluate: {
    members: ['source'],
    read: ({ source }) => ({ type: 'evaluate', script: text(source, 'source') }),
  },
  goto: { members: ['url', 'options'], read: (members) => navigation('goto', members) },
  reload: { members: ['options'], read: (members) => navigation('reload', members) },
  hide: on('hide'),
  hover: on('hover'),
  keyPress: { members: ['key'], read: ({ key }) => ({ type: 'press', key: text(key, 'key') }) },
  scrollBottom: {
    members: ['timeout', 'maxScrollDelay', 'maxPageHeight', 'maxScrollCount', 'scrollStep'],
    read: (members) => {
      for (const name of ['maxScrollDelay', 'maxPageHeight', 'scrollStep']) refuse(members, name);
      return {
        type: 'infinite_scroll',
        max_scrolls: members.maxScrollCount ?? 100,
        timeout_ms: ms(members.timeout, 'timeout', 15),
      };
    },
  },
  scrollTo: {
    members: ['selector', 'top', 'left'],
    read: ({ selector: target, top, left }) =>
      target === undefined
        ? { type: 'scroll', x: left ?? 0, y: top ?? 0 }
        : { type: 'scroll', selector: selector(target) },
  },
  select: {
    members: ['selector', 'values'],
    read: (members) => ({
      type: 'select',
      selector: selector(members.selector),
      values: members.values,
    }),
  },
  type: {
    members: ['selector', 'text', 'delay'],
    read: (members) => ({
      type: 'type',
      selector: selector(members.selector),
      text: text(members.text, 'text'),
      delay_ms: ms(members.delay, 'delay', 0),
    }),
  },
  waitForNavigation: {
    members: ['timeout', 'waitUntil'],
    read: ({ timeout, waitUntil }) => ({
      type: 'wait_for_load_state',
      state: waitUntil ?? 'load',
      timeout_ms: ms(timeout, 'timeout', 31),
    }),
  },
  waitForResponse: {
    members: ['urlPattern', 'urlMatchingOptions', 'timeout'],
    read: ({ urlPattern, urlMatchingOptions, timeout }) => ({
      type: 'wait_for_response',
      url: urlGlob(urlPattern, urlMatchingOptions),
      timeout_ms: ms(timeout, 'timeout', 5),
    }),
  },
  waitForSelector: {
    members: ['selector', 'timeout'],
    read: ({ selector: target, timeout }) => ({
      type: 'wait_for_selector',
      selector: selector(target, 'state'),
      state: (target as Members).state ?? 'visible',
      timeout_ms: ms(timeout, 'timeout', 5),
    }),
  },
  waitForTimeout: {
    members: ['timeout'],
    read: ({ timeout }) => ({ type: 'wait', ms: ms(timeout, 'timeout', 5) }),
  },
  waitForRequest: unavailable('`waitForRequest` is not available: use waitForResponse'),
  interaction: unavailable('`interaction` is not available: there are no browser scripts here'),
  searchKeyword: unavailable('`searchKeyword` is not available: use type and keyPress'),
  setLocation: unavailable('`setLocation` is not available: fill the form with type and click'),
};

/** Their `actions` → `page_actions`. @throws ExtractProblem */
export function readActions(value: unknown): readonly Action[] {
  if (!Array.isArray(value)) return problem('`actions` must be a list');
  return (value as readonly unknown[]).map((item) => {
    const { action, onError = 'return', ...members } = isObject(item) ? item : {};
    const name = String(action);
    const kind = Object.hasOwn(ACTIONS, name) ? ACTIONS[name]! : problem(`There is no action "${name}"`);
    if (onError !== 'return' && onError !== 'continue')
      return problem('`onError` must be return or continue');
    const read = kind.read(members);
    const other = Object.keys(members).find((member) => !kind.members.includes(member));
    if (other !== undefined) return problem(`Unrecognized field "${other}" in the action ${name}`);
    return { ...read, on_error: onError === 'return' ? 'stop' : 'continue' };
  });
}

/** A filter of `networkCapture`. */
export interface NetworkFilter {
  readonly filter: Members;
  readonly capture: Action;
}

/** Their `networkCapture` → `capture`. @throws ExtractProblem */
export function readFilters(value: unknown): readonly NetworkFilter[] {
  if (!Array.isArray(value)) return problem('`networkCapture` must be a list');
  return (value as readonly unknown[]).map((filter) => {
    if (!isObject(filter)) return problem('`networkCapture` must be a list of objects');
    const { filterType, httpResponseBody = false, value: url, matchType, resourceType, ...rest } = filter;
    const other = Object.keys(rest)[0];
    if (other !== undefined) return problem(`Unrecognized field "${other}" in \`networkCapture\``);
    const body = flag(httpResponseBody, 'networkCapture.httpResponseBody');
    if (filterType === 'url') return { filter, capture: { url: urlGlob(url, matchType), body } };
    if (filterType === 'resourceType' && (resourceType === 'document' || resourceType === 'xhr'))
      return { filter, capture: { url: '**', resource_type: resourceType, body } };
    return problem('`networkCapture` filters by url, or by the resourceType document or xhr');
  });
}
