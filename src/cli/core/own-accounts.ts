import { type AccountResult, OPERATOR } from '../../account/account-actions.ts';
import type { Accounts } from '../../account/accounts.ts';
import { CommandError } from './command.ts';

/** @throws CommandError if there is no such user */
export function findUserOrThrow(accounts: Accounts, emailOrId: string) {
  const row = accounts.findUser(OPERATOR, emailOrId);
  if (row === null) throw new CommandError(`there is no user "${emailOrId}"`);
  return row;
}

/** The oldest administrator. @throws CommandError if there is none */
export function operatorUser(accounts: Accounts) {
  const admin = accounts.listUsers(OPERATOR).find(({ role }) => role === 'admin');
  if (admin === undefined)
    throw new CommandError(
      'there is no administrator yet: run sluice serve once, or sluice users create --admin',
    );
  return admin;
}

/** @throws CommandError with the messages of the failures */
export function valueOrThrow<T>({ value, failures }: AccountResult<T>): T {
  if (failures !== null) throw new CommandError(failures.map(({ message }) => message).join('\n'));
  return value;
}
