import type { ElementHandle, Frame } from 'playwright-core';
import { sleep } from '../../../base/wait.ts';
import type { LoginCredentials } from '../../../domain/credentials.ts';
import { isFailure } from '../../../domain/failure.ts';
import type { ActionOf } from '../../../domain/page-action.ts';
import { totpCode } from '../../../domain/totp.ts';
import { siteOf } from '../../../http-client/cookie-jar.ts';
import type { ActionContext, ActionOutcome } from './action-context.ts';
import { type LoginField, type LoginFieldKind, loginFormOf } from './login-fields.ts';

const POLL_MS = 100;
/** After a step, a page that asks for nothing more, and loads nothing, for so long has logged in. */
const QUIET_MS = 700;
/** A page that still asks for the password after so long without loading anything has refused it. */
const REFUSED_MS = 2_000;
/** A code that is good for less than this is not typed: the next one is. */
const CODE_LEFT_MS = 2_000;
const SUBMIT_TIMEOUT_MS = 2_000;
/** The last second of the action's time, at most a quarter of it, is kept for telling why no field was found. */
const TELLING_MS = 1_000;

/**
 * Logs in with the credentials of a profile: user name, password and code, on one page or on several. Each is sent once, so that a refused
 * password does not lock the account.
 */
export async function login({ profile }: ActionOf<'login'>, context: ActionContext): Promise<ActionOutcome> {
  const { guard, openLogin } = context.env;
  const credentials = await openLogin(profile);
  if (isFailure(credentials)) return { error: credentials.message, code: credentials.code };
  guard.keep(credentials);
  try {
    return await new Login(credentials, context).run();
  } catch (error) {
    // Playwright's errors may have what was typed.
    (error as Error).message = guard.mask.text((error as Error).message);
    throw error;
  }
}

/** A frame that may be typed into, with its fields. */
interface FoundForm {
  readonly frame: Frame;
  readonly fields: readonly LoginField[];
}

class Login {
  readonly #credentials: LoginCredentials;
  readonly #context: ActionContext;
  readonly #given = new Set<LoginFieldKind>();
  /** Origin of a frame that has a field, but is of no site of the profile. */
  #foreign: string | null = null;
  /** Since when nothing was loaded and nothing done, by `performance.now()`. */
  #quietSince = performance.now();

  constructor(credentials: LoginCredentials, context: ActionContext) {
    this.#credentials = credentials;
    this.#context = context;
  }

