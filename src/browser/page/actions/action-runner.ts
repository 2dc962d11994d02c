import type { Deadline } from '../../../base/time.ts';
import { orAborted, orTimeout, sleep } from '../../../base/wait.ts';
import type { Failure, Warning } from '../../../domain/failure.ts';
import type { Page as DeliveredPage } from '../../../domain/fetch-result.ts';
import type { ActionOf, PageAction } from '../../../domain/page-action.ts';
import { ActionContext, type ActionEnvironment, type ActionOutcome, ResponseLog } from './action-context.ts';
import { explainActionFailure } from './action-failure.ts';
import { ActionLog } from './action-log.ts';
import { check, click, fill, hideOrRemove, hover, press, select, type, uncheck } from './element-actions.ts';
import { back, captureScreenshot, extract, goto, reload } from './page-actions.ts';
import { mayOpenPopup, PopupFollower, PopupWatcher } from './popups.ts';
import { evaluate, waitForFunction } from './scripts.ts';
import { infiniteScroll, scroll } from './scroll-actions.ts';
import { wait, waitForLoadState, waitForResponse, waitForSelector, waitForUrl } from './wait-actions.ts';

/**
 * Does one action. Rejects with what Playwright has to say, or when its time is up.
 * @param previousAt `performance.now()` when the action before it began
 */
function performAction(
  action: Exclude<PageAction, { type: 'if' }>,
  turn: ActionContext,
  previousAt: number,
): Promise<ActionOutcome> {
  switch (action.type) {
    case 'click':
      return click(action, turn);
    case 'fill':
      return fill(action, turn);
    case 'type':
      return type(action, turn);
    case 'press':
      return press(action, turn);
    case 'select':
      return select(action, turn);
    case 'check':
      return check(action, turn);
    case 'uncheck':
      return uncheck(action, turn);
    case 'hover':
      return hover(action, turn);
    case 'scroll':
      return scroll(action, turn);
    case 'infinite_scroll':
      return infiniteScroll(action, turn);
    case 'wait':
      return wait(action, turn);
    case 'wait_for_selector':
      return waitForSelector(action, turn);
    case 'wait_for_load_state':
      return waitForLoadState(action, turn);
    case 'wait_for_url':
      return waitForUrl(action, turn);
    case 'wait_for_response':
      return waitForResponse(action, turn, previousAt);
    case 'wait_for_function':
      return waitForFunction(action, turn);
    case 'evaluate':
      return evaluate(action, turn);
    case 'goto':
      return goto(action, turn);
    case 'reload':
      return reload(action, turn);
    case 'back':
      return back(action, turn);
    case 'hide':
    case 'remove':
      return hideOrRemove(action, turn);
    case 'screenshot':
      return captureScreenshot(action, turn);
    case 'extract':
      return extract(action, turn);
  }
}

/** What Playwright needs to say itself that a time is up, rather than being cut off. */
const TIMEOUT_GRACE_MS = 100;
/** What a look at a page takes at most that does anything at all. */
const PROBE_MS = 2_000;
/** With less than this an action is not begun. */
const MIN_ACTION_MS = 20;

const OUT_OF_TIME = 'The time for waits and actions ran out';
const NO_DOCUMENT = 'The page navigated to a response that is not a document';

/** The page actions of one scrape, one after the other (contract §3). */
export class ActionRunner {
  /** Milliseconds of all of it, once it has ended; null: they have not begun. */
  durationMs: number | null = null;
  #startedAt: number | null = null;
  readonly #actions: readonly PageAction[];
  readonly #env: ActionEnvironment;
  readonly #log: ActionLog;
  /** What is still to be done of each list that is under way, the innermost last. */
  readonly #pending: PageAction[][];
  #previousStartedAt = 0;
  #popups: PopupWatcher | null = null;
  #popupFollower: PopupFollower | null = null;

