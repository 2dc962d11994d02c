import type { MemoryReservation } from '../../../base/memory-budget.ts';
import { type Failure, type FailureCode, failure, type Warning } from '../../../domain/failure.ts';
import type { ActionResult, PageAction } from '../../../domain/page-action.ts';
import type { ActionOutcome } from './action-context.ts';

/** For the JSON of all results together. */
const MAX_RESULT_CHARACTERS = 5 * 2 ** 20;

type ActionEntry = Pick<ActionResult, 'status' | 'result' | 'exchange' | 'screenshot' | 'error'>;

/** The results of the page actions of one scrape. */
export class ActionLog {
  readonly failures: Failure[] = [];
  readonly warnings: Warning[] = [];
  /** The error of an action with `on_error: fail`. */
  fatal: Failure | null = null;
  /** After an error: further actions are skipped. */
  stopped = false;
  /** The results are final: nothing more is recorded. */
  closed = false;
  readonly #memory: Pick<MemoryReservation, 'countUnreserved'>;
  readonly #results: ActionResult[] = [];
  /** Running actions, by index of their result. */
  readonly #running = new Map<number, { readonly action: PageAction; readonly startedAt: number }>();
  #reportedNotRun = false;
  #resultCharacters = 0;

  constructor(memory: Pick<MemoryReservation, 'countUnreserved'>) {
    this.#memory = memory;
  }

  /** An action starts. @returns the index of its result */
  start(action: PageAction): number {
    // The status stays if the action never finishes, because the page navigated to a response that is not a document.
    // By then a wait has not ended, but any other action has had its effect.
    const status = action.type.startsWith('wait') ? 'skipped' : 'ok';
    const index = this.#results.push({ ...actionFields(action), status, durationMs: 0 }) - 1;
    this.#running.set(index, { action, startedAt: performance.now() });
    return index;
  }

  /** Records the result of a running action; may be called again. */
  record(index: number, entry: ActionEntry): void {
    const running = this.#running.get(index);
    if (this.closed || running === undefined) return;
    const durationMs = performance.now() - running.startedAt;
    this.#results[index] = { ...actionFields(running.action), ...entry, durationMs };
  }

  /** The result of an action is final. */
  finish(index: number): void {
    if (!this.closed) this.#running.delete(index);
  }

  skip(action: PageAction): void {
    if (!this.closed) this.#results.push({ ...actionFields(action), status: 'skipped', durationMs: 0 });
  }

  /** Records a failed action. @param reason follows `failed: ` in the message */
  fail(
    index: number,
    action: PageAction,
    reason: string,
    result: Omit<ActionEntry, 'status'>,
    code: FailureCode = 'action.failed',
  ): void {
    if (this.closed) return;
    const sentence = /[.!?…]$/.test(reason) ? reason : `${reason}.`;
    const message = `Page action ${action.index} (${action.type}) failed: ${sentence}`;
    const cause = { ...actionFailure(action, message), code };
    this.record(index, { status: 'failed', ...result, error: { code: cause.code, message: cause.message } });
    this.#applyOnError(action, cause);
  }

  /**
   * Adds to the result that the page was navigated to the URL of a popup that the action had opened; null: removes it again.
   * The result of `evaluate` belongs to the caller's script, and stays as it is.
   */
  recordPopup(index: number, { type }: PageAction, url: string | null): void {
    const entry = this.#results[index];
    if (this.closed || entry === undefined || type === 'evaluate') return;
    const { result, ...rest } = entry;
    const { opened: _, ...others } = (result ?? {}) as Record<string, unknown>;
    const members = url === null ? others : { ...others, opened: url };
    this.#results[index] = Object.keys(members).length === 0 ? rest : { ...rest, result: members };
  }

  /**
   * An action cannot be run any more. It fails, but only the first such action gets an error.
   * @param reason is followed by `before page action 3 (click), which was not run.`
   */
  recordNotRun(action: PageAction, reason: string): void {
    if (this.closed) return;
    if (this.#reportedNotRun && action.onError !== 'fail') this.stopped = action.onError === 'stop';
    else {
      this.#reportedNotRun = true;
      const { index, type } = action;
      const message = `${reason} before page action ${index} (${type}), which was not run.`;
      this.#applyOnError(action, actionFailure(action, message));
    }
  }

  /** The result of an action, or null if the results of all actions would become too large. */
  limitResult(action: PageAction, outcome: ActionOutcome): Omit<ActionEntry, 'status'> {
    const { result, exchange, screenshot, truncation } = outcome;
    const size = resultSize(outcome);
    const isTooLarge = this.#resultCharacters + size > MAX_RESULT_CHARACTERS;
    if (truncation !== undefined || isTooLarge) {
      const why = isTooLarge
        ? `All results together may have at most ${MAX_RESULT_CHARACTERS} characters.`
        : truncation!;
      const message = `The result of page action ${action.index} (${action.type}) is incomplete. ${why}`;
      this.failures.push({ ...actionFailure(action, message), code: 'content.truncated' });
    }
    const withScreenshot = screenshot === undefined ? {} : { screenshot };
    if (isTooLarge) return { result: null, ...withScreenshot };
    this.#resultCharacters += size;
    this.#memory.countUnreserved(size);
    if (exchange !== undefined) return { exchange };
    return { ...(result === undefined ? {} : { result }), ...withScreenshot };
  }

  /**
   * Makes the results final: nothing more is recorded.
   * @param rest actions that have not been started @param reason why running and further actions cannot finish
   */
  close(rest: readonly PageAction[], reason: string): void {
    if (this.closed) return;
    for (const [index, { action, startedAt }] of this.#running) {
      this.#results[index] = { ...this.#results[index]!, durationMs: performance.now() - startedAt };
      if (action.type.startsWith('wait_for_') && !this.stopped) this.recordNotRun(action, reason);
    }
    for (const action of rest) {
      this.skip(action);
      if (!this.stopped) this.recordNotRun(action, reason);
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

/** About the length of its JSON, in which bytes are Base64: 4 characters for 3 bytes. */
function resultSize({ result, exchange }: ActionOutcome): number {
  if (exchange === undefined) return result === undefined ? 0 : JSON.stringify(result).length;
  const { body, headers, requestHeaders } = exchange;
  let size = body === null ? 0 : (body.text?.length ?? 0) + (body.bytes?.length ?? 0) * 1.4;
  for (const [name, value] of [...headers, ...requestHeaders]) size += name.length + value.length;
  return size;
}
