import { type TObject, type TProperties, Type } from 'typebox';
import { closed, optional, placeholder, shorthandFor } from '../../domain/json-schema.ts';
import { EXTRACT_RULES } from '../../domain/scraper-options.ts';
import { ElementSelector } from './element-selector.ts';

const opt = Type.Optional;

const Text = Type.String({ maxLength: 100_000 });
const Script = Type.String({
  minLength: 1,
  maxLength: 100_000,
  description:
    'An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both.',
});
const Arg = Type.Unknown({ description: 'A JSON value, available to the script as `arg`.' });
const Name = Type.String({ minLength: 1, maxLength: 64 });
const Ms = Type.Number({ minimum: 0, maximum: 60_000 });
const Glob = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either.',
});
const Status = Type.Integer({ minimum: 100, maximum: 599 });
const LoadStateName = Type.Enum([
  'load',
  'domcontentloaded',
  'networkidle',
  'commit',
  'networkidle0',
  'networkidle2',
  'complete',
]);

const actionList = (description: string) =>
  Type.Array(placeholder<Readonly<Record<string, unknown>>>('PageAction', 'object'), { description });

const timeoutMember = (description: string, defaultMs?: number) => ({
  timeout_ms: opt(
    Type.Number({
      minimum: 1,
      maximum: 300_000,
      description,
      ...(defaultMs === undefined ? {} : { default: defaultMs }),
    }),
  ),
});

/** Members of every action. */
const COMMON_MEMBERS = optional({
  on_error: Type.Enum(['stop', 'continue', 'fail'], {
    default: 'stop',
    description:
      'What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.',
  }),
  id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A name of your choice, repeated in the result of the action.',
  }),
  optional: Type.Boolean({
    default: false,
    description:
      'If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.',
  }),
  wait_after_ms: Type.Number({
    minimum: 0,
    maximum: 60_000,
    default: 0,
    description: 'Pause after the action.',
  }),
});

const FRAME_MEMBER = {
  frame: opt(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Selector of an iframe. The other selectors of the action then apply inside it.',
    }),
  ),
};

interface ActionKind {
  /** The member that the value of the shorthand stands for: `selector` in `{"click": "#a"}`; null: there is none. */
  readonly mainMember: string | null;
  readonly schema: TObject;
  /** Groups of members. Exactly one group must be present, and it must be complete. */
  readonly oneOf: readonly (readonly string[])[];
  /** Default of `timeout_ms`; null: it depends on the other members, see `defaultTimeout`. */
  readonly timeoutMs: number | null;
}

interface ActionKindOptions {
  readonly oneOf?: readonly (readonly string[])[];
  /** false: the action applies to the whole page, so it has no member `frame`. */
  readonly frame?: boolean;
  /** Description of `timeout_ms`, if its default is not simply `DEFAULT_TIMEOUT_MS`. */
  readonly timeout?: string;
}

export const DEFAULT_TIMEOUT_MS = 5000;

/** @param mainMember null: the action has no shorthand with a value */
function actionKind(
  type: string,
  description: string,
  mainMember: string | null,
  members: TProperties,
  { oneOf = [], frame = true, timeout: timeoutDescription }: ActionKindOptions = {},
): readonly [string, ActionKind] {
  const title = `${type.replace(/(^|_)([a-z])/g, (_all, _bar, letter: string) => letter.toUpperCase())}Action`;
  const schema = closed(
    {
      type: Type.Literal(type),
      ...members,
      ...(timeoutDescription === undefined
        ? timeoutMember('Time limit for the action.', DEFAULT_TIMEOUT_MS)
        : timeoutMember(timeoutDescription)),
      ...COMMON_MEMBERS,
      ...(frame ? FRAME_MEMBER : {}),
    },
    { title, description, ...(mainMember === null ? {} : shorthandFor(mainMember)) },
  );
  const timeoutMs = timeoutDescription === undefined ? DEFAULT_TIMEOUT_MS : null;
  return [type, { mainMember, schema, oneOf, timeoutMs }];
}

