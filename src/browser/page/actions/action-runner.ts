import type { Deadline } from '../../../base/time.ts';
import { orAborted, orTimeout, sleep } from '../../../base/wait.ts';
import type { Failure, Warning } from '../../../domain/failure.ts';
import type { Page as DeliveredPage } from '../../../domain/fetch-result.ts';
import type { ActionOf, PageAction } from '../../../domain/page-action.ts';
import type { ReportStep } from '../../../domain/progress.ts';
import { ActionContext, type ActionEnvironment, type ActionOutcome, ResponseLog } from './action-context.ts';
import { explainActionFailure } from './action-failure.ts';
import { ActionLog } from './action-log.ts';
import { check, click, fill, hideOrRemove, hover, press, select, type, uncheck } from './element-actions.ts';
import { login } from './login.ts';
import { LoginGuard } from './login-guard.ts';
import { back, captureScreenshot, extract, goto, reload } from './page-actions.ts';
import { mayOpenPopup, PopupFollower, PopupWatcher } from './popups.ts';
import { evaluate, waitForFunction } from './scripts.ts';
import { infiniteScroll, scroll } from './scroll-actions.ts';
import { wait, waitForLoadState, waitForResponse, waitForSelector, waitForUrl } from './wait-actions.ts';

type Perform<Action> = (
  action: Action,
  context: ActionContext,
  previousStartedAt: number,
) => Promise<ActionOutcome>;

type PlainAction = Exclude<PageAction, { type: 'if' }>;

const ACTIONS: { readonly [Type in PlainAction['type']]: Perform<ActionOf<Type>> } = {
  click,
  fill,
  type,
  press,
  select,
  check,
  uncheck,
  hover,
  scroll,
  infinite_scroll: infiniteScroll,
  wait,
  wait_for_selector: waitForSelector,
  wait_for_load_state: waitForLoadState,
  wait_for_url: waitForUrl,
  wait_for_response: waitForResponse,
  wait_for_function: waitForFunction,
  evaluate,
  goto,
  reload,
  back,
  hide: hideOrRemove,
  remove: hideOrRemove,
  screenshot: captureScreenshot,
  extract,
  login,
};

/**
 * Runs one action. Rejects with errors of Playwright, and after its timeout.
 * @param previousStartedAt `performance.now()` at the start of the previous action
 */
const performAction: Perform<PlainAction> = (action, context, previousStartedAt) =>
  (ACTIONS[action.type] as Perform<PlainAction>)(action, context, previousStartedAt);

/** Playwright has the shorter timeout, because its error says more than ours. */
const TIMEOUT_GRACE_MS = 100;
/** Time for evaluating the condition of an `if`, in addition to its timeout. */
const CONDITION_MS = 2_000;
/** With less time left, an action is not started. */
const MIN_ACTION_MS = 20;

const OUT_OF_TIME = 'The time for waits and actions ran out';
const NO_DOCUMENT = 'The page navigated to a response that is not a document';

/** The page actions of one scrape, one after the other (contract §3). */
export class ActionRunner {
  /** Duration of all actions, once they have ended; null: none was started. */
  durationMs: number | null = null;
  /** When the last action ended that may lead to something else, such as a download, by `performance.now()`. */
  lastEffectAt = Number.NEGATIVE_INFINITY;
  #startedAt: number | null = null;
  /** What the results may not contain. */
  readonly guard = new LoginGuard();
  readonly #actions: readonly PageAction[];
  readonly #onStep: ReportStep | undefined;
  readonly #env: ActionEnvironment;
  readonly #log: ActionLog;
  /** See `Page.plainFields`. */
  readonly #plainFields: string[] = [];
  /** The actions that have not been started: of the request, and of each branch that is running; the innermost comes last. */
  readonly #pending: PageAction[][];
  #previousStartedAt = 0;
  #popups: PopupWatcher | null = null;
  #popupFollower: PopupFollower | null = null;

