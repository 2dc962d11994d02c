import type { ApiClient } from './api-client.ts';
import { type CommandCall, type CommandContext, CommandError, WRONG_USAGE } from './command.ts';
import { remoteOf, withApi } from './connect.ts';

/**
 * Runs `work` with the service elsewhere that `--remote` means.
 * @param work returns the exit code
 * @throws CommandError if there is none
 */
export async function withRemote(
  io: CommandContext,
  call: CommandCall,
  work: (api: ApiClient, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  if (remoteOf(io, call) === null)
    throw new CommandError('--remote needs SLUICE_URL and SLUICE_KEY, or sluice login', WRONG_USAGE);
  return withApi(io, call, work);
}

/** A key as the API shows it. */
interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly scopes: readonly string[];
}

interface UserView {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly concurrency: number;
  readonly concurrency_is_default: boolean;
  readonly disabled_at: string | null;
}

/** A user as `sluice users list` shows it. */
interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  /** null: the default. */
  readonly concurrency: number | null;
  /** null: the user is not disabled. */
  readonly disabledAt: number | string | null;
}

/** The keys of the caller's user, with times in ms since the epoch. */
export async function remoteKeys(api: ApiClient, signal: AbortSignal) {
  const { items } = await api.call<{ readonly items: readonly KeyView[] }>('GET', '/api/v1/keys/', {
    signal,
  });
  const ms = (time: string | null) => (time === null ? null : Date.parse(time));
  return items.map(({ id, name, prefix, last4, scopes, ...times }) => ({
    id,
    name,
    prefix,
    last4,
    scopes,
    lastUsedAt: ms(times.last_used_at),
    expiresAt: ms(times.expires_at),
    revokedAt: ms(times.revoked_at),
  }));
}

export async function remoteUsers(api: ApiClient, signal: AbortSignal): Promise<readonly ListedUser[]> {
  const { items } = await api.call<{ readonly items: readonly UserView[] }>('GET', '/api/v1/users/', {
    signal,
  });
  return items.map((user) => ({
    id: user.id,
    email: user.email,
    role: user.role,
    concurrency: user.concurrency_is_default ? null : user.concurrency,
    disabledAt: user.disabled_at,
  }));
}

/** The id of the user. @param emailOrId null: the only administrator @throws CommandError if there is none */
export async function remoteUserId(
  api: ApiClient,
  emailOrId: string | null,
  signal: AbortSignal,
): Promise<string> {
  const users = await remoteUsers(api, signal);
  const wanted = emailOrId?.toLowerCase();
  const found = users.filter(({ id, email, role }) =>
    wanted === undefined ? role === 'admin' : id === wanted || email.toLowerCase() === wanted,
  );
  if (found.length === 1) return found[0]!.id;
  throw new CommandError(
    wanted === undefined
      ? `--email is missing: there are ${found.length} administrators`
      : `there is no user "${emailOrId}"`,
  );
}
