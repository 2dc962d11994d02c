import type { ByteRoom } from '../../../../base/byte-room.ts';
import type { ActionResult } from '../../../../domain/action-result.ts';
import { type Failure, failure, type Warning } from '../../../../domain/failure.ts';
import type { PageAction } from '../../../../domain/page-action.ts';
import type { Done } from './done.ts';

/** Characters of all results together, as JSON. */
const MOST_RESULTS = 5 * 2 ** 20;

type Entry = Pick<ActionResult, 'status' | 'result' | 'exchange' | 'screenshot' | 'error'>;

/** What is noted of the page actions of one scrape. */
export class Ledger {
  readonly failures: Failure[] = [];
  readonly warnings: Warning[] = [];
  /** The one with `on_error: fail` that was not done. */
  fatal: Failure | null = null;
  /** An error has ended it: the rest is skipped. */
  stopped = false;
  /** Nobody looks at what is still done. */
  closed = false;
  readonly #room: Pick<ByteRoom, 'count'>;
  readonly #results: ActionResult[] = [];
  /** Those that are under way, by their places in the results. */
  readonly #begun = new Map<number, { readonly action: PageAction; readonly began: number }>();
  #toldUndone = false;
  #kept = 0;

  constructor(room: Pick<ByteRoom, 'count'>) {
    this.#room = room;
  }

  /** An action begins. @returns its place in the results */
  begin(action: PageAction): number {
    // What holds until it has been done: it may be what leads away from the page for good.
    const status = action.type.startsWith('wait') ? 'skipped' : 'ok';
    const at = this.#results.push({ ...head(action), status, durationMs: 0 }) - 1;
    this.#begun.set(at, { action, began: performance.now() });
    return at;
  }

  /** It was done, or skipped because what it is for is not there. */
  done(at: number, entry: Entry): void {
    const begun = this.#begun.get(at);
    if (this.closed || begun === undefined) return;
    this.#results[at] = { ...head(begun.action), ...entry, durationMs: performance.now() - begun.began };
  }

  /** Nothing more comes of it. */
  over(at: number): void {
    if (!this.closed) this.#begun.delete(at);
  }

  skip(action: PageAction): void {
    if (!this.closed) this.#results.push({ ...head(action), status: 'skipped', durationMs: 0 });
  }

  /** It failed. @param why goes on after `failed: ` */
  failed(at: number, action: PageAction, why: string, told: Omit<Entry, 'status'>): void {
    if (this.closed) return;
    const sentence = /[.!?…]$/.test(why) ? why : `${why}.`;
    const cause = causeOf(action, `Page action ${action.index} (${action.type}) failed: ${sentence}`);
    this.done(at, { status: 'failed', ...told, error: { code: cause.code, message: cause.message } });
    this.#after(action, cause);
  }

  /** It led the page to what it opened in a window; null: it did not. An `evaluate` has its result for itself. */
  opened(at: number, { type }: PageAction, url: string | null): void {
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
  undone(action: PageAction, why: string): void {
    if (this.closed) return;
    if (this.#toldUndone && action.onError !== 'fail') this.stopped = action.onError === 'stop';
    else {
      this.#toldUndone = true;
      const { index, type } = action;
      this.#after(
        action,
        causeOf(action, `${why} before page action ${index} (${type}), which was not run.`),
      );
    }
  }

  /** What an action told, as far as there is room for it. */
  keep(action: PageAction, done: Done): Omit<Entry, 'status'> {
    const { result, exchange, screenshot, cut } = done;
    const size = sizeOf(done);
    const tooMuch = this.#kept + size > MOST_RESULTS;
    if (cut !== undefined || tooMuch) {
      const why = tooMuch ? `All results together may have at most ${MOST_RESULTS} characters.` : cut!;
      const message = `The result of page action ${action.index} (${action.type}) is incomplete. ${why}`;
      this.failures.push({ ...causeOf(action, message), code: 'content.truncated' });
    }
    const picture = screenshot === undefined ? {} : { screenshot };
    if (tooMuch) return { result: null, ...picture };
    this.#kept += size;
    this.#room.count(size);
    if (exchange !== undefined) return { exchange };
    return { ...(result === undefined ? {} : { result }), ...picture };
  }

  /** After it nothing more is noted. @param left why what is under way or not begun cannot be done any more */
  close(rest: readonly PageAction[], left: string): void {
    if (this.closed) return;
    for (const [at, { action, began }] of this.#begun) {
      this.#results[at] = { ...this.#results[at]!, durationMs: performance.now() - began };
      if (action.type.startsWith('wait_for_') && !this.stopped) this.undone(action, left);
    }
    for (const action of rest) {
      this.skip(action);
      if (!this.stopped) this.undone(action, left);
    }
    this.closed = true;
  }

  get results(): readonly ActionResult[] {
    return this.#results;
  }

  #after({ onError }: PageAction, cause: Failure): void {
    if (onError === 'fail') this.fatal = cause;
    else this.failures.push(cause);
    this.stopped = onError !== 'continue';
  }
}

const head = ({ index, id, type }: PageAction) => ({ index, id, type });

function causeOf({ index, type, id, pointer }: PageAction, message: string): Failure {
  return failure('action.failed', message, { pointer, details: { index, type, id } });
}

/** Roughly, of its JSON. */
function sizeOf({ result, exchange }: Done): number {
  if (exchange === undefined) return result === undefined ? 0 : JSON.stringify(result).length;
  const { body, headers, requestHeaders } = exchange;
  let size = body === null ? 0 : (body.text?.length ?? 0) + (body.bytes?.length ?? 0) * 1.4;
  for (const [name, value] of [...headers, ...requestHeaders]) size += name.length + value.length;
  return size;
}
