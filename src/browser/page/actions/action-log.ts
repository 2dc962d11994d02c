import type { MemoryReservation } from '../../../base/memory-budget.ts';
import { type Failure, failure, type Warning } from '../../../domain/failure.ts';
import type { ActionResult, PageAction } from '../../../domain/page-action.ts';
import type { ActionOutcome } from './action-context.ts';

/** Characters of all results together, as JSON. */
const MAX_RESULT_CHARACTERS = 5 * 2 ** 20;

type ActionEntry = Pick<ActionResult, 'status' | 'result' | 'exchange' | 'screenshot' | 'error'>;

/** What is noted of the page actions of one scrape. */
export class ActionLog {
  readonly failures: Failure[] = [];
  readonly warnings: Warning[] = [];
  /** The one with `on_error: fail` that was not done. */
  fatal: Failure | null = null;
  /** An error has ended it: the rest is skipped. */
  stopped = false;
  /** Nobody looks at what is still done. */
  closed = false;
  readonly #memory: Pick<MemoryReservation, 'countUnreserved'>;
  readonly #results: ActionResult[] = [];
  /** Those that are under way, by their places in the results. */
  readonly #running = new Map<number, { readonly action: PageAction; readonly began: number }>();
  #reportedNotRun = false;
  #resultCharacters = 0;

  constructor(room: Pick<MemoryReservation, 'countUnreserved'>) {
    this.#memory = room;
  }

  /** An action begins. @returns its place in the results */
  start(action: PageAction): number {
    // What holds until it has been done: it may be what leads away from the page for good.
    const status = action.type.startsWith('wait') ? 'skipped' : 'ok';
    const at = this.#results.push({ ...actionFields(action), status, durationMs: 0 }) - 1;
    this.#running.set(at, { action, began: performance.now() });
    return at;
  }

  /** It was done, or skipped because what it is for is not there. */
  record(at: number, entry: ActionEntry): void {
    const begun = this.#running.get(at);
    if (this.closed || begun === undefined) return;
    this.#results[at] = {
      ...actionFields(begun.action),
      ...entry,
      durationMs: performance.now() - begun.began,
    };
  }

  /** Nothing more comes of it. */
  finish(at: number): void {
    if (!this.closed) this.#running.delete(at);
  }

  skip(action: PageAction): void {
    if (!this.closed) this.#results.push({ ...actionFields(action), status: 'skipped', durationMs: 0 });
  }

  /** It failed. @param why goes on after `failed: ` */
  fail(at: number, action: PageAction, why: string, told: Omit<ActionEntry, 'status'>): void {
    if (this.closed) return;
    const sentence = /[.!?…]$/.test(why) ? why : `${why}.`;
    const cause = actionFailure(action, `Page action ${action.index} (${action.type}) failed: ${sentence}`);
    this.record(at, { status: 'failed', ...told, error: { code: cause.code, message: cause.message } });
    this.#applyOnError(action, cause);
  }

  /** It led the page to what it opened in a window; null: it did not. An `evaluate` has its result for itself. */
  recordPopup(at: number, { type }: PageAction, url: string | null): void {
    const entry = this.#results[at];
    if (this.closed || entry === undefined || type === 'evaluate') return;
    const { result, ...rest } = entry;
    const { opened: _, ...told } = (result ?? {}) as Record<string, unknown>;
    const all = url === null ? told : { ...told, opened: url };
    this.#results[at] = Object.keys(all).length === 0 ? rest : { ...rest, result: all };
  }

  /**
   * It cannot be done any more: that fails like one that was begun, but one error is told for all of them.
   * @param why `… before page action 3 (click); it was not done.` follows
   */
  recordNotRun(action: PageAction, why: string): void {
    if (this.closed) return;
    if (this.#reportedNotRun && action.onError !== 'fail') this.stopped = action.onError === 'stop';
    else {
      this.#reportedNotRun = true;
      const { index, type } = action;
      this.#applyOnError(
        action,
        actionFailure(action, `${why} before page action ${index} (${type}), which was not run.`),
      );
    }
  }

  /** What an action told, as far as there is room for it. */
  limitResult(action: PageAction, done: ActionOutcome): Omit<ActionEntry, 'status'> {
    const { result, exchange, screenshot, truncation } = done;
    const size = resultSize(done);
    const tooMuch = this.#resultCharacters + size > MAX_RESULT_CHARACTERS;
    if (truncation !== undefined || tooMuch) {
      const why = tooMuch
        ? `All results together may have at most ${MAX_RESULT_CHARACTERS} characters.`
        : truncation!;
      const message = `The result of page action ${action.index} (${action.type}) is incomplete. ${why}`;
      this.failures.push({ ...actionFailure(action, message), code: 'content.truncated' });
    }
    const picture = screenshot === undefined ? {} : { screenshot };
    if (tooMuch) return { result: null, ...picture };
    this.#resultCharacters += size;
    this.#memory.countUnreserved(size);
    if (exchange !== undefined) return { exchange };
    return { ...(result === undefined ? {} : { result }), ...picture };
  }

  /** After it nothing more is noted. @param left why what is under way or not begun cannot be done any more */
  close(rest: readonly PageAction[], left: string): void {
    if (this.closed) return;
    for (const [at, { action, began }] of this.#running) {
      this.#results[at] = { ...this.#results[at]!, durationMs: performance.now() - began };
      if (action.type.startsWith('wait_for_') && !this.stopped) this.recordNotRun(action, left);
    }
    for (const action of rest) {
      this.skip(action);
      if (!this.stopped) this.recordNotRun(action, left);
    }
    this.closed = true;
  }

  get results(): readonly ActionResult[] {
    return this.#results;
  }

  #applyOnError({ onError }: PageAction, cause: Failure): void {
    if (onError === 'fail') this.fatal = cause;
    else this.failures.push(cause);
    this.stopped = onError !== 'continue';
  }
}

const actionFields = ({ index, id, type }: PageAction) => ({ index, id, type });

function actionFailure({ index, type, id, pointer }: PageAction, message: string): Failure {
  return failure('action.failed', message, { pointer, details: { index, type, id } });
}

/** Roughly, of its JSON. */
function resultSize({ result, exchange }: ActionOutcome): number {
  if (exchange === undefined) return result === undefined ? 0 : JSON.stringify(result).length;
  const { body, headers, requestHeaders } = exchange;
  let size = body === null ? 0 : (body.text?.length ?? 0) + (body.bytes?.length ?? 0) * 1.4;
  for (const [name, value] of [...headers, ...requestHeaders]) size += name.length + value.length;
  return size;
}