  async run(): Promise<ActionOutcome> {
    const { signal, remainingMs } = this.#context;
    const endsAt = performance.now() + remainingMs - Math.min(TELLING_MS, remainingMs / 4);
    while (!signal.aborted && performance.now() < endsAt) {
      const form = await this.#findForm();
      const isDone = form !== null && (await this.#fill(form));
      if (isDone || this.#isLoading) this.#quietSince = performance.now();
      const quietMs = performance.now() - this.#quietSince;
      const asksAgain = form?.fields.some(({ kind }) => this.#given.has(kind)) === true;
      if (asksAgain && quietMs > REFUSED_MS) return this.#refused(form.fields);
      if (this.#given.has('password') && form === null && quietMs > QUIET_MS)
        return { result: { steps: [...this.#given] } };
      await sleep(POLL_MS, signal);
    }
    return this.#notFound();
  }

  get #isLoading(): boolean {
    const { mainFrame, network } = this.#context.env;
    return mainFrame.isNavigating || network.isLoadingData;
  }

  /** The first form that may be typed into; null: there is none. */
  async #findForm(): Promise<FoundForm | null> {
    for (const frame of this.#context.env.page.frames()) {
      const form = await loginFormOf(frame);
      if (form === null || form.fields.length === 0) continue;
      if (this.#isOfProfile(form.origin)) return { frame, fields: form.fields };
      if (form.fields.some(({ kind }) => kind === 'password')) this.#foreign = form.origin;
    }
    return null;
  }

  /** Credentials go to https alone. Of this machine itself, nobody reads along. */
  #isOfProfile(origin: string): boolean {
    const url = URL.parse(origin);
    if (url === null) return false;
    const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return false;
    return this.#credentials.sites.includes(siteOf(url).replace(/^https?:\/\//, ''));
  }

  /** @returns whether something was typed and sent */
  async #fill({ frame, fields }: FoundForm): Promise<boolean> {
    const { username, password, totp } = this.#credentials;
    const wanted = (kind: LoginFieldKind) =>
      this.#given.has(kind) ? [] : fields.filter((field) => field.kind === kind);
    const [passwordField] = wanted('password');
    const [userField] = username === null ? [] : wanted('username');
    if (passwordField !== undefined) {
      if (userField !== undefined) await this.#type(frame, userField, username!);
      const typed = await this.#type(frame, passwordField, password);
      return this.#submit(typed);
    }
    if (userField !== undefined && !this.#given.has('password'))
      return this.#submit(await this.#type(frame, userField, username!));
    const [codeField, ...others] = totp === null ? [] : wanted('code');
    if (codeField === undefined || totp === null) return false;
    const left = totp.periodMs - (Date.now() % totp.periodMs);
    if (left < CODE_LEFT_MS) await sleep(left, this.#context.signal);
    const code = totpCode(totp, Date.now());
    this.#context.env.guard.mask.add(code);
    const boxes = [codeField, ...others].filter(({ isBox }) => isBox);
    if (boxes.length < code.length) return this.#submit(await this.#type(frame, codeField, code));
    let last: TypedField | null = null;
    for (const [i, digit] of [...code].entries()) last = await this.#type(frame, boxes[i]!, digit);
    return this.#submit(last);
  }

  /** Types into the field, if it is still what it was, in a document of the profile; null: it is not. */
  async #type(frame: Frame, field: LoginField, value: string): Promise<TypedField | null> {
    const { env } = this.#context;
    const element = await frame
      .locator('css=input')
      .nth(field.index)
      .elementHandle({ timeout: this.#context.remainingMs });
    // The element belongs to one document. What is asked of that one holds for it.
    const form = await loginFormOf(frame);
    const isSame = form?.fields.some(({ kind, index }) => kind === field.kind && index === field.index);
    const origin = await element?.evaluate(originOf);
    if (element === null || isSame !== true || origin === undefined || !this.#isOfProfile(origin))
      return null;
    env.guard.typing(env.mainFrame.response);
    await element.fill(value, { timeout: this.#context.remainingMs });
    this.#given.add(field.kind);
    return element;
  }

  /** By the button of the form, which scripts of pages expect more often than Enter. */
  async #submit(field: TypedField | null): Promise<boolean> {
    if (field === null) return false;
    const timeout = Math.min(SUBMIT_TIMEOUT_MS, this.#context.remainingMs);
    const options = { timeout, noWaitAfter: true };
    const button = (await field.evaluateHandle(submitButtonOf)).asElement() as ElementHandle | null;
    try {
      if (button === null) await field.press('Enter', options);
      else await button.click(options);
    } catch (error) {
      // The page sends the form by itself as soon as the last field is filled.
      if (!GONE.test((error as Error).message) && (error as Error).name !== 'TimeoutError') throw error;
    }
    return true;
  }

  #refused(fields: readonly LoginField[]): ActionOutcome {
    const [again] = fields.filter(({ kind }) => this.#given.has(kind));
    return {
      code: 'login.failed',
      error: `the site still asks for the ${FIELD_NAMES[again!.kind]} after it was sent: it was refused`,
    };
  }

  #notFound(): ActionOutcome {
    const sites = this.#credentials.sites.join(', ');
    if (this.#given.size > 0)
      return {
        code: 'login.failed',
        error: `the site asked for nothing more after the ${[...this.#given].map((kind) => FIELD_NAMES[kind]).join(' and the ')}, and did not finish loading`,
      };
    if (this.#foreign !== null)
      return {
        code: 'login.failed',
        error: `the page asks for a password at ${this.#foreign}, and the profile is for ${sites}, with https`,
      };
    return {
      code: 'login.failed',
      error: 'no field for a user name or a password is visible',
      elementMissing: true,
    };
  }
}

type TypedField = NonNullable<Awaited<ReturnType<ReturnType<Frame['locator']>['elementHandle']>>>;

const FIELD_NAMES: Readonly<Record<LoginFieldKind, string>> = {
  username: 'user name',
  password: 'password',
  code: 'code',
};

/** The element, its frame or its document has been removed. */
const GONE = /not attached|detached|destroyed|navigat|closed/i;

// These functions are sent to the page as text.

interface Control {
  readonly type: string;
  readonly disabled: boolean;
  readonly offsetWidth: number;
  readonly form?: { readonly elements: Iterable<Control> } | null;
}
declare const location: { readonly origin: string };

/** `location` is one of the few properties that pages cannot replace. */
function originOf(): string {
  return location.origin;
}

function submitButtonOf(element: unknown): unknown {
  const { form } = element as Control;
  const buttons = [...(form?.elements ?? [])].filter(
    ({ type, disabled, offsetWidth }) =>
      (type === 'submit' || type === 'image') && !disabled && offsetWidth > 0,
  );
  return buttons[0] ?? null;
}
