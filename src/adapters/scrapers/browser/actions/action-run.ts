import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../../../base/deadline.ts';
import type { Failure, Warning } from '../../../../domain/failure.ts';
import type { Page as DeliveredPage } from '../../../../domain/fetched.ts';
import type { ActionOf, PageAction } from '../../../../domain/page-action.ts';
import { orAborted } from '../visit/raw-body.ts';
import type { Done } from './done.ts';
import { opensWindows, WindowFollower } from './follow-windows.ts';
import { Ledger } from './ledger.ts';
import { perform } from './perform.ts';
import { ResponseLog } from './response-log.ts';
import type { Stage } from './stage.ts';
import { Turn } from './turn.ts';
import { whyFailed } from './why-failed.ts';
import { Windows } from './windows.ts';

/** What Playwright needs to say itself that a time is up, rather than being cut off. */
const GRACE_MS = 100;
/** What a look at a page takes at most that does anything at all. */
const LOOK_MS = 2_000;
/** With less than this an action is not begun. */
const LEAST_MS = 20;

const NO_TIME = 'The time for waits and actions ran out';
const NO_DOCUMENT = 'The page navigated to a response that is not a document';

/** The page actions of one scrape, one after the other (contract §3). */
export class ActionRun {
  /** Milliseconds of all of it, once it has ended; null: they have not begun. */
  ms: number | null = null;
  #beganAt: number | null = null;
  readonly #actions: readonly PageAction[];
  readonly #stage: Stage;
  readonly #ledger: Ledger;
  /** What is still to be done of each list that is under way, the innermost last. */
  readonly #open: PageAction[][];
  #previousAt = 0;
  #windows: Windows | null = null;
  #follower: WindowFollower | null = null;

