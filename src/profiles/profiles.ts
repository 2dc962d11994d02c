import type { Actor } from '../account/account-actions.ts';
import type { Accounts } from '../account/accounts.ts';
import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { AuditAction } from '../domain/audit.ts';
import type { LoginCredentials, ProfileCredentials } from '../domain/credentials.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import {
  EMPTY_STATE,
  MAX_PROFILE_BYTES,
  MAX_PROFILE_COOKIES,
  MAX_PROFILE_SITES,
  type OpenProfile,
  type ProfileExit,
  type ProfileFacts,
  type ProfileIdentity,
  type StoredProfile,
} from '../domain/profiles.ts';
import { SealError, type Sealer } from '../domain/sealing.ts';
import type { StorageState } from '../domain/storage-state.ts';
import type { LentProfile } from '../ports/logins.ts';
import type { ProfileChange, ProfileStore } from '../ports/profiles.ts';
import { credentialColumns, openCredentials } from './credentials.ts';
import { keptState, sitesOf, stateFacts } from './profile-state.ts';
import { parseSite } from './sites.ts';

export interface ProfileDeps {
  readonly store: ProfileStore;
  readonly sealer: Sealer;
  readonly accounts: Pick<Accounts, 'audit' | 'limits'>;
  readonly clock: Clock;
  /** Called when a profile that was logged out is ready again. */
  readonly onReady: () => void;
}

/** The settings of a profile; those that are left out stay. Times are ms since the epoch. */
export interface ProfileSettings {
  readonly name?: string;
  /** As the caller writes them. */
  readonly sites?: readonly string[];
  /** Where the values come from: a pointer to a member of the request. */
  readonly values?: { readonly state: StorageState; readonly pointer: string };
  readonly identity?: ProfileIdentity | null;
  readonly exit?: ProfileExit | null;
  readonly shared?: boolean;
  /** null: they are deleted. */
  readonly credentials?: ProfileCredentials | null;
  readonly expiresAt?: number | null;
}

/** Channel of messages: a profile that was logged out is ready again, so jobs that wait for one look. */
export const PROFILES_READY = 'profiles_ready';

/** A change is tried again so often if another one comes first. */
const MAX_TRIES = 20;

const invalid = (pointer: string, message: string): Failure =>
  failure('request.validation', `\`${pointer}\` ${message}.`, { pointer });

/** The profiles of users: making, changing and ending them. Their values leave it only by `exported`. */
export class Profiles {
  readonly #deps: ProfileDeps;

  constructor(deps: ProfileDeps) {
    this.#deps = deps;
  }

  /** @param userId own and shared profiles of this user; null: those of all users @param after id of the last one before */
  async list(userId: string | null, limit: number, after: string | null): Promise<readonly ProfileFacts[]> {
    return await this.#deps.store.list({ userId, limit, after, now: this.#deps.clock.now() });
  }

  /** The user's own profile of this name, else the shared one; null: there is none. */
  async find(userId: string, name: string): Promise<StoredProfile | null> {
    return await this.#deps.store.get(userId, name, this.#deps.clock.now());
  }

  /** Only the user's own. */
  async findOwn(userId: string, name: string): Promise<StoredProfile | null> {
    const found = await this.find(userId, name);
    return found?.userId === userId ? found : null;
  }

