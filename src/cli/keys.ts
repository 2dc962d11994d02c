import { OPERATOR } from '../account/account-actions.ts';
import type { Scope } from '../domain/account.ts';
import { CommandError, type RunCommand, requireArgument } from './command.ts';
import { writeRows } from './output.ts';
import { findUserOrThrow, valueOrThrow } from './users.ts';

export const createKey: RunCommand = async ({ values, lists }, io) => {
  const user = requireArgument(values.get('user'), '--user');
  const name = requireArgument(values.get('name'), '--name');
  // The account checks them. `a,b` is accepted because other command lines take lists in this form.
  const scopes = lists.get('scope')?.flatMap((text) => text.split(',')) as Scope[] | undefined;
  const { key } = await io.withData(async ({ accounts }) =>
    valueOrThrow(
      await accounts.createKey(OPERATOR, {
        userId: findUserOrThrow(accounts, user).id,
        name,
        ...(scopes === undefined ? {} : { scopes }),
      }),
    ),
  );
  io.out(key);
  return 0;
};

export const listKeys: RunCommand = async ({ values, flags }, io) => {
  const user = values.get('user');
  const rows = await io.withData(async ({ accounts }) => {
    const userId = user === undefined ? null : findUserOrThrow(accounts, user).id;
    const emails = new Map(accounts.listUsers(OPERATOR).map(({ id, email }) => [id, email]));
    return accounts
      .listKeys(OPERATOR, userId)
      .map(({ id, name, userId: owner, prefix, last4, lastUsedAt, revokedAt, expiresAt, scopes }) => ({
        id,
        key: `${prefix}…${last4}`,
        user: emails.get(owner) ?? owner,
        name,
        state: keyState(revokedAt, expiresAt),
        last_used: formatTime(lastUsedAt),
        scopes: scopes.join(','),
      }));
  });
  writeRows(io, ['id', 'key', 'user', 'name', 'state', 'last_used', 'scopes'], rows, flags.has('json'));
  return 0;
};

export const revokeKey: RunCommand = async ({ words }, io) => {
  const id = words[0]!;
  const revoked = await io.withData(({ accounts }) => accounts.revokeKey(OPERATOR, id));
  if (!revoked) throw new CommandError(`there is no active key "${id}"; see sluice keys list`);
  return 0;
};

function keyState(revokedAt: number | null, expiresAt: number | null): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return `${expiresAt <= Date.now() ? 'expired' : 'expires'} ${formatTime(expiresAt)}`;
}

/** @param ms since the epoch; null: the key was never used */
const formatTime = (ms: number | null): string => (ms === null ? 'never used' : new Date(ms).toISOString());
