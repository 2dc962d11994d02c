import type { Actor } from '../account/account-actions.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import { findAction, logsInWith } from '../domain/page-action.ts';
import { RELOGIN_POINTER } from '../domain/profile-option.ts';
import type { OpenProfile, StoredProfile } from '../domain/profiles.ts';
import type { StorageState } from '../domain/storage-state.ts';
import type { NewWebhook } from '../domain/webhooks.ts';
import type {
  ProfileChange,
  ProfileLender,
  ProfileSaving,
  ProfileUse,
  ToldLogout,
  UsedProfile,
} from '../ports/profiles.ts';
import { mergeStates } from './merge-states.ts';
import { ownerOnly } from './owner-only.ts';
import { keptState, stateFacts } from './profile-state.ts';
import { auditProfile, isReadyAgain, openProfile, type ProfileDeps, sizeProblem } from './profiles.ts';
import { Relogins } from './relogins.ts';
import { isOfSites, siteOfHost } from './sites.ts';

interface UseDeps extends ProfileDeps {
  /** Where the user is told of profiles that are logged out; null: nowhere but in the dashboard. */
  readonly webhookOf: (userId: string) => Promise<NewWebhook | null>;
  readonly onError: (error: unknown) => void;
}

/** `usedAt` is that exact. */
const TOUCH_MS = 60_000;
/** The audit log has a use by the same user and key so often. */
const AUDIT_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;
/** Further saves come first so often, here and on other replicas, before a save is given up. */
const MAX_TRIES = 20;

/** What a scrape wants to keep. */
interface WaitingSave {
  readonly base: StorageState;
  readonly after: StorageState;
  readonly resolve: (saving: ProfileSaving) => void;
}

/**
 * Lends profiles to scrapes. What many scrapes with one profile want to keep at once is one change of the store in this process: while
 * a save runs, the next ones are collected. Those of other replicas are told by the version.
 */
export class ProfileUses implements ProfileLender {
  readonly #deps: UseDeps;
  readonly #touched = new Map<string, number>();
  readonly #audited = new Map<string, number>();
  readonly #relogins: Relogins;
  /** By id of the profile: what waits for the save that runs. */
  readonly #waiting = new Map<string, WaitingSave[]>();

  constructor(deps: UseDeps) {
    this.#deps = deps;
    this.#relogins = new Relogins(deps.clock);
  }

  async use(asked: ProfileUse): Promise<UsedProfile | Failure> {
    const { principal, name, task, refusesLoggedOut, relogin } = asked;
    if (!principal.scopes.includes('profiles'))
      return failure('auth.scope', 'This API key lacks the scope `profiles`.');
    const { store, clock, sealer } = this.#deps;
    const now = clock.now();
    const stored = await store.get(principal.userId, name, now);
    if (stored === null)
      return failure(
        'profile.unknown',
        `You have no profile named ${JSON.stringify(name)}, and nobody shares one.`,
        { pointer: '/scraper_options/profile' },
      );
    const { hostname } = new URL(task.url);
    if (!isOfSites(hostname, stored.sites))
      return failure(
        'profile.site',
        `The profile ${JSON.stringify(name)} is for ${stored.sites.join(', ')}, and not for ${siteOfHost(hostname)}.`,
        { pointer: '/scraper_options/profile' },
      );
    const refused = stored.userId === principal.userId ? null : ownerOnly(name, task);
    if (refused !== null) return refused;
    if (relogin && stored.sealedCredentials === null)
      return failure(
        'profile.credentials',
        `The profile ${JSON.stringify(name)} has no credentials to log in again with.`,
        { pointer: RELOGIN_POINTER },
      );
    if (refusesLoggedOut && stored.state === 'logged_out' && !this.#canLogIn(stored, asked))
      return failure(
        'profile.logged_out',
        `The profile ${JSON.stringify(name)} is logged out, so nothing was fetched with it.`,
        { pointer: '/scraper_options/profile' },
      );
    const open = openProfile(sealer, stored);
    if (isFailure(open)) return open;
    await this.#noteUse(stored, { ...principal, address: null }, now);
    const values = keptState(open.values, stored.sites, now);
    const { userId, identity, exit } = stored;
    return {
      ...{ name, userId, identity, exit, values },
      save: (after) => this.#save(stored, values, after),
      loggedOut: (scrapeId) =>
        this.#loggedOut(stored, hostname, userId === principal.userId ? scrapeId : null),
      logInFailed: () => {
        if (stored.state === 'logged_out') this.#relogins.noteRefusal(stored);
      },
      relogin: (logIn, signal) => this.#relogin(asked, { stored, values, now }, logIn, signal),
    };
  }

  /** Whether the scrape may log in: by itself, or by an action of its own. */
  #canLogIn(stored: StoredProfile, { name, task, relogin }: ProfileUse): boolean {
    const logsIn = relogin || findAction(task.browser.pageActions, logsInWith(name)) !== null;
    return logsIn && stored.sealedCredentials !== null && this.#relogins.refusal(stored) === null;
  }