  async create(
    actor: Actor & { readonly userId: string },
    settings: ProfileSettings & { readonly name: string },
  ): Promise<ProfileFacts | Failure> {
    const { clock, store, accounts } = this.#deps;
    const now = clock.now();
    if (!isFuture(settings, now)) return PAST;
    const values = this.#values(actor.userId, settings, null, now);
    if (isFailure(values)) return values;
    const profile: StoredProfile = {
      id: uuid7(now),
      userId: actor.userId,
      name: settings.name,
      identity: settings.identity ?? null,
      exit: settings.exit ?? null,
      shared: settings.shared ?? false,
      createdAt: now,
      usedAt: null,
      expiresAt: settings.expiresAt ?? null,
      version: 1,
      ...values,
      ...credentialColumns(this.#deps.sealer, actor.userId, settings.credentials ?? null),
    };
    const limit = accounts.limits(actor.userId).profiles;
    const result = await store.create(profile, limit);
    if (result === 'exists') return nameTaken(settings.shared === true);
    if (result === 'full')
      return failure('limit.profiles', `You have ${limit} profiles, which is the limit.`, {
        details: { limit },
      });
    await this.#audit(actor, 'profile.created', profile);
    if (profile.shared) await this.#audit(actor, 'profile.shared', profile);
    return profile;
  }

  /** Changes the user's own profile. @returns null: there is none */
  async change(
    actor: Actor & { readonly userId: string },
    name: string,
    settings: ProfileSettings,
  ): Promise<ProfileFacts | Failure | null> {
    const { store, clock } = this.#deps;
    if (!isFuture(settings, clock.now())) return PAST;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const profile = await this.findOwn(actor.userId, name);
      if (profile === null) return null;
      const changesValues = settings.values !== undefined || settings.sites !== undefined;
      const values = changesValues ? this.#values(actor.userId, settings, profile, clock.now()) : {};
      if (isFailure(values)) return values;
      const { name: newName, identity, exit, shared, expiresAt, credentials } = settings;
      const change: ProfileChange = {
        ...values,
        ...(newName === undefined ? {} : { name: newName }),
        ...(identity === undefined ? {} : { identity }),
        ...(exit === undefined ? {} : { exit }),
        ...(shared === undefined ? {} : { shared }),
        ...(credentials === undefined ? {} : credentialColumns(this.#deps.sealer, actor.userId, credentials)),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      };
      const result = await store.update(profile.id, profile.version, change);
      if (result === 'exists') return nameTaken(shared ?? profile.shared);
      if (result === 'changed') continue;
      if (isReadyAgain(profile, change)) this.#deps.onReady();
      await this.#audit(actor, 'profile.updated', profile);
      if (shared === true && !profile.shared) await this.#audit(actor, 'profile.shared', profile);
      return { ...profile, ...change, version: profile.version + 1 };
    }
    throw new Error('a profile is changed all the time');
  }

  /** Ends a profile: nothing of it is left. @returns false: it is gone already */
  async end(actor: Actor, profile: ProfileFacts): Promise<boolean> {
    const isEnded = await this.#deps.store.delete(profile.id);
    if (isEnded) await this.#audit(actor, 'profile.ended', profile);
    return isEnded;
  }

  /** The values, for its owner. */
  async exported(actor: Actor, profile: StoredProfile): Promise<StorageState | Failure> {
    const open = this.open(profile);
    if (isFailure(open)) return open;
    await this.#audit(actor, 'profile.exported', profile);
    return open.values;
  }

  /** What the action `login` types, of the profile that the user may use; see `OpenLogin`. */
  async openLogin(
    userId: string,
    name: string,
    used: LentProfile | null,
  ): Promise<LoginCredentials | Failure> {
    const profile = await this.find(userId, name);
    if (profile !== null && profile.userId !== userId) {
      // Otherwise the cookies of the session would be those of the caller.
      const isUsed = used?.name === name && used.userId === profile.userId;
      if (!isUsed)
        return failure(
          'profile.owner',
          `The profile ${JSON.stringify(name)} is of another user, and logs in only where \`scraper_options.profile\` names it, too.`,
        );
    }
    return openCredentials(this.#deps.sealer, name, profile);
  }

  /** Opens the values of a profile. */
  open(profile: StoredProfile): OpenProfile | Failure {
    return openProfile(this.#deps.sealer, profile);
  }

  /** The columns of values that a request brings, or that remain with its sites. @param before null: the profile is new */
  #values(
    userId: string,
    { sites: named, values }: ProfileSettings,
    before: StoredProfile | null,
    now: number,
  ): Failure | Pick<StoredProfile, 'sites' | 'state' | 'cookies' | 'bytes' | 'refreshedAt' | 'sealed'> {
    let given = values?.state ?? EMPTY_STATE;
    if (values === undefined && before !== null) {
      const open = this.open(before);
      if (isFailure(open)) return open;
      given = open.values;
    }
    const sites = named === undefined ? (before?.sites ?? sitesOf(given)) : readSites(named);
    if (isFailure(sites)) return sites;
    const pointer = values?.pointer ?? '/sites';
    if (sites.length === 0)
      return invalid('/sites', 'is missing: name the sites that the profile is for, or send its cookies');
    if (sites.length > MAX_PROFILE_SITES)
      return invalid(
        pointer,
        `has cookies of ${sites.length} sites, and a profile is for at most ${MAX_PROFILE_SITES}; name them in \`sites\``,
      );
    const kept = keptState(given, sites, now);
    if (values !== undefined && kept.cookies.length === 0 && kept.origins.length === 0)
      return invalid(
        pointer,
        `has nothing for ${sites.join(', ')}: all cookies have expired, or belong to other sites`,
      );
    const { text, bytes, ...facts } = stateFacts(kept);
    const problem = sizeProblem(facts.cookies, bytes);
    if (problem !== null) return invalid(pointer, problem);
    const isNew = before === null || values !== undefined;
    return {
      sites,
      ...facts,
      state: !isNew && before.state === 'logged_out' ? before.state : facts.state,
      bytes,
      refreshedAt: isNew ? now : before.refreshedAt,
      sealed: this.#deps.sealer.seal('profile', userId, Buffer.from(text)),
    };
  }

  async #audit(actor: Actor, action: AuditAction, profile: ProfileFacts): Promise<void> {
    await auditProfile(this.#deps, actor, action, profile);
  }
}

export const isReadyAgain = ({ state }: Pick<ProfileFacts, 'state'>, change: ProfileChange): boolean =>
  state === 'logged_out' && change.state === 'ready';

/** Adds to the audit log what happened to a profile, with its name: that of one that has ended is stored nowhere else. */
export async function auditProfile(
  { accounts }: Pick<ProfileDeps, 'accounts'>,
  actor: Actor,
  action: AuditAction,
  { id, name }: Pick<ProfileFacts, 'id' | 'name'>,
): Promise<void> {
  await accounts.audit(actor, { action, target: { type: 'profile', id }, details: { name } });
}

/** Opens the values of a profile. */
export function openProfile(sealer: Sealer, profile: StoredProfile): OpenProfile | Failure {
  const { sealed, sealedCredentials: _notHere, ...facts } = profile;
  try {
    const text = sealer.open('profile', profile.userId, sealed).toString();
    return { ...facts, values: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return failure(
      'profile.unreadable',
      `The profile ${JSON.stringify(profile.name)} cannot be opened: its encryption key is gone.`,
    );
  }
}

const PAST = invalid('/expires_at', 'must be in the future');
const isFuture = ({ expiresAt = null }: ProfileSettings, now: number): boolean =>
  expiresAt === null || expiresAt > now;

function readSites(named: readonly string[]): readonly string[] | Failure {
  const sites: string[] = [];
  for (const [i, text] of named.entries()) {
    const site = parseSite(text);
    if (site === null)
      return invalid(
        `/sites/${i}`,
        'must be a host such as `example.com`, and not a suffix below which anybody may register',
      );
    if (!sites.includes(site)) sites.push(site);
  }
  return sites;
}

/** Why values are too large for a profile; null: they are not. */
export function sizeProblem(cookies: number, bytes: number): string | null {
  if (cookies > MAX_PROFILE_COOKIES) return `has ${cookies} cookies; at most ${MAX_PROFILE_COOKIES}`;
  return bytes > MAX_PROFILE_BYTES ? `has ${bytes} bytes; at most ${MAX_PROFILE_BYTES}` : null;
}

const nameTaken = (isShared: boolean): Failure =>
  invalid(
    '/name',
    isShared
      ? 'is the name of another profile of yours, or of another shared one; take another name'
      : 'is the name of another profile of yours; change that one, or take another name',
  );