  /** @param env its page must not have loaded anything yet */
  constructor(
    actions: readonly PageAction[],
    onStep: ReportStep | undefined,
    env: Omit<ActionEnvironment, 'responses' | 'guard'>,
  ) {
    this.#actions = actions;
    this.#onStep = onStep;
    this.#pending = [[...actions]];
    this.#env = {
      ...env,
      guard: this.guard,
      responses: new ResponseLog(anyAction(actions, isWaitForResponse) ? env.page : null),
    };
    this.#log = new ActionLog(env.memory);
  }

  get failures(): readonly Failure[] {
    return this.#log.failures;
  }

  get warnings(): readonly Warning[] {
    return this.#log.warnings;
  }

  /** Runs the actions, until all are done or one stops them. Never rejects. @param time limit of waits and actions */
  async run(time: Deadline): Promise<void> {
    if (this.#actions.length === 0) return;
    this.#startedAt = performance.now();
    if (anyAction(this.#actions, mayOpenPopup)) await this.#watchPopups(time.signal);
    await this.#runList(this.#pending[0]!, time);
    await this.#popupFollower?.finish(time.signal);
    this.dispose();
    this.durationMs ??= performance.now() - this.#startedAt;
  }

  /**
   * Ends the actions and returns their results. If some have not finished, they never will, because the page navigated to a
   * response without a document.
   */
  finish(): Pick<DeliveredPage, 'actions' | 'plainFields' | 'fatal'> {
    const log = this.#log;
    if (this.#startedAt !== null) this.durationMs ??= performance.now() - this.#startedAt;
    log.close(this.#pending.toReversed().flat(), NO_DOCUMENT);
    return {
      ...(this.#actions.length === 0 ? {} : { actions: log.results, plainFields: this.#plainFields }),
      ...(log.fatal === null ? {} : { fatal: log.fatal }),
    };
  }

  /** Popups are closed from now on. */
  dispose(): void {
    void this.#popups?.stop();
    this.#popups = null;
    this.#popupFollower = null;
  }

  async #watchPopups(signal: AbortSignal): Promise<void> {
    const { playwright, session } = this.#env;
    const watching = PopupWatcher.watch(playwright, session);
    // If the browser does not respond, the first action fails.
    this.#popups = await orAborted(watching, signal).catch(() => null);
    if (this.#popups === null) void watching.then((watcher) => watcher.stop()).catch(() => {});
    else this.#popupFollower = new PopupFollower(this.#env, this.#popups, this.#log);
  }

  async #runList(rest: PageAction[], time: Deadline): Promise<void> {
    const log = this.#log;
    for (let action = rest.shift(); action !== undefined; action = rest.shift()) {
      if (log.stopped) log.skip(action);
      else if (time.remaining() < MIN_ACTION_MS || time.signal.aborted) {
        log.skip(action);
        log.recordNotRun(action, OUT_OF_TIME);
      } else await this.#runAction(action, time);
      if (log.closed) return;
    }
  }

  async #runAction(action: PageAction, time: Deadline): Promise<void> {
    const log = this.#log;
    const index = log.start(action);
    this.#onStep?.({ phase: 'action', n: action.index + 1, of: this.#actions.length, type: action.type });
    if (mayOpenPopup(action)) await this.#popupFollower?.actionStarted(action, index, time.signal);
    const startedAt = performance.now();
    const running = this.#execute(action, time);
    if (isWait(action)) await this.#popupFollower?.followWhile(running, time.signal);
    const { outcome, elementMissing } = await running;
    this.#previousStartedAt = startedAt;
    if (log.closed) return;
    log.warnings.push(...(outcome.warnings ?? []));
    const result = log.limitResult(action, outcome);
    if (outcome.error === undefined) {
      log.record(index, { status: 'ok', ...result });
      if (action.type === 'if') {
        await this.#runBranch(action, outcome.result, time);
        // Again, so that the duration includes the branch.
        log.record(index, { status: 'ok', ...result });
      }
      if (action.waitAfterMs > 0 && !log.stopped) await sleep(action.waitAfterMs, time.signal);
    } else if (elementMissing && action.optional) log.record(index, { status: 'skipped' });
    else log.fail(index, action, outcome.error, result, outcome.code);
    await this.#popupFollower?.actionFinished(index, outcome.error !== undefined, time.signal);
    if (mayOpenPopup(action)) this.lastEffectAt = performance.now();
    log.finish(index);
  }

  /** Runs one action, and turns errors into texts. */
  async #execute(
    action: PageAction,
    time: Deadline,
  ): Promise<{ outcome: ActionOutcome; elementMissing: boolean }> {
    const ownTimeoutMs =
      (action.timeoutMs ?? Number.POSITIVE_INFINITY) + (action.type === 'if' ? CONDITION_MS : 0);
    const timeoutMs = Math.min(ownTimeoutMs, time.remaining());
    using context = new ActionContext(this.#env, action, timeoutMs, time.signal);
    const { guard } = this;
    const { mainFrame } = this.#env;
    const refusal = guard.refusal(action, mainFrame.response);
    if (refusal !== null)
      return { outcome: { error: refusal, code: 'action.refused' }, elementMissing: false };
    guard.note(action, mainFrame.response);
    try {
      const running =
        action.type === 'if'
          ? this.#evaluateCondition(action, context)
          : performAction(action, context, this.#previousStartedAt);
      const outcome = await orTimeout(running, timeoutMs + TIMEOUT_GRACE_MS, null);
      if (outcome === null) throw new Error('the browser did not end the action in time');
      if (context.isFieldPlain) this.#plainFields.push(action.pointer);
      return { outcome: guard.mask.json(outcome), elementMissing: outcome.elementMissing === true };
    } catch (error) {
      const { reason, elementMissing } = await explainActionFailure(error, action, context, {
        timeoutWasShortened: timeoutMs < ownTimeoutMs,
      });
      return { outcome: { error: guard.mask.text(reason), ...codeOf(action) }, elementMissing };
    } finally {
      guard.note(action, mainFrame.response);
    }
  }

  /** Chooses the branch of an `if`. */
  async #evaluateCondition(
    { condition, timeoutMs, thenActions, elseActions }: ActionOf<'if'>,
    context: ActionContext,
  ): Promise<ActionOutcome> {
    const holds = 'selector' in condition ? await isVisible() : this.#hasStatus(condition);
    return {
      result: { branch: (holds ? thenActions : elseActions) === null ? null : holds ? 'then' : 'else' },
    };
    async function isVisible(): Promise<boolean> {
      if (!('selector' in condition)) return false;
      const element = context.locate(condition);
      if (timeoutMs === 0) return element.isVisible();
      const timeout = Math.min(timeoutMs!, context.remainingMs);
      return element.waitFor({ state: 'visible', timeout }).then(
        () => true,
        () => false,
      );
    }
  }

  async #runBranch(
    { thenActions, elseActions }: ActionOf<'if'>,
    result: unknown,
    time: Deadline,
  ): Promise<void> {
    const { branch } = result as { readonly branch: 'then' | 'else' | null };
    const list = branch === 'then' ? thenActions : branch === 'else' ? elseActions : null;
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

/** The code of an action that fails without another reason. */
const codeOf = ({ type }: PageAction): Pick<ActionOutcome, 'code'> =>
  type === 'login' ? { code: 'login.failed' } : {};

const isWaitForResponse = ({ type }: PageAction): boolean => type === 'wait_for_response';

const isWait = ({ type }: PageAction): boolean => type.startsWith('wait');

/** Whether any action matches, branches included. */
const anyAction = (actions: readonly PageAction[], matches: (action: PageAction) => boolean): boolean =>
  actions.some(
    (action) =>
      matches(action) ||
      (action.type === 'if' &&
        anyAction([...(action.thenActions ?? []), ...(action.elseActions ?? [])], matches)),
  );