  async #relogin(
    asked: ProfileUse,
    { stored, values, now }: { stored: StoredProfile; values: StorageState; now: number },
    logIn: () => Promise<StorageState | Failure>,
    signal: AbortSignal,
  ): Promise<UsedProfile | Failure> {
    const run = async () => {
      const after = await logIn();
      if (isFailure(after)) return after;
      await this.#save(stored, values, after);
      return null;
    };
    const failed = await this.#relogins.run(stored, now, run, signal);
    if (failed !== null) return failed;
    const renewed = await this.use({ ...asked, refusesLoggedOut: false });
    if (isFailure(renewed)) return renewed;
    return {
      ...renewed,
      loggedOut: (scrapeId) => {
        // Each scrape of this page would log in again for nothing.
        this.#relogins.noteRefusal(stored);
        return renewed.loggedOut(scrapeId);
      },
    };
  }

  async #noteUse(profile: StoredProfile, actor: Actor, now: number): Promise<void> {
    const { id, usedAt } = profile;
    if (now - Math.max(usedAt ?? 0, this.#touched.get(id) ?? 0) >= TOUCH_MS) {
      remember(this.#touched, id, now);
      await this.#deps.store.touch(id, now);
    }
    const who = `${id} ${actor.userId} ${actor.keyId}`;
    if (now - (this.#audited.get(who) ?? 0) < AUDIT_MS) return;
    remember(this.#audited, who, now);
    await auditProfile(this.#deps, actor, 'profile.used', profile);
  }

  async #save(profile: StoredProfile, base: StorageState, found: StorageState): Promise<ProfileSaving> {
    const after = keptState(found, profile.sites, this.#deps.clock.now());
    if (!mergeStates(base, after, base).changed) return 'unchanged';
    return await new Promise((resolve) => {
      const waiting = this.#waiting.get(profile.id);
      const save = { base, after, resolve };
      if (waiting !== undefined) {
        waiting.push(save);
        return;
      }
      this.#waiting.set(profile.id, [save]);
      void this.#saveAll(profile);
    });
  }

  /** Saves what waits, until nothing does. */
  async #saveAll(profile: StoredProfile): Promise<void> {
    const { id } = profile;
    for (;;) {
      const saves = this.#waiting.get(id)!;
      if (saves.length === 0) break;
      this.#waiting.set(id, []);
      const results = await this.#saveTogether(profile, saves).catch((error) => {
        this.#deps.onError(error);
        return saves.map(() => 'failed' as const);
      });
      for (const [i, { resolve }] of saves.entries()) resolve(results[i]!);
    }
    this.#waiting.delete(id);
  }

  async #saveTogether(
    profile: StoredProfile,
    saves: readonly WaitingSave[],
  ): Promise<readonly ProfileSaving[]> {
    const { clock, sealer } = this.#deps;
    let results: readonly ProfileSaving[] = saves.map(() => 'failed');
    await this.#change(profile, (current) => {
      let state = current.values;
      results = saves.map(({ base, after }) => {
        const merged = mergeStates(base, after, state);
        state = merged.state;
        return merged.conflict ? 'conflict' : 'saved';
      });
      const now = clock.now();
      // The owner may have changed the sites meanwhile.
      const { text, ...facts } = stateFacts(keptState(state, current.sites, now));
      if (sizeProblem(facts.cookies, facts.bytes) !== null) {
        results = saves.map(() => 'failed');
        return null;
      }
      const sealed = sealer.seal('profile', current.userId, Buffer.from(text));
      return { ...facts, refreshedAt: now, sealed };
    });
    return results;
  }

  /** @param scrapeId null: a scrape of another user, whom a shared profile serves */
  async #loggedOut(profile: StoredProfile, host: string, scrapeId: string | null): Promise<void> {
    try {
      const webhook = await this.#deps.webhookOf(profile.userId);
      const told = ({ sites }: OpenProfile): ToldLogout => ({
        at: this.#deps.clock.now(),
        facts: { summary: `A page of ${host} asked to log in.`, sites, host, scrapeId },
        webhook,
      });
      await this.#change(
        profile,
        // What was renewed meanwhile is not what the page has refused.
        ({ state, refreshedAt }) =>
          state === 'logged_out' || refreshedAt > profile.refreshedAt ? null : { state: 'logged_out' },
        told,
      );
    } catch (error) {
      this.#deps.onError(error);
    }
  }

  /** Changes the profile as it is now. @param change null: nothing is to be changed @throws if others change it all the time */
  async #change(
    { id, userId, name }: StoredProfile,
    change: (current: OpenProfile) => ProfileChange | null,
    told?: (current: OpenProfile) => ToldLogout,
  ): Promise<void> {
    const { store, sealer, clock } = this.#deps;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const stored = await store.get(userId, name, clock.now());
      // It was ended, or renamed, while the scrape ran.
      if (stored?.id !== id) return;
      const open = openProfile(sealer, stored);
      if (isFailure(open)) throw new Error(open.message);
      const changed = change(open);
      if (changed === null) return;
      const result = await store.update(id, stored.version, changed, told?.(open));
      if (result !== 'updated') continue;
      if (isReadyAgain(open, changed)) this.#deps.onReady();
      return;
    }
    throw new Error(`the profile ${name} is changed all the time`);
  }
}

function remember(times: Map<string, number>, key: string, now: number): void {
  if (times.size >= MAX_REMEMBERED) times.clear();
  times.set(key, now);
}
