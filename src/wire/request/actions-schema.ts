import { Type } from 'typebox';
import {
  type ActionKind,
  Arg,
  branch,
  Glob,
  kind,
  LoadState,
  Ms,
  Name,
  Script,
  Status,
  Text,
} from './action-members.ts';
import { ExtractRules } from './options-schema.ts';
import { Selector } from './selector-schema.ts';

const opt = Type.Optional;

const Place = {
  x: opt(Type.Number({ description: 'Pixels from the left edge of the viewport.' })),
  y: opt(Type.Number({ description: 'Pixels from the top edge of the viewport.' })),
};

/** Every page action, keyed on `type` (contract §3). */
export const ACTIONS: ReadonlyMap<string, ActionKind> = new Map([
  kind(
    'click',
    'Clicks an element once it is visible and stable, or a point in the viewport.',
    'selector',
    {
      selector: opt(Selector),
      ...Place,
      button: opt(Type.Enum(['left', 'right', 'middle'], { default: 'left' })),
      click_count: opt(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
      all: opt(
        Type.Boolean({
          default: false,
          description: 'Click every matching element in turn. `result.clicked` is the number of clicks.',
        }),
      ),
    },
    { oneOf: [['selector'], ['x', 'y']] },
  ),
  kind('fill', 'Sets the text of a field.', null, {
    selector: Selector,
    value: Text,
    clear: opt(
      Type.Boolean({
        default: true,
        description: 'Replace the current text. If false, the value is appended.',
      }),
    ),
  }),
  kind(
    'type',
    'Types text key by key, into an element or the focused element.',
    'text',
    { text: Text, selector: opt(Selector), delay_ms: opt(Ms) },
    { timeout: 'Time limit for the action. Default: 5,000 ms plus the delays.' },
  ),
  kind('press', 'Presses a key or key combination, on an element or the focused element.', 'key', {
    key: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A Playwright key name: `Enter`, `ArrowDown`, `Control+A`, `a`.',
    }),
    selector: opt(Selector),
  }),
  kind(
    'select',
    'Selects options of a `<select>`. `result.values` lists the selected values.',
    null,
    {
      selector: Selector,
      value: opt(Text),
      values: opt(Type.Array(Text, { maxItems: 1000 })),
      label: opt(Text),
    },
    { oneOf: [['value'], ['values'], ['label']] },
  ),
  kind('check', 'Checks a checkbox or radio button, unless it is already checked.', 'selector', {
    selector: Selector,
  }),
  kind('uncheck', 'Unchecks a checkbox.', 'selector', { selector: Selector }),
  kind('hover', 'Moves the mouse pointer over an element.', 'selector', { selector: Selector }),
  kind(
    'scroll',
    'Scrolls the page, or `container`: to the top or bottom, to a position, or until an element is in view.',
    'to',
    {
      to: opt(Type.Enum(['top', 'bottom'])),
      selector: opt(Selector),
      ...Place,
      container: opt(Selector),
    },
    { oneOf: [['to'], ['selector'], ['x', 'y']] },
  ),
  kind(
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
      until_selector: opt(Selector),
      click_selector: opt(Selector),
      container: opt(Selector),
    },
    { timeout: 'Time limit for the action. Default: 30,000 ms plus the delays.' },
  ),
  kind(
    'wait',
    'Waits for a fixed time.',
    'ms',
    { ms: Ms },
    { frame: false, timeout: 'The action fails if the wait would be longer than this.' },
  ),
  kind('wait_for_selector', 'Waits until an element has the given state.', 'selector', {
    selector: Selector,
    state: opt(Type.Enum(['visible', 'attached', 'hidden', 'detached'], { default: 'visible' })),
  }),
  kind(
    'wait_for_load_state',
    'Waits until the page reaches a load state. `networkidle` waits at most 10 s, then continues with a warning.',
    'state',
    { state: LoadState },
    { frame: false, timeout: 'Time limit for the action. Default: 5,000 ms; 15,000 ms with `networkidle`.' },
  ),
  kind('wait_for_url', 'Waits until the URL of the page matches.', 'url', { url: Glob }),
  kind(
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
  kind('wait_for_function', 'Waits until a script returns a truthy value.', 'script', {
    script: Script,
    arg: opt(Arg),
  }),
  kind(
    'evaluate',
    'Runs a script in the page. `result` is its return value as JSON. If that exceeds 1 MiB, `result` is null, with the error `content.truncated`.',
    'script',
    { script: Script, arg: opt(Arg) },
  ),
  kind(
    'goto',
    'Navigates to another page and waits for its `load` event. The same address and domain rules apply as for `url`.',
    'url',
    { url: Type.String({ description: 'Absolute `http:` or `https:` URL, at most 8,192 characters.' }) },
    { frame: false },
  ),
  kind('reload', 'Reloads the page and waits for its `load` event.', null, {}, { frame: false }),
  kind('back', 'Goes back to the previous page and waits for its `load` event.', null, {}, { frame: false }),
  kind('hide', 'Sets `display: none` on every matching element.', 'selector', { selector: Selector }),
  kind('remove', 'Removes every matching element from the page.', 'selector', { selector: Selector }),
  kind(
    'screenshot',
    'Takes a PNG screenshot of the viewport, the whole page or an element. `result` is `{name, url, width, height, type}`.',
    'name',
    { name: opt(Name), full_page: opt(Type.Boolean({ default: false })), selector: opt(Selector) },
  ),
  kind(
    'extract',
    'Extracts data from the page in its current state. `result` has the format of `scraper_data.extract`.',
    'schema',
    { schema: ExtractRules },
  ),
  kind(
    'if',
    'Runs one of two lists of actions; can be nested three levels deep. `result.branch` is `then`, `else` or null. The results of the branch follow, with the same `index`.',
    null,
    {
      selector: opt(Selector),
      status_code: opt(
        Type.Union([Status, Type.Array(Status, { maxItems: 100 })], {
          description: 'Status of the current page.',
        }),
      ),
      // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
      then: opt(branch('Actions to run if the element is visible, or the status matches.')),
      else: opt(branch('Actions to run otherwise.')),
    },
    {
      oneOf: [['selector'], ['status_code']],
      timeout: 'How long to wait for the element. Default: checks once, without waiting.',
    },
  ),
]);
