import type { CapturedExchange, Screenshot } from './captures.ts';

/** What is taken from a matched element. `rules`: an object of further rules, each relative to the element. */
export type ExtractOutput =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'rules'; readonly rules: readonly ExtractRule[] };

/** One named rule of `extract`, checked and written out. Plain data: it is handed to another thread. */
export interface ExtractRule {
  readonly name: string;
  /** CSS; null: the element that the rule is relative to. */
  readonly selector: string | null;
  /** Every match, else the first alone. */
  readonly list: boolean;
  readonly output: ExtractOutput;
  /** Where the selector stands in the request, RFC 6901. */
  readonly pointer: string;
}

/** Elements of a page: the first that matches, or the one of that number, from 0. */
export interface ElementLocator {
  /** With the prefix of its engine: `css=`, `xpath=`, `text=`. */
  readonly selector: string;
  readonly nth: number | null;
  /** As the caller wrote it, for messages. */
  readonly originalText: string;
  /** Where it stands in the request, RFC 6901. */
  readonly pointer: string;
}

/** Pixels of what is to be seen of the page, or of the frame, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

type ElementState = 'visible' | 'attached' | 'hidden' | 'detached';

/** Each type for itself. */
type OnElement<T extends string> = T extends string
  ? { readonly type: T; readonly at: ElementLocator }
  : never;
type Scripted<T extends string> = T extends string
  ? { readonly type: T; readonly script: string; readonly arg: unknown }
  : never;

/** What one action does; members as in contract §3. */
export type ActionSpec =
  | {
      readonly type: 'click';
      readonly at: ElementLocator | Point;
      readonly button: 'left' | 'right' | 'middle';
      readonly count: number;
      readonly all: boolean;
    }
  | { readonly type: 'fill'; readonly at: ElementLocator; readonly value: string; readonly clear: boolean }
  /** `at` null: what has the focus. */
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
      readonly most: number;
      readonly delayMs: number;
      readonly until: ElementLocator | null;
      readonly click: ElementLocator | null;
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
      /** An element that is there, or one of these statuses of the document. */
      readonly when: ElementLocator | readonly number[];
      readonly yes: readonly PageAction[] | null;
      readonly no: readonly PageAction[] | null;
    };

type ActionType = ActionSpec['type'];

/** One step of what is to be done on a page (contract §3), checked and written out. */
export type PageAction = ActionSpec & {
  /** Place in the request; of an action within `if`, of the `if`. */
  readonly index: number;
  /** Where it stands in the request, RFC 6901. */
  readonly pointer: string;
  readonly id: string | null;
  /** For all of it; null: `wait`, which says itself how long it takes. */
  readonly timeoutMs: number | null;
  readonly onError: 'stop' | 'continue' | 'fail';
  /** Selector of the frame that it is done in, with the prefix of its engine; null: the page itself. */
  readonly frame: ElementLocator | null;
  /** Nothing is wrong when the element is not there. */
  readonly optional: boolean;
  readonly waitAfterMs: number;
};

export type ActionOf<T extends ActionType> = Extract<PageAction, { readonly type: T }>;

/** What became of one page action (contract §3). */
export interface ActionResult {
  /** Place in the request; of an action within `if`, of the `if`. */
  readonly index: number;
  readonly id: string | null;
  readonly type: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** JSON. */
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  /** The answer that a `wait_for_response` with `capture` saw, in place of `result`. */
  readonly exchange?: CapturedExchange;
  /** The picture of a `screenshot` action; its address is told in place of `result`. */
  readonly screenshot?: Screenshot & { readonly name: string | null };
}
