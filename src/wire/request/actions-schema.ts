import { type TObject, type TProperties, Type } from 'typebox';
import { closed, placeholder } from '../schema/build.ts';
import { ExtractRules } from './options-schema.ts';
import { Selector } from './selector-schema.ts';

const opt = Type.Optional;
const Text = Type.String({ maxLength: 100_000 });
const Script = Type.String({ minLength: 1, maxLength: 100_000 });
const Name = Type.String({ minLength: 1, maxLength: 64 });
const Ms = Type.Number({ minimum: 0, maximum: 60_000 });
const Glob = Type.String({ minLength: 1, maxLength: 2000, description: 'A glob as in Playwright.' });
const Status = Type.Integer({ minimum: 100, maximum: 599 });
const Nested = Type.Array(placeholder<Readonly<Record<string, unknown>>>('PageAction', 'object'));
const LoadState = Type.Enum([
  'load',
  'domcontentloaded',
  'networkidle',
  'commit',
  'networkidle0',
  'networkidle2',
  'complete',
]);

/** Every action may have these. */
const COMMON = {
  timeout_ms: opt(Type.Number({ minimum: 1, maximum: 300_000, default: 5000 })),
  on_error: opt(Type.Enum(['stop', 'continue', 'fail'], { default: 'stop' })),
  id: opt(Name),
  frame: opt(Type.String({ minLength: 1, maxLength: 2000, description: 'Selector of an iframe.' })),
  optional: opt(Type.Boolean({ default: false })),
  wait_after_ms: opt(Ms),
};

export interface ActionKind {
  /** The member that the value of the one-key shorthand stands for; null: the shorthand has no value. */
  readonly main: string | null;
  readonly schema: TObject;
  /** Of each of these groups of members exactly one must be given; a group's members go together. */
  readonly oneOf: readonly (readonly string[])[];
}

function kind(
  type: string,
  main: string | null,
  members: TProperties,
  oneOf: readonly (readonly string[])[] = [],
): readonly [string, ActionKind] {
  const title = `${type.replace(/(^|_)([a-z])/g, (_all, _bar, letter: string) => letter.toUpperCase())}Action`;
  return [
    type,
    { main, schema: closed({ type: Type.Literal(type), ...members, ...COMMON }, { title }), oneOf },
  ];
}

const Place = { x: opt(Type.Number()), y: opt(Type.Number()) };

/** Every page action, keyed on `type` (contract §3). */
export const ACTIONS: ReadonlyMap<string, ActionKind> = new Map([
  kind(
    'click',
    'selector',
    {
      selector: opt(Selector),
      ...Place,
      button: opt(Type.Enum(['left', 'right', 'middle'])),
      click_count: opt(Type.Integer({ minimum: 1, maximum: 10 })),
      all: opt(Type.Boolean()),
    },
    [['selector'], ['x', 'y']],
  ),
  kind('fill', null, { selector: Selector, value: Text, clear: opt(Type.Boolean()) }),
  kind('type', 'text', { text: Text, selector: opt(Selector), delay_ms: opt(Ms) }),
  kind('press', 'key', { key: Name, selector: opt(Selector) }),
  kind(
    'select',
    null,
    {
      selector: Selector,
      value: opt(Text),
      values: opt(Type.Array(Text, { maxItems: 1000 })),
      label: opt(Text),
    },
    [['value'], ['values'], ['label']],
  ),
  kind('check', 'selector', { selector: Selector }),
  kind('uncheck', 'selector', { selector: Selector }),
  kind('hover', 'selector', { selector: Selector }),
  kind(
    'scroll',
    'to',
    {
      to: opt(Type.Enum(['top', 'bottom'])),
      selector: opt(Selector),
      ...Place,
      container: opt(Selector),
    },
    [['to'], ['selector'], ['x', 'y']],
  ),
  kind('infinite_scroll', 'max_scrolls', {
    max_scrolls: opt(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
    delay_ms: opt(Type.Number({ minimum: 0, maximum: 60_000, default: 500 })),
    until_selector: opt(Selector),
    click_selector: opt(Selector),
  }),
  kind('wait', 'ms', { ms: Ms }),
  kind('wait_for_selector', 'selector', {
    selector: Selector,
    state: opt(Type.Enum(['visible', 'attached', 'hidden', 'detached'])),
  }),
  kind('wait_for_load_state', 'state', { state: LoadState }),
  kind('wait_for_url', 'url', { url: Glob }),
  kind('wait_for_response', 'url', {
    url: Glob,
    method: opt(Type.String({ minLength: 1, maxLength: 20 })),
    status: opt(Status),
    capture: opt(Type.Boolean()),
  }),
  kind('wait_for_function', 'script', { script: Script, arg: opt(Type.Unknown()) }),
  kind('evaluate', 'script', { script: Script, arg: opt(Type.Unknown()) }),
  kind('goto', 'url', { url: Type.String() }),
  kind('reload', null, {}),
  kind('back', null, {}),
  kind('hide', 'selector', { selector: Selector }),
  kind('remove', 'selector', { selector: Selector }),
  kind('screenshot', 'name', {
    name: opt(Name),
    full_page: opt(Type.Boolean()),
    selector: opt(Selector),
  }),
  kind('extract', 'schema', { schema: ExtractRules }),
  kind(
    'if',
    null,
    {
      selector: opt(Selector),
      status_code: opt(Type.Union([Status, Type.Array(Status, { maxItems: 100 })])),
      // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
      then: opt(Nested),
      else: opt(Nested),
    },
    [['selector'], ['status_code']],
  ),
]);
