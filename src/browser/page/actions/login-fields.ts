import type { Frame } from 'playwright-core';

/** What a field of a log-in is for. `code`: a one-time password, or one of its boxes for a single character. */
export type LoginFieldKind = 'username' | 'password' | 'code';

export interface LoginField {
  readonly kind: LoginFieldKind;
  /** Number among all `input` elements of the frame, also in open shadow roots, as Playwright counts them. */
  readonly index: number;
  /** It takes a single character. */
  readonly isBox: boolean;
}

/** The visible fields of a log-in in a frame. */
export interface LoginForm {
  /** Of the document, which a page cannot change. */
  readonly origin: string;
  readonly fields: readonly LoginField[];
}

// This function is sent to the page as text. It must not use anything outside of it.

interface Input {
  readonly type: string;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  readonly name: string;
  readonly id: string;
  readonly placeholder: string;
  readonly maxLength: number;
  readonly form: object | null;
  readonly labels: Iterable<{ readonly textContent: string | null }> | null;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly width: number; readonly height: number; readonly right: number };
}
declare const location: { readonly origin: string };
declare function getComputedStyle(element: unknown): {
  readonly visibility: string;
  readonly opacity: string;
};

/**
 * Finds the fields by `autocomplete` (HTML, 4.10.18.7), type, and what names and labels say in the languages that sites mostly have. A
 * field for text before the password of the same form is the user name, whatever its name.
 */
function describeInputs(inputs: unknown): LoginForm {
  const TEXTS = ['text', 'email', 'tel', 'number', ''];
  const CODE =
    /\b(?:otp|totp|2fa|mfa|tan)\b|one[-_ ]?time|(?:verification|auth\w*|security|login|confirm\w*|sms)[-_ ]?(?:code|pin|token)|passcode|two[-_ ]?factor|bestätigungscode|sicherheitscode|einmal/i;
  const USER =
    /user|login|log[-_ ]?in|e-?mail|account|identifi|member|benutzer|anmeld|konto|kunden|usuario|correo|utilisateur|courriel|ユーザー|メール|用户|邮箱/i;
  const found: {
    kind: 'username' | 'password' | 'code' | 'text';
    index: number;
    isBox: boolean;
    form: object | null;
  }[] = [];
  for (const [index, input] of [...(inputs as Iterable<Input>)].entries()) {
    const { width, height, right } = input.getBoundingClientRect();
    const style = getComputedStyle(input);
    const isShown =
      width > 1 && height > 1 && right > 0 && style.visibility === 'visible' && style.opacity !== '0';
    if (!isShown || input.disabled || input.readOnly) continue;
    const tokens = (input.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/);
    const labels = [...(input.labels ?? [])].map(({ textContent }) => textContent ?? '').join(' ');
    const says =
      `${input.name} ${input.id} ${input.placeholder} ${input.getAttribute('aria-label') ?? ''} ${labels}`
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ');
    const isText = TEXTS.includes(input.type);
    const isPassword = input.type === 'password';
    const isBox = input.maxLength === 1;
    const kind = tokens.includes('new-password')
      ? null
      : tokens.includes('one-time-code') || ((isText || isPassword) && (CODE.test(says) || isBox))
        ? 'code'
        : isPassword
          ? 'password'
          : tokens.includes('username') || (isText && (tokens.includes('email') || input.type === 'email'))
            ? 'username'
            : isText && input.getAttribute('role') !== 'searchbox'
              ? USER.test(says)
                ? 'username'
                : 'text'
              : null;
    if (kind !== null) found.push({ kind, index, isBox, form: input.form });
  }
  const password = found.find(({ kind }) => kind === 'password');
  if (password !== undefined && !found.some(({ kind }) => kind === 'username')) {
    const before = found.findLast(
      ({ kind, index, form }) => kind === 'text' && index < password.index && form === password.form,
    );
    if (before !== undefined) before.kind = 'username';
  }
  const fields = found.flatMap(({ kind, index, isBox }) => (kind === 'text' ? [] : [{ kind, index, isBox }]));
  return { origin: location.origin, fields };
}

/** @returns null: the frame has no document now */
export const loginFormOf = (frame: Frame): Promise<LoginForm | null> =>
  frame
    .locator('css=input')
    .evaluateAll(describeInputs as (inputs: unknown) => LoginForm)
    .catch(() => null);
