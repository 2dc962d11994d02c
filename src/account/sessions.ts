import type { UserRow } from '../domain/account.ts';
import type { Actor } from './audit.ts';
import type { SessionCaller } from './caller.ts';
import { changePassword, type PasswordAsk } from './change-password.ts';
import type { Managed } from './managed.ts';
import type { Door, SessionDeps } from './session-deps.ts';
import { endOfSession } from './session-life.ts';
import { type CreatedLink, createLink, findLink, type SetUpAsk, setUp } from './set-up.ts';
import { type SignedIn, type SignInAsk, signIn } from './sign-in.ts';
import { Throttle } from './throttle.ts';
import { Turns } from './turns.ts';

/** Sessions of the dashboard, and the links that set passwords. Rejections and force as of `Accounts`. */
export interface Sessions {
  /** `auth.invalid`, the same whatever was wrong, or `limit.sign_in`. */
  signIn(ask: SignInAsk): Promise<Managed<SignedIn>>;
  /** Of the user, latest use first. */
  list(userId: string): readonly SessionCaller[];
  /** Ends one of the user's sessions; false when there is none of that id. */
  end(actor: Actor, userId: string, id: string): Promise<boolean>;
  /** Ends all of the user's but this one. */
  endOthers(actor: Actor, userId: string, id: string): Promise<void>;
  /** Null when it is done; all other sessions have ended then. */
  changePassword(caller: SessionCaller, ask: PasswordAsk): Promise<Managed<null>>;
  createLink(actor: Actor, userId: string): Promise<Managed<CreatedLink>>;
  /** The user of a link that is good: `auth.invalid` or `auth.disabled` when it is not. */
  findLink(token: string): Managed<{ readonly user: UserRow; readonly expiresAt: number }>;
  setUp(ask: SetUpAsk): Promise<Managed<SignedIn>>;
}

/** Comparing a password takes all of a core, and 32 MiB, for a quarter of a second: the others are for scrapes. */
const AT_ONCE = 1;
const MOST_WAITING = 20;

export function createSessions(deps: SessionDeps): Sessions {
  const door: Door = { throttle: new Throttle(deps.clock), turns: new Turns(AT_ONCE, MOST_WAITING) };
  return {
    signIn: (ask) => signIn(deps, door, ask),
    list: (userId) => listSessions(deps, userId),
    async end(actor, userId, id) {
      return (await endSessions(deps, actor, userId, 'only', id)) > 0;
    },
    async endOthers(actor, userId, id) {
      await endSessions(deps, actor, userId, 'but', id);
    },
    changePassword: (caller, ask) => changePassword(deps, door, caller, ask),
    createLink: (actor, userId) => createLink(deps, actor, userId),
    findLink: (token) => findLink(deps, token),
    setUp: (ask) => setUp(deps, door, ask),
  };
}

function listSessions({ directory, clock }: SessionDeps, userId: string): readonly SessionCaller[] {
  const now = clock.now();
  return [...directory.snapshot.sessions.values()]
    .filter(
      ({ session, seen }) => session.userId === userId && endOfSession(session.createdAt, seen.at) > now,
    )
    .sort((a, b) => b.seen.at - a.seen.at || (a.session.id < b.session.id ? 1 : -1));
}

async function endSessions(
  { store, directory, seen, onAudit }: SessionDeps,
  actor: Actor,
  userId: string,
  which: 'only' | 'but',
  id: string,
): Promise<number> {
  // When the user was seen last is read from the store once the session is gone.
  await seen.flush();
  const ended = await store.deleteSessions(userId, which, id);
  if (ended === 0) return 0;
  await directory.refresh();
  onAudit({
    action: 'session.ended',
    actorUserId: actor.userId,
    actorKeyId: actor.keyId,
    userId,
    keyId: null,
    changed: which === 'only' ? [id] : ['all but', id],
  });
  return ended;
}
