import { randomBytes } from 'node:crypto';
import type { UserRow } from '../domain/account.ts';
import type { SignInRefusal } from '../domain/open-id.ts';
import { SealError, type Sealer } from '../domain/sealing.ts';
import type { OpenIdProvider, ProvidedIdentity, SignInSecrets } from '../ports/open-id-provider.ts';
import { ConflictError } from '../ports/store.ts';
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
import { LoginThrottle } from './login-throttle.ts';
import { beginSession, type ClientInfo, type NewSession, type SessionDeps } from './sessions.ts';
import { createUser, updateUser, userByEmail } from './users.ts';

/** The operator's settings of sign-in by OpenID Connect. */
export interface OpenIdOptions {
  readonly provider: OpenIdProvider;
  /** Name of the provider on the sign-in page. */
  readonly name: string;
  /** Somebody without a user gets one. */
  readonly signUp: boolean;
}

/** What the browser keeps between the two steps, sealed: so any replica can do the second one. */
interface Ticket extends SignInSecrets {
  readonly next: string;
  /** ms since the epoch. */
  readonly expiresAt: number;
}

interface Refused {
  readonly refusal: SignInRefusal;
  /** The page of the dashboard that was requested. */
  readonly next: string;
}

/** Sign-in to the dashboard by OpenID Connect. Methods reject with StorageError if the store fails. */
export interface OpenIdSignIn {
  readonly name: string;
  /**
   * @param next path of the dashboard that was requested
   * @returns where the browser goes, and the ticket that it brings to `finish`
   */
  begin(request: {
    readonly redirectUri: string;
    readonly next: string;
  }): Promise<{ readonly url: string; readonly ticket: string } | Refused>;
  /** @param request.ticket null: the browser brings none */
  finish(
    request: ClientInfo & { readonly callbackUrl: URL; readonly ticket: string | null },
  ): Promise<{ readonly session: NewSession; readonly next: string } | Refused>;
}

/** How long a person may take at the provider. */
export const TICKET_MS = 600_000;
const PURPOSE = 'oidc';
/** The method of a session in the audit log. */
const METHOD = 'openid_connect';

const randomText = (): string => randomBytes(32).toString('base64url');

export function createOpenIdSignIn(deps: SessionDeps, options: OpenIdOptions): OpenIdSignIn {
  const { provider, name } = options;
  const throttle = new LoginThrottle(deps.values);
  return {
    name,
    async begin({ redirectUri, next }) {
      const secrets = { state: randomText(), nonce: randomText(), verifier: randomText() };
      const begun = await provider.begin(redirectUri, secrets);
      if ('refusal' in begun) return { ...begun, next };
      const ticket: Ticket = { ...secrets, next, expiresAt: deps.clock.now() + TICKET_MS };
      const sealed = (await deps.sealer()).seal(
        PURPOSE,
        provider.issuer,
        Buffer.from(JSON.stringify(ticket)),
      );
      return { url: begun.url, ticket: Buffer.from(sealed).toString('base64url') };
    },
    async finish({ callbackUrl, ticket: sealed, ...client }) {
      const ticket = openTicket(await deps.sealer(), provider.issuer, sealed);
      const state = callbackUrl.searchParams.get('state');
      if (ticket === null || ticket.expiresAt <= deps.clock.now() || ticket.state !== state)
        return { refusal: 'expired', next: ticket?.next ?? '/' };
      const { next } = ticket;
      const identity = await provider.finish(callbackUrl, ticket);
      // Nothing is counted without a person: anybody can make up codes, and would stop the sign-in of others at the address.
      if ('refusal' in identity) return { refusal: identity.refusal, next };
      // `known`: others cannot lock out this person by failing at theirs.
      const account = `openid-connect ${identity.issuer} ${identity.subject}`;
      const attempt = { account, ip: client.ip, known: true };
      if ((await throttle.begin(attempt)) > 0) return { refusal: 'too_many', next };
      const outcome = await signInBy(deps, options, identity, client);
      if ('refusal' in outcome) {
        await throttle.recordFailure(attempt);
        return { refusal: outcome.refusal, next };
      }
      await throttle.recordSuccess(attempt);
      return { session: outcome, next };
    },
  };
}