  /** @param stage before it has loaded anything */
  constructor(actions: readonly PageAction[], stage: Omit<Stage, 'responses'>) {
    this.#actions = actions;
    this.#open = [[...actions]];
    this.#stage = {
      ...stage,
      responses: new ResponseLog(some(actions, isWaitForResponse) ? stage.page : null),
    };
    this.#ledger = new Ledger(stage.room);
  }

  get failures(): readonly Failure[] {
    return this.#ledger.failures;
  }

  get warnings(): readonly Warning[] {
    return this.#ledger.warnings;
  }

  /** Settles when all are done, or none is to be done any more. Never rejects. @param time of waits and actions */
  async all(time: Deadline): Promise<void> {
    if (this.#actions.length === 0) return;
    this.#beganAt = performance.now();
    if (some(this.#actions, opensWindows)) await this.#watchWindows(time.signal);
    await this.#list(this.#open[0]!, time);
    await this.#follower?.last(time.signal);
    this.dispose();
    this.ms ??= performance.now() - this.#beganAt;
  }

  /** What became of them. What is not done by now never will be: there is no document for it. */
  end(): Pick<DeliveredPage, 'actions' | 'fatal'> {
    const ledger = this.#ledger;
    if (this.#beganAt !== null) this.ms ??= performance.now() - this.#beganAt;
    ledger.close(this.#open.toReversed().flat(), NO_DOCUMENT);
    return {
      ...(this.#actions.length === 0 ? {} : { actions: ledger.results }),
      ...(ledger.fatal === null ? {} : { fatal: ledger.fatal }),
    };
  }

  /** Nobody looks after the windows of the page any more. */
  dispose(): void {
    void this.#windows?.end();
    this.#windows = null;
    this.#follower = null;
  }

  async #watchWindows(signal: AbortSignal): Promise<void> {
    const { full, session } = this.#stage;
    const watching = Windows.watch(full, session);
    // A browser that does not answer is found out by the first action.
    this.#windows = await orAborted(watching, signal).catch(() => null);
    if (this.#windows === null) void watching.then((late) => late.end()).catch(() => {});
    else this.#follower = new WindowFollower(this.#stage, this.#windows, this.#ledger);
  }

  async #list(rest: PageAction[], time: Deadline): Promise<void> {
    const ledger = this.#ledger;
    for (let action = rest.shift(); action !== undefined; action = rest.shift()) {
      if (ledger.stopped) ledger.skip(action);
      else if (time.remaining() < LEAST_MS || time.signal.aborted) {
        ledger.skip(action);
        ledger.undone(action, NO_TIME);
      } else await this.#one(action, time);
      if (ledger.closed) return;
    }
  }

  async #one(action: PageAction, time: Deadline): Promise<void> {
    const ledger = this.#ledger;
    const at = ledger.begin(action);
    if (opensWindows(action)) await this.#follower?.begins(action, at, time.signal);
    const began = performance.now();
    const trying = this.#try(action, time);
    if (onlyWaits(action)) await this.#follower?.during(trying, time.signal);
    const { done, absent } = await trying;
    this.#previousAt = began;
    if (ledger.closed) return;
    ledger.warnings.push(...(done.warnings ?? []));
    const told = ledger.keep(action, done);
    if (done.failed === undefined) {
      ledger.done(at, { status: 'ok', ...told });
      if (action.type === 'if') {
        await this.#branch(action, done.result, time);
        ledger.done(at, { status: 'ok', ...told });
      }
      if (action.waitAfterMs > 0 && !ledger.stopped)
        await pause(action.waitAfterMs, null, { signal: time.signal }).catch(() => {});
    } else if (absent && action.optional) ledger.done(at, { status: 'skipped' });
    else ledger.failed(at, action, done.failed, told);
    await this.#follower?.ended(at, done.failed !== undefined, time.signal);
    ledger.over(at);
  }

  /** Does one; what is thrown is put into words. */
  async #try(action: PageAction, time: Deadline): Promise<{ done: Done; absent: boolean }> {
    const look = action.type === 'if' ? LOOK_MS : 0;
    const own = (action.timeoutMs ?? Number.POSITIVE_INFINITY) + look;
    const ms = Math.min(own, time.remaining());
    using turn = new Turn(this.#stage, action, ms, time.signal);
    const cut = new AbortController();
    const late = setTimeout(() => cut.abort(), ms + GRACE_MS);
    try {
      const doing =
        action.type === 'if' ? this.#decide(action, turn) : perform(action, turn, this.#previousAt);
      return { done: await orAborted(doing, cut.signal), absent: false };
    } catch (error) {
      const { why, absent } = await whyFailed(error, action, turn, ms < own);
      return { done: { failed: why }, absent };
    } finally {
      clearTimeout(late);
    }
  }

  /** Which branch of an `if` is gone. */
  async #decide({ when, timeoutMs, yes, no }: ActionOf<'if'>, turn: Turn): Promise<Done> {
    const holds = 'selector' in when ? await isThere() : this.#hasStatus(when);
    return { result: { branch: (holds ? yes : no) === null ? null : holds ? 'then' : 'else' } };
    async function isThere(): Promise<boolean> {
      if (!('selector' in when)) return false;
      const element = turn.element(when);
      if (timeoutMs === 0) return element.isVisible();
      const timeout = Math.min(timeoutMs!, turn.left);
      return element.waitFor({ state: 'visible', timeout }).then(
        () => true,
        () => false,
      );
    }
  }

  async #branch({ yes, no }: ActionOf<'if'>, result: unknown, time: Deadline): Promise<void> {
    const { branch } = result as { readonly branch: 'then' | 'else' | null };
    const list = branch === 'then' ? yes : branch === 'else' ? no : null;
    if (list === null) return;
    const rest = [...list];
    this.#open.push(rest);
    await this.#list(rest, time);
    if (!this.#ledger.closed) this.#open.pop();
  }

  #hasStatus(statuses: readonly number[]): boolean {
    const { shown } = this.#stage.visit;
    return shown !== null && statuses.includes(shown.status);
  }
}

const isWaitForResponse = ({ type }: PageAction): boolean => type === 'wait_for_response';

const onlyWaits = ({ type }: PageAction): boolean => type.startsWith('wait');

/** Also in branches. */
const some = (actions: readonly PageAction[], is: (action: PageAction) => boolean): boolean =>
  actions.some(
    (one) => is(one) || (one.type === 'if' && (some(one.yes ?? [], is) || some(one.no ?? [], is))),
  );
