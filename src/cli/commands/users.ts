import { text } from 'node:stream/consumers';
import { OPERATOR } from '../../account/account-actions.ts';
import type { Accounts } from '../../account/accounts.ts';
import { isConcurrencyLimit } from '../../account/key-settings.ts';
import { setUpUrl } from '../../account/set-up-links.ts';
import { defaultBaseUrl } from '../../config/config.ts';
import { ROLES, type Role } from '../../domain/account.ts';
import { isUserLimit, type LimitsChange, USER_LIMIT_NAMES } from '../../domain/user-limits.ts';
import {
  type CommandCall,
  CommandError,
  type RunCommand,
  requireArgument,
  WRONG_USAGE,
} from '../core/command.ts';
import { writeRows } from '../core/output.ts';
import { findUserOrThrow, valueOrThrow } from '../core/own-accounts.ts';
import { remoteUserId, remoteUsers, withRemote } from '../core/remote-accounts.ts';

/** The password in the option, or the first line of standard input if the option is `-`. */
export async function readPassword(option: string): Promise<string> {
  if (option !== '-') return option;
  return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '';
}

export const createUser: RunCommand = async (call, io) => {
  const email = requireArgument(call.values.get('email'), '--email');
  requireArgument(call.values.get('password'), '--password');
  const change = await parseUserSettings(call);
  if (call.flags.has('remote'))
    return withRemote(io, call, async (api, signal) => {
      const body = { ...asMembers(change), email };
      const { id } = await api.call<{ readonly id: string }>('POST', USERS, { body, signal });
      io.out(id);
      return 0;
    });
  const row = await io.withData(
    async ({ accounts }) => valueOrThrow(await accounts.createUser(OPERATOR, { ...change, email })),
    'create',
  );
  io.out(row.id);
  return 0;
};

export const setUser: RunCommand = async (call, io) => {
  const email = requireArgument(call.values.get('email'), '--email');
  const change = await parseUserSettings(call);
  if (Object.keys(change).length === 0)
    throw new CommandError('nothing to change\nsee sluice users set --help', WRONG_USAGE);
  if (call.flags.has('remote')) {
    if (change.password !== undefined)
      throw new CommandError('--password contradicts --remote; see sluice users link', WRONG_USAGE);
    return withRemote(io, call, async (api, signal) => {
      const id = await remoteUserId(api, email, signal);
      await api.call('PATCH', `${USERS}${id}/`, { body: asMembers(change), signal });
      return 0;
    });
  }
  await io.withData(async ({ accounts }) =>
    valueOrThrow(await accounts.updateUser(OPERATOR, findUserOrThrow(accounts, email).id, change)),
  );
  return 0;
};

const USERS = '/api/v1/users/';

/** The members of a user object of the API, which has one of the limits beside `limits`. */
function asMembers({ limits, ...settings }: Awaited<ReturnType<typeof parseUserSettings>>): object {
  if (limits === undefined) return settings;
  const { job_concurrency: jobs, ...others } = limits;
  return { ...settings, limits: others, ...(jobs === undefined ? {} : { job_concurrency: jobs }) };
}

export const listUsers: RunCommand = async (call, io) => {
  const print = (users: Awaited<ReturnType<typeof remoteUsers>>) => {
    const rows = users.map(({ email, role, concurrency, disabledAt, id }) => ({
      email,
      role,
      concurrency: String(concurrency ?? 'default'),
      state: disabledAt === null ? 'enabled' : 'disabled',
      id,
    }));
    writeRows(io, ['email', 'role', 'concurrency', 'state', 'id'], rows, call.flags.has('json'));
    return 0;
  };
  if (call.flags.has('remote'))
    return withRemote(io, call, async (api, signal) => print(await remoteUsers(api, signal)));
  return print(await io.withData(async ({ accounts }) => accounts.listUsers(OPERATOR)));
};