/** @returns null: it was not made by a service with our keys, or for another provider */
function openTicket(sealer: Sealer, issuer: string, sealed: string | null): Ticket | null {
  if (sealed === null) return null;
  try {
    return JSON.parse(sealer.open(PURPOSE, issuer, Buffer.from(sealed, 'base64url')).toString()) as Ticket;
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

type Refusal = Pick<Refused, 'refusal'>;

/** Finds, links or creates the user of an identity, sets the role, and begins a session. */
async function signInBy(
  deps: SessionDeps,
  options: OpenIdOptions,
  identity: ProvidedIdentity,
  client: ClientInfo,
): Promise<NewSession | Refusal> {
  // Another replica may have linked or disabled the user just now.
  await deps.directory.refresh();
  const linked = linkedUser(deps, identity);
  const known = linked ?? userOfAddress(deps, identity);
  const refuse = async (refusal: SignInRefusal): Promise<Refusal> => {
    const userId = known?.id ?? null;
    const actor = { userId, keyId: null, address: client.ip, via: 'sign_in' as const };
    const event = auditEvent(deps.clock, 'session.refused', actor, {
      userId,
      details: { method: METHOD, reason: refusal },
    });
    await deps.audit.append(event);
    deps.onAudit(event);
    return { refusal };
  };
  if (linked === null && identity.verifiedEmail === null) return refuse('email_not_verified');
  if (known === null && !options.signUp) return refuse('no_user');
  if (known !== null && known.disabledAt !== null) return refuse('disabled');
  if (identity.role === 'none') return refuse('no_role');
  const user = known ?? (await newUser(deps, identity, client));
  if (user === null) return refuse('email_not_verified');
  if (linked === null && !(await link(deps, identity, user, client)))
    return refuse(deps.directory.snapshot.users.has(user.id) ? 'other_identity' : 'no_user');
  if (identity.role !== null && identity.role !== user.role)
    // Refused for the last administrator, who keeps the role.
    await updateUser(deps, byProvider(user.id, client), user.id, { role: identity.role });
  const session = await beginSession(deps, user, user.passwordHash, client, METHOD);
  // The user was disabled, or the password changed, in the meantime.
  return session ?? refuse('disabled');
}

function linkedUser({ directory }: SessionDeps, { issuer, subject }: ProvidedIdentity): UserRow | null {
  const { identities, users } = directory.snapshot;
  const found = identities.find((row) => row.issuer === issuer && row.subject === subject);
  return (found === undefined ? undefined : users.get(found.userId)) ?? null;
}

const userOfAddress = ({ directory }: SessionDeps, { verifiedEmail }: ProvidedIdentity): UserRow | null =>
  verifiedEmail === null ? null : userByEmail(directory.snapshot.users, verifiedEmail);

/** The operator's settings let the provider create users and set their roles. @param userId null: not known yet */
const byProvider = (userId: string | null, { ip }: ClientInfo): Actor => ({
  userId,
  keyId: null,
  role: 'admin',
  address: ip,
  via: 'sign_in',
});

/** @returns null: the address is none that Sluice accepts */
async function newUser(
  deps: SessionDeps,
  identity: ProvidedIdentity,
  client: ClientInfo,
): Promise<UserRow | null> {
  const role = identity.role === null || identity.role === 'none' ? 'user' : identity.role;
  const settings = { email: identity.verifiedEmail ?? '', role };
  const created = await createUser(deps, byProvider(null, client), settings);
  if (created.failures === null) return created.value;
  // Another request has created the user in the meantime.
  await deps.directory.refresh();
  return userOfAddress(deps, identity);
}

/** @returns false: the user has another identity at the provider */
async function link(
  deps: SessionDeps,
  identity: ProvidedIdentity,
  user: UserRow,
  client: ClientInfo,
): Promise<boolean> {
  const { issuer, subject } = identity;
  const event = auditEvent(deps.clock, 'identity.linked', byProvider(user.id, client), {
    userId: user.id,
    details: { issuer },
  });
  const row = { issuer, subject, userId: user.id, createdAt: deps.clock.now() };
  const isNew = await deps.store.insertIdentity(row, event).catch((error: unknown) => {
    // The invitation was revoked in the meantime.
    if (error instanceof ConflictError) return false;
    throw error;
  });
  await deps.directory.refresh();
  if (isNew) deps.onAudit(event);
  return linkedUser(deps, identity)?.id === user.id;
}

/** Unlinks a user from the provider, so that another identity with the same address can be linked. For administrators. */
export async function removeIdentities(
  { store, directory, clock, onAudit }: Pick<SessionDeps, 'store' | 'directory' | 'clock' | 'onAudit'>,
  actor: Actor,
  userId: string,
): Promise<AccountResult<null>> {
  if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  if (!directory.snapshot.users.has(userId)) return refusedWith(notFound('user'));
  const event = auditEvent(clock, 'identity.removed', actor, { userId });
  if (!(await store.deleteIdentities(userId, event)))
    return refusedWith(invalid('', 'The user is not linked to an account at the provider.'));
  await directory.refresh();
  onAudit(event);
  return succeeded(null);
}
