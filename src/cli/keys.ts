import { OPERATOR } from '../account/account-actions.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../domain/account.ts';
import { type Command, CommandError, readArgs, requireArgument, unknownCommand } from './command.ts';
import { findUserOrThrow, valueOrThrow } from './users.ts';

export const keys: Command = {
  usage: `sluice keys create --user E --name N [--scope S …]   creates a key and prints only the key
sluice keys list [--user E]                           lists keys
sluice keys revoke ID                                 revokes a key; a running service notices within a second

  --user E    e-mail or id of the user
  --scope S   what the key may do: ${SCOPES.join(', ')}; can be given several times
              (default: ${DEFAULT_SCOPES.join(', ')})`,
  async run([verb, ...args], io) {
    if (verb === 'create') {
      const { values } = readArgs(args, {
        user: { type: 'string' },
        name: { type: 'string' },
        scope: { type: 'string', multiple: true },
      });
      const user = requireArgument(values.user, '--user');
      const name = requireArgument(values.name, '--name');
      // The account checks them. `a,b` is accepted because other command lines take lists in this form.
      const scopes = values.scope?.flatMap((text) => text.split(',')) as Scope[] | undefined;
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
    }
    if (verb === 'list') {
      const { values } = readArgs(args, { user: { type: 'string' } });
      const rows = await io.withData(async ({ accounts }) => {
        const userId = values.user === undefined ? null : findUserOrThrow(accounts, values.user).id;
        const emails = new Map(accounts.listUsers(OPERATOR).map(({ id, email }) => [id, email]));
        return accounts
          .listKeys(OPERATOR, userId)
          .map((row) => ({ ...row, email: emails.get(row.userId) ?? row.userId }));
      });
      for (const { id, name, email, prefix, last4, lastUsedAt, revokedAt, expiresAt, scopes } of rows)
        io.out(
          [
            id,
            `${prefix}…${last4}`,
            email,
            name,
            keyState(revokedAt, expiresAt),
            formatTime(lastUsedAt),
            scopes.join(','),
          ].join('\t'),
        );
      return 0;
    }
    if (verb === 'revoke') {
      const { positionals } = readArgs(args, {}, { maxPositionals: 1 });
      const id = requireArgument(positionals[0], 'the id of the key');
      const revoked = await io.withData(({ accounts }) => accounts.revokeKey(OPERATOR, id));
      if (!revoked) throw new CommandError(`there is no active key "${id}"; see sluice keys list`);
      return 0;
    }
    throw unknownCommand(['keys'], verb, ['create', 'list', 'revoke'], keys.usage);
  },
};

function keyState(revokedAt: number | null, expiresAt: number | null): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  return `${expiresAt <= Date.now() ? 'expired' : 'expires'} ${formatTime(expiresAt)}`;
}

/** @param ms since the epoch; null: the key was never used */
const formatTime = (ms: number | null): string => (ms === null ? 'never used' : new Date(ms).toISOString());