export const linkUser: RunCommand = async (call, io) => {
  const email = call.values.get('email');
  if (call.flags.has('remote'))
    return withRemote(io, call, async (api, signal) => {
      const id = await remoteUserId(api, email ?? null, signal);
      const link = await api.call<{ readonly url: string }>('POST', `${USERS}${id}/link/`, { signal });
      io.out(link.url);
      return 0;
    });
  const { token } = await io.withData(async ({ accounts }) => {
    const { id } = email === undefined ? findOnlyAdmin(accounts) : findUserOrThrow(accounts, email);
    return valueOrThrow(await accounts.sessions.createLink(OPERATOR, id));
  });
  const { baseUrl, host, port } = io.config();
  io.out(setUpUrl(baseUrl ?? defaultBaseUrl(host, port), token));
  return 0;
};

export const resetSecondFactor: RunCommand = async (call, io) => {
  const email = requireArgument(call.values.get('email'), '--email');
  if (call.flags.has('remote'))
    return withRemote(io, call, async (api, signal) => {
      const id = await remoteUserId(api, email, signal);
      await api.call('DELETE', `${USERS}${id}/second-factor/`, { signal });
      return 0;
    });
  await io.withData(async ({ accounts }) => {
    const { id } = findUserOrThrow(accounts, email);
    return valueOrThrow(await accounts.sessions.resetSecondFactor(OPERATOR, id));
  });
  return 0;
};

/** @throws CommandError for contradicting options */
async function parseUserSettings({ flags, values }: CommandCall) {
  const isGiven = (name: string) => flags.has(name) || values.has(name);
  const role = values.get('role');
  if (role !== undefined && !ROLES.some((known) => known === role))
    throw new CommandError(`--role must be one of ${ROLES.join(', ')}; got "${role}"`, WRONG_USAGE);
  for (const [one, other] of [
    ['admin', 'no-admin'],
    ['admin', 'role'],
    ['no-admin', 'role'],
    ['disable', 'enable'],
  ] as const)
    if (isGiven(one) && isGiven(other))
      throw new CommandError(`--${one} and --${other} cannot be combined`, WRONG_USAGE);
  const [password, concurrency, limits] = ['password', 'concurrency', 'limits'].map((name) =>
    values.get(name),
  );
  return {
    ...(password === undefined ? {} : { password: await readPassword(password) }),
    ...(role === undefined ? {} : { role: role as Role }),
    ...(flags.has('admin') ? { role: 'admin' as const } : {}),
    ...(flags.has('no-admin') ? { role: 'user' as const } : {}),
    ...(concurrency === undefined ? {} : { concurrency: parseConcurrency(concurrency) }),
    ...(limits === undefined ? {} : { limits: parseLimits(limits) }),
    ...(flags.has('disable') ? { disabled: true } : {}),
    ...(flags.has('enable') ? { disabled: false } : {}),
  };
}

function parseConcurrency(text: string): number | null {
  if (text === 'default') return null;
  if (!/^\d+$/.test(text) || !isConcurrencyLimit(Number(text)))
    throw new CommandError(
      `--concurrency must be a whole number from 1 to 100000, or default; got "${text}"`,
      WRONG_USAGE,
    );
  return Number(text);
}

/** `name=N` or `name=default`, comma-separated. @throws CommandError */
function parseLimits(text: string): LimitsChange {
  return Object.fromEntries(
    text.split(',').map((item) => {
      const [name, value = ''] = item.trim().split('=');
      const isValue = value === 'default' || (/^\d{1,9}$/.test(value) && isUserLimit(Number(value)));
      if (!USER_LIMIT_NAMES.some((known) => known === name) || !isValue)
        throw new CommandError(
          `--limits must be like job_concurrency=40,streams=default; names: ${USER_LIMIT_NAMES.join(', ')}; got "${item}"`,
          WRONG_USAGE,
        );
      return [name, value === 'default' ? null : Number(value)];
    }),
  );
}

/** @throws CommandError unless there is exactly one administrator */
function findOnlyAdmin(accounts: Accounts) {
  const admins = accounts.listUsers(OPERATOR).filter(({ role }) => role === 'admin');
  if (admins.length === 1) return admins[0]!;
  throw new CommandError(`--email is missing: there are ${admins.length} administrators`, WRONG_USAGE);
}