  /** @param stage before it has loaded anything */
  constructor(actions: readonly PageAction[], stage: Omit<ActionEnvironment, 'responses'>) {
    this.#actions = actions;
    this.#pending = [[...actions]];
    this.#env = {
      ...stage,
      responses: new ResponseLog(anyAction(actions, isWaitForResponse) ? stage.page : null),
    };
    this.#log = new ActionLog(stage.memory);
  }

  get failures(): readonly Failure[] {
    return this.#log.failures;
  }

  get warnings(): readonly Warning[] {
    return this.#log.warnings;
  }

  /** Settles when all are done, or none is to be done any more. Never rejects. @param time of waits and actions */
  async run(time: Deadline): Promise<void> {
    if (this.#actions.length === 0) return;
    this.#startedAt = performance.now();
    if (anyAction(this.#actions, mayOpenPopup)) await this.#watchPopups(time.signal);
    await this.#runList(this.#pending[0]!, time);
    await this.#popupFollower?.finish(time.signal);
    this.dispose();
    this.durationMs ??= performance.now() - this.#startedAt;
  }

  /** What became of them. What is not done by now never will be: there is no document for it. */
  finish(): Pick<DeliveredPage, 'actions' | 'fatal'> {
    const ledger = this.#log;
    if (this.#startedAt !== null) this.durationMs ??= performance.now() - this.#startedAt;
    ledger.close(this.#pending.toReversed().flat(), NO_DOCUMENT);
    return {
      ...(this.#actions.length === 0 ? {} : { actions: ledger.results }),
      ...(ledger.fatal === null ? {} : { fatal: ledger.fatal }),
    };
  }

  /** Nobody looks after the windows of the page any more. */
  dispose(): void {
    void this.#popups?.stop();
    this.#popups = null;
    this.#popupFollower = null;
  }

  async #watchPopups(signal: AbortSignal): Promise<void> {
    const { playwright, session } = this.#env;
    const watching = PopupWatcher.watch(playwright, session);
    // A browser that does not answer is found out by the first action.
    this.#popups = await orAborted(watching, signal).catch(() => null);
    if (this.#popups === null) void watching.then((late) => late.stop()).catch(() => {});
    else this.#popupFollower = new PopupFollower(this.#env, this.#popups, this.#log);
  }

  async #runList(rest: PageAction[], time: Deadline): Promise<void> {
    const ledger = this.#log;
    for (let action = rest.shift(); action !== undefined; action = rest.shift()) {
      if (ledger.stopped) ledger.skip(action);
      else if (time.remaining() < MIN_ACTION_MS || time.signal.aborted) {
        ledger.skip(action);
        ledger.recordNotRun(action, OUT_OF_TIME);
      } else await this.#runAction(action, time);
      if (ledger.closed) return;
    }
  }

  async #runAction(action: PageAction, time: Deadline): Promise<void> {
    const ledger = this.#log;
    const at = ledger.start(action);
    if (mayOpenPopup(action)) await this.#popupFollower?.actionStarted(action, at, time.signal);
    const began = performance.now();
    const trying = this.#execute(action, time);
    if (isWait(action)) await this.#popupFollower?.followWhile(trying, time.signal);
    const { done, absent } = await trying;
    this.#previousStartedAt = began;
    if (ledger.closed) return;
    ledger.warnings.push(...(done.warnings ?? []));
    const told = ledger.limitResult(action, done);
    if (done.error === undefined) {
      ledger.record(at, { status: 'ok', ...told });
      if (action.type === 'if') {
        await this.#runBranch(action, done.result, time);
        ledger.record(at, { status: 'ok', ...told });
      }
      if (action.waitAfterMs > 0 && !ledger.stopped) await sleep(action.waitAfterMs, time.signal);
    } else if (absent && action.optional) ledger.record(at, { status: 'skipped' });
    else ledger.fail(at, action, done.error, told);
    await this.#popupFollower?.actionFinished(at, done.error !== undefined, time.signal);
    ledger.finish(at);
  }

  /** Does one; what is thrown is put into words. */
  async #execute(action: PageAction, time: Deadline): Promise<{ done: ActionOutcome; absent: boolean }> {
    const look = action.type === 'if' ? PROBE_MS : 0;
    const own = (action.timeoutMs ?? Number.POSITIVE_INFINITY) + look;
    const ms = Math.min(own, time.remaining());
    using turn = new ActionContext(this.#env, action, ms, time.signal);
    try {
      const doing =
        action.type === 'if'
          ? this.#evaluateCondition(action, turn)
          : performAction(action, turn, this.#previousStartedAt);
      const done = await orTimeout(doing, ms + TIMEOUT_GRACE_MS, null);
      if (done === null) throw new Error('the browser did not end the action in time');
      return { done, absent: false };
    } catch (error) {
      const { reason, elementMissing } = await explainActionFailure(error, action, turn, ms < own);
      return { done: { error: reason }, absent: elementMissing };
    }
  }

  /** Which branch of an `if` is gone. */
  async #evaluateCondition(
    { when, timeoutMs, yes, no }: ActionOf<'if'>,
    turn: ActionContext,
  ): Promise<ActionOutcome> {
    const holds = 'selector' in when ? await isThere() : this.#hasStatus(when);
    return { result: { branch: (holds ? yes : no) === null ? null : holds ? 'then' : 'else' } };
    async function isThere(): Promise<boolean> {
      if (!('selector' in when)) return false;
      const element = turn.locate(when);
      if (timeoutMs === 0) return element.isVisible();
      const timeout = Math.min(timeoutMs!, turn.remainingMs);
      return element.waitFor({ state: 'visible', timeout }).then(
        () => true,
        () => false,
      );
    }
  }

  async #runBranch({ yes, no }: ActionOf<'if'>, result: unknown, time: Deadline): Promise<void> {
    const { branch } = result as { readonly branch: 'then' | 'else' | null };
    const list = branch === 'then' ? yes : branch === 'else' ? no : null;
    if (list === null) return;
    const rest = [...list];
    this.#pending.push(rest);
    await this.#runList(rest, time);
    if (!this.#log.closed) this.#pending.pop();
  }

  #hasStatus(statuses: readonly number[]): boolean {
    const { response } = this.#env.mainFrame;
    return response !== null && statuses.includes(response.status);
  }
}

const isWaitForResponse = ({ type }: PageAction): boolean => type === 'wait_for_response';

const isWait = ({ type }: PageAction): boolean => type.startsWith('wait');

/** Also in branches. */
const anyAction = (actions: readonly PageAction[], is: (action: PageAction) => boolean): boolean =>
  actions.some(
    (one) => is(one) || (one.type === 'if' && (anyAction(one.yes ?? [], is) || anyAction(one.no ?? [], is))),
  );
