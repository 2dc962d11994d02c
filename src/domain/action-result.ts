import type { CapturedExchange } from './captured.ts';
import type { Screenshot } from './screenshot.ts';

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