const Coordinates = {
  x: opt(Type.Number({ description: 'Pixels from the left edge of the viewport.' })),
  y: opt(Type.Number({ description: 'Pixels from the top edge of the viewport.' })),
};

/** Every page action, by its `type` (contract §3). */
export const ACTIONS: ReadonlyMap<string, ActionKind> = new Map([
  actionKind(
    'click',
    'Clicks an element once it is visible and stable, or a point in the viewport.',
    'selector',
    {
      selector: opt(ElementSelector),
      ...Coordinates,
      button: opt(Type.Enum(['left', 'right', 'middle'], { default: 'left' })),
      click_count: opt(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
      all: opt(
        Type.Boolean({
          default: false,
          description: 'Click every matching element in turn. `result.clicked` is the number of clicks.',
        }),
      ),
      strict: opt(
        Type.Boolean({
          default: false,
          description:
            'Fail if several elements match. Otherwise the first one is clicked, and `result` says so: `{clicked: 1, matches, text, note}`.',
        }),
      ),
    },
    { oneOf: [['selector'], ['x', 'y']] },
  ),
  actionKind('fill', 'Sets the text of a field.', null, {
    selector: ElementSelector,
    value: Text,
    clear: opt(
      Type.Boolean({
        default: true,
        description: 'Replace the current text. If false, the value is appended.',
      }),
    ),
  }),
  actionKind(
    'type',
    'Types text key by key, into an element or the focused element.',
    'text',
    { text: Text, selector: opt(ElementSelector), delay_ms: opt(Ms) },
    { timeout: 'Time limit for the action. Default: 5,000 ms plus the delays.' },
  ),
  actionKind('press', 'Presses a key or key combination, on an element or the focused element.', 'key', {
    key: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A Playwright key name: `Enter`, `ArrowDown`, `Control+A`, `a`.',
    }),
    selector: opt(ElementSelector),
  }),
  actionKind(
    'select',
    'Selects options of a `<select>`. `result.values` lists the selected values.',
    null,
    {
      selector: ElementSelector,
      value: opt(Text),
      values: opt(Type.Array(Text, { maxItems: 1000 })),
      label: opt(Text),
    },
    { oneOf: [['value'], ['values'], ['label']] },
  ),
  actionKind('check', 'Checks a checkbox or radio button, unless it is already checked.', 'selector', {
    selector: ElementSelector,
  }),
  actionKind('uncheck', 'Unchecks a checkbox.', 'selector', { selector: ElementSelector }),
  actionKind('hover', 'Moves the mouse pointer over an element.', 'selector', { selector: ElementSelector }),
  actionKind(
    'scroll',
    'Scrolls the page, or `container`: to the top or bottom, to a position, or until an element is in view.',
    'to',
    {
      to: opt(Type.Enum(['top', 'bottom'])),
      selector: opt(ElementSelector),
      ...Coordinates,
      container: opt(ElementSelector),
    },
    { oneOf: [['to'], ['selector'], ['x', 'y']] },
  ),
  actionKind(
    'infinite_scroll',
    'Scrolls to the bottom repeatedly, or clicks a “load more” button, until nothing more loads: no new content for 2 s and no pending requests. `result` is `{scrolls, reason}`; `reason` is `end`, `until_selector` or `max_scrolls`.',
    'max_scrolls',
    {
      max_scrolls: opt(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
      delay_ms: opt(
        Type.Number({
          minimum: 0,
          maximum: 60_000,
          default: 500,
          description: 'Pause after each scroll or click.',
        }),
      ),
      until_selector: opt(ElementSelector),
      click_selector: opt(ElementSelector),
      container: opt(ElementSelector),
    },
    { timeout: 'Time limit for the action. Default: 30,000 ms plus the delays.' },
  ),
  actionKind(
    'wait',
    'Waits for a fixed time.',
    'ms',
    { ms: Ms },
    { frame: false, timeout: 'The action fails if the wait would be longer than this.' },
  ),
  actionKind('wait_for_selector', 'Waits until an element has the given state.', 'selector', {
    selector: ElementSelector,
    state: opt(Type.Enum(['visible', 'attached', 'hidden', 'detached'], { default: 'visible' })),
  }),
  actionKind(
    'wait_for_load_state',
    'Waits until the page reaches a load state. `networkidle` waits at most 10 s, then continues with a warning.',
    'state',
    { state: LoadStateName },
    { frame: false, timeout: 'Time limit for the action. Default: 5,000 ms; 15,000 ms with `networkidle`.' },
  ),
  actionKind('wait_for_url', 'Waits until the URL of the page matches.', 'url', { url: Glob }),
  actionKind(
    'wait_for_response',
    'Waits for a response to a request of the page. A response received since the start of the previous action counts too. `result` is `{url, method, status}`.',
    'url',
    {
      url: Glob,
      method: opt(Type.String({ minLength: 1, maxLength: 20, description: 'Case-insensitive.' })),
      status: opt(Status),
      capture: opt(
        Type.Boolean({
          default: false,
          description:
            '`result` also has `resource_type`, `request_headers`, `headers`, `body`, `body_encoding`, `truncated`.',
        }),
      ),
    },
  ),
  actionKind('wait_for_function', 'Waits until a script returns a truthy value.', 'script', {
    script: Script,
    arg: opt(Arg),
  }),
  actionKind(
    'evaluate',
    'Runs a script in the page. `result` is its return value as JSON. If that exceeds 1 MiB, `result` is null, with the error `content.truncated`.',
    'script',
    { script: Script, arg: opt(Arg) },
  ),
  actionKind(
    'goto',
    'Navigates to another page and waits for its `load` event. The same address and domain rules apply as for `url`.',
    'url',
    { url: Type.String({ description: 'Absolute `http:` or `https:` URL, at most 8,192 characters.' }) },
    { frame: false },
  ),
  actionKind('reload', 'Reloads the page and waits for its `load` event.', null, {}, { frame: false }),
  actionKind(
    'back',
    'Goes back to the previous page and waits for its `load` event.',
    null,
    {},
    { frame: false },
  ),
  actionKind(
    'login',
    'Logs in with the credentials of a profile: user name, password and one-time code, on one page or one after the other. They are typed only into frames of the `sites` of the profile, by https. Until the next document, scripts and captures are refused, and pictures are blank. `result.steps` lists what was typed.',
    'profile',
    {
      profile: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Name of a profile that has credentials.',
      }),
    },
    { frame: false, timeout: 'Time limit for all steps together. Default: 30,000 ms.' },
  ),
  actionKind('hide', 'Sets `display: none` on every matching element.', 'selector', {
    selector: ElementSelector,
  }),
  actionKind('remove', 'Removes every matching element from the page.', 'selector', {
    selector: ElementSelector,
  }),
  actionKind(
    'screenshot',
    'Takes a PNG screenshot of the viewport, the whole page or an element. `result` is `{name, url, width, height, type}`.',
    'name',
    { name: opt(Name), full_page: opt(Type.Boolean({ default: false })), selector: opt(ElementSelector) },
  ),
  actionKind(
    'extract',
    'Extracts data from the page in its current state. `result` has the format of `scraper_data.extract`.',
    'schema',
    { schema: EXTRACT_RULES },
  ),
  actionKind(
    'if',
    'Runs one of two lists of actions; can be nested three levels deep. `result.branch` is `then`, `else` or null. The results of the branch follow, with the same `index`.',
    null,
    {
      selector: opt(ElementSelector),
      status_code: opt(
        Type.Union([Status, Type.Array(Status, { maxItems: 100 })], {
          description: 'Status of the current page.',
        }),
      ),
      // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
      then: opt(actionList('Actions to run if the element is visible, or the status matches.')),
      else: opt(actionList('Actions to run otherwise.')),
    },
    {
      oneOf: [['selector'], ['status_code']],
      timeout: 'How long to wait for the element. Default: checks once, without waiting.',
    },
  ),
]);
