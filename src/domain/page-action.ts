import type { CapturedExchange, Screenshot } from './captures.ts';

/**
 * What a rule returns for a matched element. `attributes`: an object of them. `table`: its header and rows. `rules`: an
 * object, by nested rules whose selectors are relative to the element.
 */
export type ExtractOutput =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'attributes'; readonly names: readonly string[] }
  | { readonly kind: 'table' }
  | { readonly kind: 'rules'; readonly rules: readonly ExtractRule[] };

/** How a value of a rule that is a text becomes another one. A text that cannot is no value. */
export const EXTRACT_TRANSFORMS = ['number', 'date', 'url', 'trim', 'lower'] as const;
export type ExtractTransform = (typeof EXTRACT_TRANSFORMS)[number];

/** A named rule of `extract`, parsed, with its defaults. Plain data, because it is sent to another thread. */
export interface ExtractRule {
  readonly name: string;
  /** In `language`; null: the element of the enclosing rule, or the document. */
  readonly selector: string | null;
  readonly language: 'css' | 'xpath';
  /** true: every match; false: the first one. */
  readonly list: boolean;
  readonly output: ExtractOutput;
  /** RE2: what it finds in a text is the value; null: the text is. */
  readonly regex: string | null;
  readonly transform: ExtractTransform | null;
  /** JSON pointer (RFC 6901) of the selector in the request. */
  readonly pointer: string;
}

/** Finds an element of a page: the first match, or match number `nth`, counted from 0. */
export interface ElementLocator {
  /** With the prefix of its engine: `css=`, `xpath=`, `text=`. */
  readonly selector: string;
  readonly nth: number | null;
  /** As the caller wrote it, for messages. */
  readonly originalText: string;
  /** JSON pointer (RFC 6901) of the selector in the request. */
  readonly pointer: string;
}

/** CSS pixels from the upper left corner of the viewport, or of the frame. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type ElementState = 'visible' | 'attached' | 'hidden' | 'detached';

/** A union with a member for each type of `T`, so that `ActionOf` can pick a single one. */
type OnElement<T extends string> = T extends string
  ? { readonly type: T; readonly at: ElementLocator }
  : never;
type Scripted<T extends string> = T extends string
  ? { readonly type: T; readonly script: string; readonly arg: unknown }
  : never;

/** The type of an action and the members that only this type has (contract §3). `at`: the element or point that it acts on. */
export type ActionSpec =
  | {
      readonly type: 'click';
      readonly at: ElementLocator | Point;
      readonly button: 'left' | 'right' | 'middle';
      /** Number of clicks: 2 is a double click. */
      readonly count: number;
      /** Click every matching element, not only the first one. */
      readonly all: boolean;
      /** Fail if several elements match, instead of clicking the first one. */
      readonly strict?: true;
    }
  /** `clear`: the present value is deleted first. */
  | { readonly type: 'fill'; readonly at: ElementLocator; readonly value: string; readonly clear: boolean }
  /** `at` null: the focused element. */
  | {
      readonly type: 'type';
      readonly text: string;
      readonly at: ElementLocator | null;
      readonly delayMs: number;
    }
  | { readonly type: 'press'; readonly key: string; readonly at: ElementLocator | null }
  | {
      readonly type: 'select';
      readonly at: ElementLocator;
      readonly by: 'value' | 'label';
      readonly values: readonly string[];
    }
  | OnElement<'check' | 'uncheck' | 'hover' | 'hide' | 'remove'>
  | {
      readonly type: 'scroll';
      readonly to: 'top' | 'bottom' | ElementLocator | Point;
      readonly container: ElementLocator | null;
    }
  | {
      readonly type: 'infinite_scroll';
      readonly maxScrolls: number;
      readonly delayMs: number;
      /** Scrolling ends when this element is visible. */
      readonly until: ElementLocator | null;
      /** The button that loads more items; it is clicked instead of scrolling. */
      readonly click: ElementLocator | null;
      /** The element to scroll; null: the page. */
      readonly container: ElementLocator | null;
    }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'wait_for_selector'; readonly at: ElementLocator; readonly state: ElementState }
  | {
      readonly type: 'wait_for_load_state';
      readonly state: 'commit' | 'domcontentloaded' | 'load' | 'networkidle';
    }
  | { readonly type: 'wait_for_url'; readonly url: string }
  | {
      readonly type: 'wait_for_response';
      readonly url: string;
      readonly method: string | null;
      readonly status: number | null;
      readonly capture: boolean;
    }
  | Scripted<'wait_for_function' | 'evaluate'>
  | { readonly type: 'goto'; readonly url: string }
  | { readonly type: 'reload' }
  /** Logs in with the credentials of this profile. */
  | { readonly type: 'login'; readonly profile: string }
  | { readonly type: 'back' }
  | {
      readonly type: 'screenshot';
      readonly name: string | null;
      readonly fullPage: boolean;
      readonly at: ElementLocator | null;
    }
  | { readonly type: 'extract'; readonly rules: readonly ExtractRule[] }
  | {
      readonly type: 'if';
      /** The condition: this element exists, or the status of the document is one of these. */
      readonly condition: ElementLocator | readonly number[];
      /** null: there is no such branch. */
      readonly thenActions: readonly PageAction[] | null;
      readonly elseActions: readonly PageAction[] | null;
    };

type ActionType = ActionSpec['type'];

/** An action on a page (contract §3), parsed, with its defaults. */
export type PageAction = ActionSpec & {
  /** Index in `page_actions`; an action within an `if` has the index of the outermost `if`. */
  readonly index: number;
  /** JSON pointer (RFC 6901) of the action in the request. */
  readonly pointer: string;
  readonly id: string | null;
  /** Limit for the whole action; null: a `wait`, whose duration is its limit. */
  readonly timeoutMs: number | null;
  readonly onError: 'stop' | 'continue' | 'fail';
  /** The frame to act in; null: the page itself. */
  readonly frame: ElementLocator | null;
  /** The action is skipped without an error if its element does not exist. */
  readonly optional: boolean;
  readonly waitAfterMs: number;
};

export type ActionOf<T extends ActionType> = Extract<PageAction, { readonly type: T }>;

/** The result of a page action (contract §3). */
export interface ActionResult {
  /** Index in `page_actions`; an action within an `if` has the index of the outermost `if`. */
  readonly index: number;
  readonly id: string | null;
  readonly type: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** A JSON value. */
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  /** What a `wait_for_response` with `capture` recorded; the answer shows it as `result`. */
  readonly exchange?: CapturedExchange;
  /** The image of a `screenshot` action; the answer has its URL in `result`. */
  readonly screenshot?: Screenshot & { readonly name: string | null };
}

/** The first of these actions, also in branches of an `if`, that is wanted; null: none is. */
export function findAction(
  actions: readonly PageAction[],
  isWanted: (action: PageAction) => boolean,
): PageAction | null {
  for (const action of actions) {
    if (isWanted(action)) return action;
    if (action.type !== 'if') continue;
    const found = findAction([...(action.thenActions ?? []), ...(action.elseActions ?? [])], isWanted);
    if (found !== null) return found;
  }
  return null;
}

/** Whether an action logs in with the credentials of this profile. */
export const logsInWith =
  (profile: string) =>
  (action: PageAction): boolean =>
    action.type === 'login' && action.profile === profile;

/** Whether an action runs a script of the caller among those of the page. */
export const runsScript = ({ type }: PageAction): boolean =>
  type === 'evaluate' || type === 'wait_for_function';
