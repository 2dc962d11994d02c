import type { Accounts } from '../account/accounts.ts';
import { authorise } from '../account/authenticate.ts';
import type { Principal } from '../domain/account.ts';
import { failure } from '../domain/failure.ts';
import { authenticateKey, limitRefusal, permitRequest } from '../http/core/access.ts';
import { Refusal, refuseIf } from '../http/core/refusal.ts';
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
  const caller = await authenticateKey(accounts, `Api-Key ${credentials.key}`);
  refuseIf(authorise(caller, ip, 'scrape', 'change'));
  return caller.principal;
}

/** Rejects with a Refusal if the caller is at the limit. */
export async function takePermit(permits: Permits, principal: Principal): Promise<Permit> {
  const permit = await permits.take(permitRequest(principal));
  if (permit === null) throw limitRefusal(principal);
  return permit;
}
