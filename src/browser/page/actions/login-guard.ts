import type { LoginCredentials } from '../../../domain/credentials.ts';
import { type PageAction, runsScript } from '../../../domain/page-action.ts';
import { SecretMask } from '../../../domain/secret-mask.ts';

/** A document of the main frame, by identity. */
type ShownDocument = object | null;

/**
 * Keeps the credentials of a log-in from the caller: the caller's scripts do not run in a document that they were typed into, they are
 * not typed into one where such a script has run, and what the page shows of them afterwards is masked.
 */
export class LoginGuard {
  readonly mask = new SecretMask();
  /** Documents that scripts of the caller have run in. */
  readonly #scripted = new WeakSet<object>();
  #typedInto: ShownDocument = null;

  /** Credentials were typed into the document that is shown, or into a frame of it. */
  isSecret(shown: ShownDocument): boolean {
    return this.#typedInto !== null && this.#typedInto === shown;
  }

  /** Why an action may not run in this document; null: it may. */
  refusal(action: PageAction, shown: ShownDocument): string | null {
    if (action.type === 'login')
      return shown !== null && this.#scripted.has(shown)
        ? 'a script of yours has run in this document, and could read what is typed: load the page anew before `login`, or leave the script out'
        : null;
    const reads = runsScript(action) || (action.type === 'wait_for_response' && action.capture);
    return reads && this.isSecret(shown)
      ? 'it could read what `login` has typed; it may run in the next document that the page shows'
      : null;
  }

  /** To be told before and after each action, because it may have shown another document meanwhile. */
  note(action: PageAction, shown: ShownDocument): void {
    if (shown !== null && runsScript(action)) this.#scripted.add(shown);
  }

  /** To be told before credentials are typed. */
  typing(shown: ShownDocument): void {
    this.#typedInto = shown;
  }

  /** From now on these are masked. */
  keep({ username, password, totpSeed }: LoginCredentials): void {
    this.mask.add(password);
    if (username !== null) this.mask.addPair(username, password);
    if (totpSeed !== null) this.mask.add(totpSeed);
  }
}
