import { failure } from '../domain/failure.ts';
import type { SessionCaller } from './caller.ts';
import { done, invalid, type Managed, notFound, refused } from './managed.ts';
import { passwordProblems } from './password-rule.ts';
import type { Door, SessionDeps } from './session-deps.ts';
import { attemptOf, tell, tooOften } from './sign-in.ts';

export interface PasswordAsk {
  readonly current: string;
  readonly next: string;
  readonly ip: string;
}

/** The old password once more, for a session may have been left open at somebody else's desk. */
export async function changePassword(
  deps: SessionDeps,
  door: Door,
  { session }: SessionCaller,
  ask: PasswordAsk,
): Promise<Managed<null>> {
  const user = deps.directory.snapshot.users.get(session.userId);
  if (user === undefined || user.passwordHash === null) return refused(notFound('user'));
  const { passwordHash: stored } = user;
  const problems = passwordProblems('/new_password', ask.next);
  if (problems.length > 0) return refused(...problems);
  // Whoever has a session is no stranger, wherever it was begun.
  const attempt = { ...attemptOf(deps, user, user.email, ask.ip), known: true };
  const pauseMs = door.throttle.begin(attempt);
  if (pauseMs > 0) return refused(tooOften(pauseMs));
  const made = await door.turns.run(async () => {
    const { fits } = await deps.passwords.verify(ask.current, stored);
    return fits ? await deps.passwords.hash(ask.next) : false;
  });
  if (made === null) {
    door.throttle.takeBack(attempt);
    return refused(tooOften(1_000));
  }
  if (made === false) {
    door.throttle.failed(attempt);
    return refused(invalid('/current_password', 'The current password is wrong.'));
  }
  door.throttle.succeeded(attempt);
  // While this waited for its turn another password may have been set, which ended the session.
  const only = { passwordHash: stored, session: session.id };
  const changed = await deps.store.updateUser(
    user.id,
    { passwordHash: made },
    { sessionsBut: session.id },
    only,
  );
  await deps.directory.refresh();
  if (!changed)
    return refused(failure('auth.invalid', 'The session has ended, or the password was changed.'));
  tell(deps, 'password.changed', user, ask.ip);
  return done(null);
}
