import type { Clock } from '../base/time.ts';
import { orAborted } from '../base/wait.ts';
import { type Failure, failure } from '../domain/failure.ts';
import { RELOGIN_POINTER } from '../domain/profile-option.ts';
import type { StoredProfile } from '../domain/profiles.ts';

/** Credentials that a site has refused are not sent again for so long: accounts are locked after a few attempts. */
const REST_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

type LogInFacts = Pick<StoredProfile, 'id' | 'name' | 'sealedCredentials'>;

/** The log-ins of scrapes in this process: of a profile one at a time, and none with credentials that have just been refused. */
export class Relogins {
  readonly #clock: Clock;
  /** By id of the profile. */
  readonly #running = new Map<string, Promise<Failure | null>>();
  readonly #doneAt = new Map<string, number>();
  readonly #refused = new Map<string, { readonly at: number; readonly credentials: Uint8Array | null }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why the credentials are not to be sent now; null: they may be. */
  refusal({ id, name, sealedCredentials }: LogInFacts): Failure | null {
    const refused = this.#refused.get(id);
    if (refused === undefined || this.#clock.now() - refused.at >= REST_MS) return null;
    // Credentials are sealed anew with each change.
    if (!isSame(refused.credentials, sealedCredentials)) return null;
    return failure(
      'login.failed',
      `The profile ${JSON.stringify(name)} was not logged in again: that failed less than an hour ago, and its credentials are still the same.`,
      { pointer: RELOGIN_POINTER },
    );
  }

  /** A log-in was refused, or the site still asked to log in after it. */
  noteRefusal({ id, sealedCredentials }: LogInFacts): void {
    if (this.#refused.size >= MAX_REMEMBERED) this.#refused.clear();
    this.#refused.set(id, { at: this.#clock.now(), credentials: sealedCredentials });
  }

  /**
   * Runs a log-in, unless one has succeeded since; waits for the one that runs instead.
   * @param since when the scrape got the profile, ms since the epoch
   * @param logIn null: it has succeeded. Must not reject
   */
  async run(
    profile: LogInFacts,
    since: number,
    logIn: () => Promise<Failure | null>,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    const { id, name } = profile;
    for (let running = this.#running.get(id); running !== undefined; running = this.#running.get(id)) {
      const late = () =>
        failure('login.failed', `Another scrape still logged in with the profile ${JSON.stringify(name)}.`, {
          pointer: RELOGIN_POINTER,
        });
      const result = await orAborted(running, signal, late);
      // One that was cancelled, or had no browser, says nothing about the next one.
      if (result === null || result.code === 'login.failed') return result;
    }
    if ((this.#doneAt.get(id) ?? 0) >= since) return null;
    const refused = this.refusal(profile);
    if (refused !== null) return refused;
    const promise = logIn();
    this.#running.set(id, promise);
    const result = await promise.finally(() => this.#running.delete(id));
    if (result?.code === 'login.failed') this.noteRefusal(profile);
    if (result !== null) return result;
    if (this.#doneAt.size >= MAX_REMEMBERED) this.#doneAt.clear();
    this.#doneAt.set(id, this.#clock.now());
    return null;
  }
}

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a !== null && b !== null && Buffer.compare(a, b) === 0;
