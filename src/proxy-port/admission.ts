import type { ActiveKey } from '../account/account-directory.ts';
import type { Accounts } from '../account/accounts.ts';
import { authorise } from '../account/authenticate.ts';
import type { Principal } from '../domain/account.ts';
import { failure } from '../domain/failure.ts';
import { LIMIT_RETRY_AFTER_S } from '../http/access.ts';
import { Refusal, refuseIf } from '../http/refusal.ts';
import type { Permit, Permits } from '../ports/permits.ts';
import type { ProxyCredentials } from './proxy-request.ts';

const NO_KEY = failure(
  'auth.missing',
  'Send an API key as the user name of the proxy: `http://<key>:<options>@<host>:<port>`.',
);

/** The caller with this key, who may scrape. Rejects with a Refusal. */
export async function authenticate(
  accounts: Accounts,
  credentials: ProxyCredentials | null,
  ip: string,
): Promise<Principal> {
  if (credentials === null) throw new Refusal([NO_KEY]);
  const find = () => accounts.authenticate(`Api-Key ${credentials.key}`);
  let caller = find();
  if (caller.failure?.code === 'auth.invalid') {
    // The key may be new: the command line creates keys in another process.
    await accounts.catchUp();
    caller = find();
  }
  if (caller.failure !== null) throw new Refusal([caller.failure]);
  refuseIf(authorise(caller as ActiveKey, ip, 'scrape'));
  return caller.principal;
}

/** Rejects with a Refusal if the caller is at the limit. */
export async function takePermit(permits: Permits, principal: Principal): Promise<Permit> {
  const { userId, keyId, concurrency, keyConcurrency } = principal;
  const permit = await permits.take({ userId, limit: concurrency, keyId, keyLimit: keyConcurrency });
  if (permit !== null) return permit;
  const limit = Math.min(concurrency, keyConcurrency ?? concurrency);
  const message = `${limit} requests of this user or key are running, which is the limit. Wait for one to finish.`;
  throw new Refusal([failure('limit.concurrency', message)], {
    headers: { 'retry-after': LIMIT_RETRY_AFTER_S },
  });
}
