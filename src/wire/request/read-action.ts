import type { LoadState } from '../../domain/browser-ask.ts';
import type { ActionAsk, ElementAt, PageAction, Point } from '../../domain/page-action.ts';
import { DEFAULT_TIMEOUT_MS } from './action-members.ts';
import { STATE_ALIASES } from './browser-ask.ts';
import { elementAt } from './element-selector.ts';
import { readExtract } from './extract.ts';

/** An action that fits its schema. */
type Given = Readonly<Record<string, unknown>>;

export interface ActionPlace {
  readonly index: number;
  readonly pointer: string;
  /** Where a member stands as the caller wrote it. */
  readonly at: (member: string) => string;
}

/** Of `infinite_scroll`, beside its delays: lists take their time. */
const SCROLLING_MS = 30_000;

type Branches = Readonly<Record<'then' | 'else', readonly PageAction[] | null>>;

/** One action in its full form → the noun. Only for what has been checked: nothing is wrong with it. */
export function readAction(given: Given, place: ActionPlace, branches: Branches): PageAction {
  const ask = askOf(given, place, branches);
  const { index, pointer } = place;
  return {
    ...ask,
    index,
    pointer,
    id: (given.id as string | undefined) ?? null,
    timeoutMs: (given.timeout_ms as number | undefined) ?? defaultTimeout(ask),
    onError: (given.on_error as PageAction['onError'] | undefined) ?? 'stop',
    frame: given.frame === undefined ? null : elementAt(given.frame, place.at('frame')),
    optional: given.optional === true,
    waitAfterMs: (given.wait_after_ms as number | undefined) ?? 0,
  };
}

function defaultTimeout(ask: ActionAsk): number | null {
  switch (ask.type) {
    case 'wait':
      return null;
    case 'if':
      return 0;
    case 'type':
      return DEFAULT_TIMEOUT_MS + ask.text.length * ask.delayMs;
    case 'infinite_scroll':
      return SCROLLING_MS + ask.most * ask.delayMs;
    case 'wait_for_load_state':
      return ask.state === 'networkidle' ? 3 * DEFAULT_TIMEOUT_MS : DEFAULT_TIMEOUT_MS;
    default:
      return DEFAULT_TIMEOUT_MS;
  }
}

function askOf(given: Given, { at }: ActionPlace, branches: Branches): ActionAsk {
  const type = given.type as ActionAsk['type'];
  const text = (name: string) => given[name] as string;
  const flag = (name: string) => given[name] === true;
  const number = (name: string, otherwise: number) => (given[name] as number | undefined) ?? otherwise;
  const element = (name = 'selector') => elementAt(given[name], at(name));
  const maybe = (name = 'selector'): ElementAt | null => (given[name] === undefined ? null : element(name));
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
      return { type, at: element() } as ActionAsk;
    case 'scroll': {
      const to = (given.to as 'top' | 'bottom' | undefined) ?? maybe() ?? point();
      return { type, to, container: maybe('container') };
    }
    case 'infinite_scroll': {
      const [until, click] = [maybe('until_selector'), maybe('click_selector')];
      const container = maybe('container');
      return {
        type,
        most: number('max_scrolls', 10),
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
      const state = text('state');
      return { type, state: STATE_ALIASES[state] ?? (state as LoadState) };
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
      return { type, script: text('script'), arg: given.arg ?? null } as ActionAsk;
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
      return { type, rules: readExtract(given.schema, at('schema'), []) };
    case 'if': {
      const { status_code: status } = given as { status_code?: number | readonly number[] };
      const when = maybe() ?? (typeof status === 'number' ? [status] : (status ?? []));
      return { type, when, yes: branches.then, no: branches.else };
    }
  }
}
