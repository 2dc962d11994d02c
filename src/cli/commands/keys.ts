import { OPERATOR } from '../../account/account-actions.ts';
import type { Scope } from '../../domain/account.ts';
import {
  type CommandCall,
  CommandError,
  type RunCommand,
  requireArgument,
  WRONG_USAGE,
} from '../core/command.ts';
import { writeRows } from '../core/output.ts';
import { findUserOrThrow, valueOrThrow } from '../core/own-accounts.ts';
import { remoteKeys, withRemote } from '../core/remote-accounts.ts';

export const createKey: RunCommand = async (call, io) => {
  const { values, lists } = call;
  const isRemote = isForCaller(call);
  const user = isRemote ? '' : requireArgument(values.get('user'), '--user');
  const name = requireArgument(values.get('name'), '--name');
  // The account checks them. `a,b` is accepted because other command lines take lists in this form.
  const scopes = lists.get('scope')?.flatMap((text) => text.split(',')) as Scope[] | undefined;
  const settings = {
    name,
    ...(scopes === undefined ? {} : { scopes }),
    ...(call.flags.has('test') ? { test: true } : {}),
  };
  if (isRemote)
    return withRemote(io, call, async (api, signal) => {
      const { key } = await api.call<{ readonly key: string }>('POST', KEYS, {
        body: settings,
        signal,
      });
      io.out(key);
      return 0;
    });
  const { key } = await io.withData(async ({ accounts }) =>
    valueOrThrow(
      await accounts.createKey(OPERATOR, {
        userId: findUserOrThrow(accounts, user).id,
        ...settings,
      }),
    ),
  );
  io.out(key);
  return 0;
};

/** Whether the service of `--remote` is meant, where keys are those of the caller's user. */
function isForCaller({ flags, values }: CommandCall): boolean {
  if (flags.has('remote') && values.has('user'))
    throw new CommandError('--user contradicts --remote: the keys are those of your own user', WRONG_USAGE);
  return flags.has('remote');
}

const KEYS = '/api/v1/keys/';

export const listKeys: RunCommand = async (call, io) => {
  const print = (rows: readonly ListedKey[]) =>
    writeRows(io, COLUMNS, rows.map(keyRow), call.flags.has('json'));
  if (isForCaller(call))
    return withRemote(io, call, async (api, signal) => {
      print((await remoteKeys(api, signal)).map((key) => ({ ...key, user: 'you' })));
      return 0;
    });
  const user = call.values.get('user');
  const rows = await io.withData(async ({ accounts }) => {
    const userId = user === undefined ? null : findUserOrThrow(accounts, user).id;
    const emails = new Map(accounts.listUsers(OPERATOR).map(({ id, email }) => [id, email]));
    return accounts
      .listKeys(OPERATOR, userId)
      .map((row) => ({ ...row, user: emails.get(row.userId) ?? row.userId }));
  });
  print(rows);
  return 0;
};

const COLUMNS = ['id', 'key', 'user', 'name', 'state', 'last_used', 'scopes'] as const;

/** A key with the e-mail of its user. */
type ListedKey = Awaited<ReturnType<typeof remoteKeys>>[number] & { readonly user: string };

const keyRow = (key: ListedKey) => ({
  id: key.id,
  key: `${key.prefix}…${key.last4}`,
  user: key.user,
  name: key.name,
  state: keyState(key.revokedAt, key.expiresAt),
  last_used: formatTime(key.lastUsedAt),
  scopes: key.scopes.join(','),
});

export const revokeKey: RunCommand = async (call, io) => {
  const id = call.words[0]!;
  if (call.flags.has('remote'))
    return withRemote(io, call, async (api, signal) => {
      await api.call('DELETE', `${KEYS}${encodeURIComponent(id)}/`, { signal });
      return 0;
    });
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
