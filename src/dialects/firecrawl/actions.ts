import { isObject } from '../../domain/json-schema.ts';
import { BadRequest } from './bad-request.ts';
import type { ScrapeDraft } from './draft.ts';
import {
  booleanAt,
  choiceAt,
  listAt,
  type Members,
  numberAt,
  readMembers,
  refused,
  supported,
  textAt,
} from './members.ts';

/** One of our page actions in the making, and the options of the request. */
interface ActionDraft {
  readonly action: Record<string, unknown>;
  readonly draft: ScrapeDraft;
}

const set = (member: string, says: string, read: (value: unknown, at: string) => unknown) =>
  supported<ActionDraft>(says, (value, { action }, at) => {
    action[member] = read(value, at);
  });

const SCROLL = `({direction, selector}) => {
  const box = selector ? document.querySelector(selector) : null;
  if (selector && !box) throw new Error('no element matches ' + selector);
  const height = box ? box.clientHeight : innerHeight;
  (box ?? window).scrollBy(0, direction === 'up' ? -height : height);
}`;

const READ_PAGE = '({url: location.href, html: document.documentElement.outerHTML})';

/** Names of keys in use, lower-case, by those of browsers (UI Events `key` values), which are in mixed case. */
const KEYS: Readonly<Record<string, string>> = Object.fromEntries([
  ...[
    ...['Enter', 'Tab', 'Escape', 'Backspace', 'Delete', 'Insert', 'Home', 'End', 'PageUp', 'PageDown'],
    ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift', 'Control', 'Alt', 'Meta', 'CapsLock'],
    ...Array.from({ length: 12 }, (_, n) => `F${n + 1}`),
  ].map((key) => [key.toLowerCase(), key]),
  ...Object.entries({
    return: 'Enter',
    esc: 'Escape',
    del: 'Delete',
    ins: 'Insert',
    space: ' ',
    spacebar: ' ',
    up: 'ArrowUp',
    down: 'ArrowDown',
    left: 'ArrowLeft',
    right: 'ArrowRight',
    pgup: 'PageUp',
    pgdn: 'PageDown',
    ctrl: 'Control',
    option: 'Alt',
    cmd: 'Meta',
    command: 'Meta',
    super: 'Meta',
  }),
]);

/** A key of `press`, or several with `+`, in any letter case and with `_`, `-` or spaces between the words. */
function keyAt(value: unknown, at: string): string {
  const named = (key: string): string => {
    const name = key.replace(/[ _-]/g, '').toLowerCase();
    return Object.hasOwn(KEYS, name) ? KEYS[name]! : key;
  };
  return textAt(value, at)
    .split(/(?<=.)\+(?=.)/s)
    .map(named)
    .join('+');
}

interface ActionKind {
  readonly members: Members<ActionDraft>;
  readonly required: readonly string[];
  /** Completes our action from the members that were read. @returns null: it is no action of ours */
  readonly make: (
    members: Record<string, unknown>,
    draft: ScrapeDraft,
    at: string,
  ) => Record<string, unknown> | null;
}

/** Their actions, by type. */
export const ACTIONS: Readonly<Record<string, ActionKind>> = {
  wait: {
    members: {
      milliseconds: set('ms', 'fixed time', numberAt),
      selector: set('selector', 'until the element is visible', textAt),
    },
    required: [],
    make: ({ ms, selector }, _, at) => {
      if ((ms === undefined) === (selector === undefined))
        throw new BadRequest(`${at} must have either milliseconds or selector.`);
      // Firecrawl waits up to 30 s for an element.
      if (selector !== undefined) return { type: 'wait_for_selector', selector, timeout_ms: 30_000 };
      return { type: 'wait', ms };
    },
  },
  screenshot: {
    members: {
      fullPage: set('full_page', 'the whole page', booleanAt),
      quality: refused('pictures of actions are PNG.'),
      viewport: refused('the size of the window is that of the format `screenshot`.'),
    },
    required: [],
    make: (members) => ({ type: 'screenshot', ...members }),
  },
  click: {
    members: {
      selector: set('selector', 'the first match', textAt),
      all: set('all', 'every match', booleanAt),
    },
    required: ['selector'],
    make: (members) => ({ type: 'click', ...members }),
  },
  write: {
    members: { text: set('text', 'typed into the focused element', textAt) },
    required: ['text'],
    make: (members) => ({ type: 'type', ...members }),
  },
  press: {
    members: { key: set('key', 'a key or a combination, such as `ENTER`', keyAt) },
    required: ['key'],
    make: (members) => ({ type: 'press', ...members }),
  },
  scroll: {
    members: {
      direction: set('direction', 'one screen `up` or `down`', (value, at) =>
        choiceAt(value, at, ['up', 'down']),
      ),
      selector: set('selector', 'the element that scrolls', textAt),
    },
    required: [],
    make: ({ direction = 'down', selector = null }) => ({
      type: 'evaluate',
      script: SCROLL,
      arg: { direction, selector },
    }),
  },
  scrape: {
    members: {},
    required: [],
    make: () => ({ type: 'evaluate', script: READ_PAGE }),
  },
  executeJavascript: {
    members: { script: set('script', 'an expression or function body', textAt) },
    required: ['script'],
    make: (members) => ({ type: 'evaluate', ...members }),
  },
  pdf: {
    members: {
      format: set('format', 'size of the paper', textAt),
      landscape: set('landscape', 'lying paper', booleanAt),
      scale: set('scale', '0.1 to 2', numberAt),
    },
    required: [],
    make: (members, draft) => {
      draft.options.pdf = members;
      draft.formats.add('pdf');
      return null;
    },
  },
};

/** `actions`. The page is printed at the end, so `pdf` must be the last one. */
export function readActions(value: unknown, draft: ScrapeDraft, at: string): void {
  const entries = listAt(value, at);
  const actions: Record<string, unknown>[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = `${at}[${index}]`;
    if (!isObject(entry)) throw new BadRequest(`${path} must be a JSON object.`);
    const { type, ...members } = entry;
    const name = textAt(type, `${path}.type`);
    const kind = Object.hasOwn(ACTIONS, name) ? ACTIONS[name]! : null;
    if (kind === null)
      throw new BadRequest(
        `${path}: there is no action ${JSON.stringify(name)}; there are ${Object.keys(ACTIONS).join(', ')}.`,
      );
    for (const member of kind.required)
      if (members[member] === undefined) throw new BadRequest(`${path} must have ${member}.`);
    const action: Record<string, unknown> = {};
    readMembers(kind.members, members, { action, draft }, path);
    const made = kind.make(action, draft, path);
    if (made === null && index < entries.length - 1)
      throw new BadRequest(
        `${path}: ${name} must be the last action, because the page is printed at the end.`,
      );
    draft.wanted.actions.push(name);
    if (made !== null) actions.push(made);
  }
  if (actions.length > 0) draft.request.page_actions = actions;
}
