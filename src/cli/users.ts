import { text } from 'node:stream/consumers';
import { type AccountResult, OPERATOR } from '../account/account-actions.ts';
import type { Accounts } from '../account/accounts.ts';
import { isConcurrencyLimit } from '../account/key-settings.ts';
import { setUpUrl } from '../account/sessions.ts';
import { defaultBaseUrl } from '../config/config.ts';
import { isUserLimit, type LimitsChange, USER_LIMIT_NAMES } from '../domain/user-limits.ts';
import {
  type Command,
  CommandError,
  readArgs,
  requireArgument,
  unknownCommand,
  WRONG_USAGE,
} from './command.ts';

/** The password in the option, or the first line of standard input if the option is `-`. */
export async function readPassword(option: string): Promise<string> {
  if (option !== '-') return option;
  return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '';
}

export const users: Command = {
  usage: `sluice users create --email E --password P|- [--admin] [--concurrency N] [--limits L]
sluice users set --email E [--password P|-] [--admin | --no-admin] [--concurrency N|default] [--limits L] [--disable | --enable]
sluice users list
sluice users link [--email E]      prints a link that sets the password; it works once, for 24 hours

  --email E         for link: may be left out when there is only one administrator
  --password -      reads the password from standard input
  --concurrency N   how many requests the user may have in flight at once; default 50
  --limits L        such as job_concurrency=40,streams=default; names: ${USER_LIMIT_NAMES.join(', ')}`,
  async run([verb, ...args], io) {
    if (verb === 'list') {
      readArgs(args, {});
      const rows = await io.withData(async ({ accounts }) => accounts.listUsers(OPERATOR));
      for (const { email, role, concurrency, disabledAt, id } of rows)
        io.out(
          [email, role, concurrency ?? 'default', disabledAt === null ? 'enabled' : 'disabled', id].join(
            '\t',
          ),
        );
      return 0;
    }
    if (verb === 'link') {
      const { values } = readArgs(args, { email: { type: 'string' } });
      const { token } = await io.withData(async ({ accounts }) => {
        const { id } =
          values.email === undefined ? findOnlyAdmin(accounts) : findUserOrThrow(accounts, values.email);
        return valueOrThrow(await accounts.sessions.createLink(OPERATOR, id));
      });
      const { baseUrl, host, port } = io.config();
      io.out(setUpUrl(baseUrl ?? defaultBaseUrl(host, port), token));
      return 0;
    }
    if (verb !== 'create' && verb !== 'set')
      throw unknownCommand(['users'], verb, ['create', 'set', 'list', 'link'], users.usage);
    const { values } = readArgs(args, OPTIONS);
    const email = requireArgument(values.email, '--email');
    const change = await parseUserSettings(values);
    if (verb === 'create') {
      requireArgument(values.password, '--password');
      const row = await io.withData(
        async ({ accounts }) => valueOrThrow(await accounts.createUser(OPERATOR, { ...change, email })),
        'create',
      );
      io.out(row.id);
      return 0;
    }
    if (Object.keys(change).length === 0)
      throw new CommandError(`nothing to change\n${users.usage}`, WRONG_USAGE);
    await io.withData(async ({ accounts }) =>
      valueOrThrow(await accounts.updateUser(OPERATOR, findUserOrThrow(accounts, email).id, change)),
    );
    return 0;
  },
};

const OPTIONS = {
  email: { type: 'string' },
  password: { type: 'string' },
  admin: { type: 'boolean' },
  'no-admin': { type: 'boolean' },
  concurrency: { type: 'string' },
  limits: { type: 'string' },
  disable: { type: 'boolean' },
  enable: { type: 'boolean' },
} as const;

type OptionValues = { readonly [K in keyof typeof OPTIONS]?: string | boolean | undefined };

/** @throws CommandError for contradicting options */
async function parseUserSettings(values: OptionValues) {
  if (values.admin === true && values['no-admin'] === true)
    throw new CommandError('--admin and --no-admin cannot be combined', WRONG_USAGE);
  if (values.disable === true && values.enable === true)
    throw new CommandError('--disable and --enable cannot be combined', WRONG_USAGE);
  return {
    ...(values.password === undefined ? {} : { password: await readPassword(String(values.password)) }),
    ...(values.admin === true ? { role: 'admin' as const } : {}),
    ...(values['no-admin'] === true ? { role: 'user' as const } : {}),
    ...(values.concurrency === undefined
      ? {}
      : { concurrency: parseConcurrency(String(values.concurrency)) }),
    ...(values.limits === undefined ? {} : { limits: parseLimits(String(values.limits)) }),
    ...(values.disable === true ? { disabled: true } : {}),
    ...(values.enable === true ? { disabled: false } : {}),
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
