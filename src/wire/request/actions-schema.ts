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
  x: opt(Type.Number({ description: 'Pixels from the left edge.' })),
  y: opt(Type.Number({ description: 'Pixels from the upper edge.' })),
};

/** Every page action, keyed on `type` (contract §3). */
export const ACTIONS: ReadonlyMap<string, ActionKind> = new Map([
  kind(
    'click',
    'Clicks on an element once it is to be seen and holds still, or at a place of the window.',
    'selector',
    {
      selector: opt(Selector),
      ...Place,
      button: opt(Type.Enum(['left', 'right', 'middle'], { default: 'left' })),
      click_count: opt(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
      all: opt(
        Type.Boolean({
          default: false,
          description: 'Every element that matches, one after the other; `result.clicked` tells how many.',
        }),
      ),
    },
    { oneOf: [['selector'], ['x', 'y']] },
  ),
  kind('fill', 'Sets the text of a field.', null, {
    selector: Selector,
    value: Text,
    clear: opt(
      Type.Boolean({ default: true, description: 'Off: the value is put behind what stands there.' }),
    ),
  }),
  kind(
    'type',
    'Types a text, key by key: into an element, or into what has the focus.',
    'text',
    { text: Text, selector: opt(Selector), delay_ms: opt(Ms) },
    { timeout: 'How long it may take in all. By default 5,000 ms beside the delays.' },
  ),
  kind('press', 'Presses a key or a combination: on an element, or on what has the focus.', 'key', {
    key: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Playwright's names: `Enter`, `ArrowDown`, `Control+A`, `a`.",
    }),
    selector: opt(Selector),
  }),
  kind(
    'select',
    'Chooses options of a `<select>`; `result.values` are those chosen.',
    null,
    {
      selector: Selector,
      value: opt(Text),
      values: opt(Type.Array(Text, { maxItems: 1000 })),
      label: opt(Text),
    },
    { oneOf: [['value'], ['values'], ['label']] },
  ),
  kind('check', 'Checks a box or radio button that is not checked yet.', 'selector', { selector: Selector }),
  kind('uncheck', 'Takes the check from a box.', 'selector', { selector: Selector }),
  kind('hover', 'Moves the pointer over an element.', 'selector', { selector: Selector }),
  kind(
    'scroll',
    'Scrolls the window, or `container`: to an end, to a place, or until an element is in view.',
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
    'Scrolls to the end again and again, or clicks for more, until that brings nothing more: nothing for 2 s, and nothing that the page fetches is under way. `result` is `{scrolls, reason}`; `reason`: `end`, `until_selector` or `max_scrolls`.',
    'max_scrolls',
    {
      max_scrolls: opt(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
      delay_ms: opt(
        Type.Number({
          minimum: 0,
          maximum: 60_000,
          default: 500,
          description: 'After each, whatever loads then.',
        }),
      ),
      until_selector: opt(Selector),
      click_selector: opt(Selector),
      container: opt(Selector),
    },
    { timeout: 'How long it may take in all. By default 30,000 ms beside the delays.' },
  ),
  kind(
    'wait',
    'Does nothing for a while.',
    'ms',
    { ms: Ms },
    { frame: false, timeout: 'It fails when it would take longer.' },
  ),
  kind('wait_for_selector', 'Waits for an element.', 'selector', {
    selector: Selector,
    state: opt(Type.Enum(['visible', 'attached', 'hidden', 'detached'], { default: 'visible' })),
  }),
  kind(
    'wait_for_load_state',
    'Waits until the document has got so far. `networkidle` ends after 10 s at most, with a warning.',
    'state',
    { state: LoadState },
    { frame: false, timeout: 'How long it may take. By default 5,000 ms, with `networkidle` 15,000.' },
  ),
  kind('wait_for_url', 'Waits until the address matches.', 'url', { url: Glob }),
  kind(
    'wait_for_response',
    'Waits for an answer to any request of the page; one counts that came since the action before began. `result` is `{url, method, status}`.',
    'url',
    {
      url: Glob,
      method: opt(Type.String({ minLength: 1, maxLength: 20, description: 'In any letter case.' })),
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
  kind('wait_for_function', 'Waits until a script gives something that is true in JavaScript.', 'script', {
    script: Script,
    arg: opt(Arg),
  }),
  kind(
    'evaluate',
    'Runs a script in the page. `result` is what it gives as JSON, at most 1 MiB; more is null, and error `content.truncated`.',
    'script',
    { script: Script, arg: opt(Arg) },
  ),
  kind(
    'goto',
    'Goes to another page and waits for its `load`. The same may be reached as by `url`.',
    'url',
    { url: Type.String({ description: 'Absolute `http:` or `https:` URL, at most 8,192 characters.' }) },
    { frame: false },
  ),
  kind('reload', 'Loads the page again and waits for its `load`.', null, {}, { frame: false }),
  kind('back', 'Goes back to the page before and waits for its `load`.', null, {}, { frame: false }),
  kind('hide', 'Sets `display: none` for every element that matches.', 'selector', { selector: Selector }),
  kind('remove', 'Takes every element that matches out of the page.', 'selector', { selector: Selector }),
  kind(
    'screenshot',
    'Takes a PNG of the window, the whole page, or an element. `result` is `{name, url, width, height, type}`.',
    'name',
    { name: opt(Name), full_page: opt(Type.Boolean({ default: false })), selector: opt(Selector) },
  ),
  kind(
    'extract',
    'Reads data from the page as it stands; `result` is what `scraper_data.extract` would be.',
    'schema',
    { schema: ExtractRules },
  ),
  kind(
    'if',
    'Does one list of actions or the other, nested at most three deep. `result.branch` is `then`, `else` or null; what was done in it follows with the same `index`.',
    null,
    {
      selector: opt(Selector),
      status_code: opt(
        Type.Union([Status, Type.Array(Status, { maxItems: 100 })], {
          description: 'Of the document that is shown.',
        }),
      ),
      // biome-ignore lint/suspicious/noThenProperty: the name in the API; never awaited.
      then: opt(branch('The element is to be seen; the status is that one, or one of these.')),
      else: opt(branch('Otherwise.')),
    },
    {
      oneOf: [['selector'], ['status_code']],
      timeout: 'How long the element is waited for. By default it is looked for once.',
    },
  ),
]);
