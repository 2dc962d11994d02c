import type { CapturedExchange } from '../../../../domain/captured.ts';
import type { Warning } from '../../../../domain/failure.ts';
import type { Screenshot } from '../../../../domain/screenshot.ts';

/** What an action brings. */
export interface Done {
  /** JSON; undefined: there is none. */
  readonly result?: unknown;
  /** In place of `result`. */
  readonly exchange?: CapturedExchange;
  readonly screenshot?: Screenshot & { readonly name: string | null };
  /** Why the result is not whole. */
  readonly cut?: string;
  readonly warnings?: readonly Warning[];
  /** Why it has failed all the same, in words that go on after `failed: `. */
  readonly failed?: string;
}

export const NOTHING: Done = Object.freeze({});
