import type { UserRow } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Sealer } from '../domain/sealing.ts';
import { encodeBase32 } from '../domain/totp.ts';
import {
  type AccountResult,
  type Actor,
  ADMINS_ONLY,
  auditEvent,
  invalid,
  notFound,
  refusedWith,
  succeeded,
} from './account-actions.ts';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, stepOfCode, totpUri } from './totp.ts';
import type { UserDeps } from './users.ts';

export interface SecondFactorDeps extends UserDeps {
  /** Opened when it is needed for the first time. */
  readonly sealer: () => Promise<Sealer>;
}

const PURPOSE = 'totp';

/** Sign-in asks for a code. */
export const hasSecondFactor = ({ directory }: Pick<UserDeps, 'directory'>, userId: string): boolean =>
  (directory.snapshot.secondFactors.get(userId)?.confirmedAt ?? null) !== null;

export const CODE_NEEDED: Failure = failure(
  'auth.second_factor',
  'Enter the code of your authenticator app, or a recovery code.',
);
export const WRONG_CODE: Failure = failure(
  'auth.second_factor',
  'The code is wrong, has expired or was used before.',
);

export interface NewSecondFactor {
  /** Base32. It is shown once. */
  readonly secret: string;
  /** For the QR code. */
  readonly uri: string;
}

/** Begins to add an authenticator app. It counts only after `confirmSecondFactor`. */
export async function enrolSecondFactor(
  deps: SecondFactorDeps,
  user: UserRow,
): Promise<AccountResult<NewSecondFactor>> {
  const secret = newTotpSecret();
  const sealed = (await deps.sealer()).seal(PURPOSE, user.id, secret);
  const row = { userId: user.id, sealed, createdAt: deps.clock.now(), confirmedAt: null };
  if (!(await deps.store.putSecondFactor(row)))
    return refusedWith(invalid('', 'The second factor is on already. Turn it off first.'));
  await deps.directory.refresh();
  return succeeded({ secret: encodeBase32(secret), uri: totpUri(secret, user.email) });
}

/** Turns the second factor on. @returns the recovery codes, which are shown once */
export async function confirmSecondFactor(
  deps: SecondFactorDeps,
  actor: Actor & { readonly userId: string },
  code: string,
): Promise<AccountResult<readonly string[]>> {
  const { userId } = actor;
  const factor = deps.directory.snapshot.secondFactors.get(userId);
  if (factor === undefined || factor.confirmedAt !== null)
    return refusedWith(invalid('', 'There is no second factor to confirm. Begin again.'));
  const secret = (await deps.sealer()).open(PURPOSE, userId, factor.sealed);
  const at = deps.clock.now();
  const step = stepOfCode(secret, code.replaceAll(/\s/g, ''), at);
  if (step === null)
    return refusedWith(invalid('/code', 'The code is wrong. Check the clock of your device.'));
  const codes = newRecoveryCodes();
  const recoveryHashes = codes.map((text) => hashRecoveryCode(text)!);
  const event = auditEvent(deps.clock, 'second_factor.enabled', actor, { userId });
  if (!(await deps.store.confirmSecondFactor({ userId, at, step, recoveryHashes }, event)))
    return refusedWith(invalid('', 'There is no second factor to confirm. Begin again.'));
  await deps.directory.refresh();
  deps.onAudit(event);
  return succeeded(codes);
}

/** Whether the code is right; it is used up. Both kinds of codes work once. */
export async function useCode(
  deps: SecondFactorDeps,
  { id }: UserRow,
  code: string,
  address: string,
): Promise<boolean> {
  const factor = deps.directory.snapshot.secondFactors.get(id);
  if (factor === undefined || factor.confirmedAt === null) return false;
  const hash = hashRecoveryCode(code);
  if (hash !== null) {
    const actor = { userId: id, keyId: null, address, via: 'sign_in' } as const;
    const event = auditEvent(deps.clock, 'recovery_code.used', actor, { userId: id });
    if (!(await deps.store.useRecoveryCode(id, hash, event))) return false;
    deps.onAudit(event);
    return true;
  }
  const secret = (await deps.sealer()).open(PURPOSE, id, factor.sealed);
  const step = stepOfCode(secret, code.replaceAll(/\s/g, ''), deps.clock.now());
  return step !== null && (await deps.store.useTotpStep(id, step));
}

/** Turns the second factor off: of oneself, whose password and code were checked, or of others by an administrator. */
export async function removeSecondFactor(
  deps: UserDeps,
  actor: Actor,
  userId: string,
): Promise<AccountResult<null>> {
  const isOwn = actor.userId === userId;
  if (!isOwn && actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  if (!deps.directory.snapshot.users.has(userId)) return refusedWith(notFound('user'));
  const action = isOwn ? 'second_factor.disabled' : 'second_factor.reset';
  const event = auditEvent(deps.clock, action, actor, { userId });
  if (!(await deps.store.deleteSecondFactor(userId, event)))
    return refusedWith(invalid('', 'The user has no second factor.'));
  await deps.directory.refresh();
  deps.onAudit(event);
  return succeeded(null);
}
