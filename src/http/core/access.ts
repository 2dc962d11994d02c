import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../account/account-actions.ts';
import type { ActiveKey, ActiveSession, AuthenticationFailure } from '../../account/account-directory.ts';
import type { Accounts } from '../../account/accounts.ts';
import { authorise, readAuthorization, requireAdmin } from '../../account/authenticate.ts';
import type { Principal, Scope } from '../../domain/account.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { Permit, PermitRequest, Permits } from '../../ports/permits.ts';
import { BODY_LIMIT, bodyRefusal, mayHaveNoBody } from './json-body.ts';
import { Refusal, refuseIf } from './refusal.ts';
import { headerCount } from './request-headers.ts';
import { releaseOnClose } from './request-resources.ts';
import { expiredSessionCookie, isSecure, originRefusal, sessionToken } from './session-cookie.ts';

export interface AdmissionControl {
  readonly accounts: Accounts;
  readonly permits: Permits;
  /** Why new requests are refused; null: they are accepted. */
  readonly unavailable: () => Refusal | null;
  /** The origin of SLUICE_BASE_URL; null: it is not set. */
  readonly origin: string | null;
  readonly baseUrl: () => string;
}

/**
 * Who may call an endpoint. `public`: everybody, also while the service shuts down. `sign-in`: pages of the dashboard,
 * without a session. `session`: a session, not a key. `own account`: the same, also for viewers. `scope:…`: a key with that scope, or a session. `link or scope:read`:
 * also a signed link. `role:admin`: the scope `admin` of an administrator (marked (admin) in contract §9). Viewers may GET all of
 * them, and nothing else.
 */
export type Access =
  | 'public'
  | 'sign-in'
  | 'session'
  | 'own account'
  | 'scope:scrape'
  | 'scope:read'
  | 'scope:jobs'
  | 'scope:profiles'
  | 'scope:profiles_export'
  | 'link or scope:read'
  | 'scope:admin'
  | 'role:admin';

interface AccessRule {
  /** What the caller must send. `originOnly`: only the `Origin` of the dashboard. `key`: a key or a session. */
  readonly credential: 'none' | 'originOnly' | 'session' | 'key';
  readonly scope: Scope | null;
  readonly adminOnly: boolean;
}

const withKey = (scope: Scope): AccessRule => ({ credential: 'key', scope, adminOnly: false });

/** The rules by which hooks, body limits and the OpenAPI document are made. */
export const ACCESS_RULES: Readonly<Record<Access, AccessRule>> = {
  public: { credential: 'none', scope: null, adminOnly: false },
  'sign-in': { credential: 'originOnly', scope: null, adminOnly: false },
  session: { credential: 'session', scope: null, adminOnly: false },
  'own account': { credential: 'session', scope: null, adminOnly: false },
  'scope:scrape': withKey('scrape'),
  'scope:read': withKey('read'),
  'scope:jobs': withKey('jobs'),
  'scope:profiles': withKey('profiles'),
  'scope:profiles_export': withKey('profiles_export'),
  'link or scope:read': withKey('read'),
  'scope:admin': withKey('admin'),
  'role:admin': { ...withKey('admin'), adminOnly: true },
};

export interface RouteAccess {
  readonly access: Access;
  /** `optional`: the body may be left out instead of `{}`. */
  readonly body: 'none' | 'optional' | 'required';
  /** The route runs a scrape or reads a page, which needs a permit even with a session. */
  readonly needsPermit?: boolean;
  /** Limit of a body of lines, in bytes; absent: it is not accepted. */
  readonly linesLimit?: number;
}

/** Body limit of endpoints without a key, in bytes. Their bodies contain an e-mail address, a password or a token. */
const SMALL_BODY_LIMIT = 16_384;

/** The body limit of an endpoint, in bytes. */
export function bodyLimitOf(access: Access): number {
  return ACCESS_RULES[access].credential === 'key' ? BODY_LIMIT : SMALL_BODY_LIMIT;
}

type OnRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** For requests that do not count as in flight. */
const NO_PERMIT = null;
/** For endpoints that need no scope. */
const NO_SCOPE = null;

/**
 * The hook that checks the access to a route; null: the route is public.
 * @param isSignedLink whether the request has a signed link; throws a Refusal if the link is wrong
 */
export function accessHook(
  control: AdmissionControl,
  route: RouteAccess,
  isSignedLink: ((request: FastifyRequest) => boolean) | undefined,
): OnRequest | null {
  switch (ACCESS_RULES[route.access].credential) {
    case 'none':
      return null;
    case 'originOnly':
      return signInHook(control, route);
    case 'session':
      return sessionHook(control, route);
    case 'key':
      return isSignedLink === undefined
        ? admissionHook(control, route)
        : signedLinkHook(admissionHook(control, route), isSignedLink);
  }
}

function signedLinkHook(keyHook: OnRequest, isSignedLink: (request: FastifyRequest) => boolean): OnRequest {
  return async (request, reply) => {
    if (!isSignedLink(request)) return keyHook(request, reply);
    releaseOnClose(NO_PERMIT, request, reply);
  };
}

/** `Retry-After` in seconds for a caller at its limit: about the duration of a short scrape. */
const LIMIT_RETRY_AFTER_S = '1';

function admissionHook(control: AdmissionControl, route: RouteAccess): OnRequest {
  return async (request, reply) => {
    const admitting = admit(control, route, request, reply);
    if (admitting !== null) await admitting;
  };
}

/**
 * The checks of contract §8 before the body, in this order: key or session (401); origin, IP list, scope, user (403);
 * concurrency (429); media type and length of the body (415, 413). The permit is taken before the body is read. Throws or
 * rejects with a Refusal.
 * @returns null: admitted; a promise if `permits.take` returns one, or if the key is unknown in this process
 */
export function admit(
  control: AdmissionControl,
  route: RouteAccess,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | null {
  const unavailable = control.unavailable();
  if (unavailable !== null) throw unavailable;
  const authenticate = () => authenticateRequest(control, request);
  const caller = authenticate();
  if (mayBeOutdated(control.accounts, caller) || ACCESS_RULES[route.access].scope === 'admin')
    return currentCaller(control.accounts, authenticate).then(async (current) => {
      await admitCaller(control, route, request, reply, current);
    });
  return admitCaller(control, route, request, reply, caller);
}

/** Another process, such as the command line or a replica, may have created the key or session, or ended it. */
const mayBeOutdated = (accounts: Accounts, caller: { readonly failure: Failure | null }): boolean =>
  caller.failure?.code === 'auth.invalid' || !accounts.isCurrent();

/**
 * The caller, after reading what other processes have changed. Requests that change accounts find all of them so, too: a user or key
 * that was made elsewhere just now is not unknown. Rejects with a Refusal if it cannot be read and matters: nobody is admitted, or
 * refused, by chance.
 */
async function currentCaller<T extends { readonly failure: Failure | null }>(
  accounts: Accounts,
  authenticate: () => T,
): Promise<T> {
  const isCaughtUp = await accounts.catchUp();
  const caller = authenticate();
  if (!isCaughtUp && mayBeOutdated(accounts, caller)) throw new Refusal([KEYS_UNREADABLE]);
  return caller;
}

const KEYS_UNREADABLE = failure('service.storage', 'The keys cannot be read now, so nobody can be admitted.');

function admitCaller(
  control: AdmissionControl,
  route: RouteAccess,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: ActiveKey | ActiveSession | AuthenticationFailure,
): Promise<void> | null {
  if (caller.failure !== null) throw new Refusal([caller.failure]);
  const { principal } = caller;
  const bySession = principal.keyId === null;
  if (bySession) {
    refuseIf(originRefusal(control.origin, request));
    request.session = caller as ActiveSession;
  }
  const { scope, adminOnly } = ACCESS_RULES[route.access];
  refuseIf(authorise(caller, request.ip, scope, useOf(request)));
  if (adminOnly) refuseIf(requireAdmin(principal));
  request.principal = principal;
  const hasBody = route.body === 'required' || (route.body === 'optional' && !mayHaveNoBody(request.raw));
  const limit = hasBody ? BODY_LIMIT : null;
  if (bySession && route.needsPermit !== true) releaseOnClose(NO_PERMIT, request, reply);
  else {
    const taking = control.permits.take(permitRequest(principal));
    if (taking instanceof Promise)
      return taking.then((permit) => {
        holdPermit(permit, principal, request, reply);
        acceptBody(request, reply, limit, route.linesLimit);
      });
    holdPermit(taking, principal, request, reply);
  }
  acceptBody(request, reply, limit, route.linesLimit);
  return null;
}

const useOf = ({ method }: FastifyRequest): 'read' | 'change' =>
  method === 'GET' || method === 'HEAD' ? 'read' : 'change';

/** Who makes a change with this request, for the audit log. */
export const actorOf = (
  { userId, keyId, role }: Principal,
  { ip }: FastifyRequest,
): Actor & { readonly userId: string } => ({
  userId,
  keyId,
  role,
  address: ip,
});

/** The permit that a scrape of this caller needs. */
export const permitRequest = ({ userId, keyId, concurrency, keyConcurrency }: Principal): PermitRequest => ({
  userId,
  limit: concurrency,
  keyId,
  keyLimit: keyConcurrency,
});

/**
 * The key in the text of an `Authorization` field, for entries that accept no sessions.
 * @throws Refusal auth.*
 */
export async function authenticateKey(
  accounts: Accounts,
  authorization: string | undefined,
): Promise<ActiveKey> {
  const authenticate = () => accounts.authenticate(authorization);
  let caller = authenticate();
  if (mayBeOutdated(accounts, caller)) caller = await currentCaller(accounts, authenticate);
  if (caller.failure !== null) throw new Refusal([caller.failure]);
  return caller;
}

/** `X-API-Key: <key>` is the same as `Authorization: Api-Key <key>`. If the request has both a key and a session, the key is used. */
function authenticateRequest(
  { accounts }: AdmissionControl,
  { raw }: FastifyRequest,
): ActiveKey | ActiveSession | AuthenticationFailure {
  const { authorization, 'x-api-key': apiKey } = raw.headers;
  if (authorization === undefined && apiKey === undefined) {
    const token = sessionToken(raw.headers.cookie);
    return token === null ? accounts.authenticate(undefined) : accounts.authenticateSession(token);
  }
  // Node joins several `X-API-Key` fields with a comma and a blank, so that they are malformed, too.
  const named = apiKey === undefined ? null : `Api-Key ${apiKey as string}`;
  if (authorization === undefined) return accounts.authenticate(named!);
  // Several keys are refused, because a proxy in front may have checked another one than the service would use. The second
  // word makes the field malformed (`auth.malformed`).
  const hasSeveral =
    headerCount(raw, 'authorization') > 1 ||
    (named !== null && readAuthorization(named) !== readAuthorization(authorization));
  return accounts.authenticate(hasSeveral ? `${authorization}, another` : authorization);
}

/** Checks the headers of the body. @param limit in bytes; null: the endpoint takes no body */
function acceptBody(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number | null,
  linesLimit?: number,
): void {
  if (limit !== null) {
    const refusal = bodyRefusal(request, limit, linesLimit ?? null);
    if (refusal !== null) throw refusal;
  }
  // Only after all checks does the caller get 100 (Continue).
  if (request.raw.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
}

/** Sets the headers about the caller's limits, and keeps the permit until the request ends. @param permit null: the limit is reached */
function holdPermit(
  permit: Permit | null,
  { concurrency, keyConcurrency }: Principal,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const quota = Math.min(concurrency, keyConcurrency ?? concurrency);
  reply.header('ratelimit-policy', `"concurrency";q=${quota};qu="concurrent-requests"`);
  reply.header('ratelimit', `"concurrency";r=${permit === null ? 0 : permit.remaining}`);
  if (permit === null) throw limitRefusal({ concurrency, keyConcurrency });
  request.permit = permit;
  releaseOnClose(permit, request, reply);
}

/** Of a caller for whom there is no permit. */
export const limitRefusal = ({
  concurrency,
  keyConcurrency,
}: Pick<Principal, 'concurrency' | 'keyConcurrency'>): Refusal =>
  new Refusal(
    [
      failure(
        'limit.concurrency',
        keyConcurrency === null
          ? `${concurrency} requests of this user are running, which is the limit. Wait for one to finish.`
          : `${keyConcurrency} requests of this key or ${concurrency} of its user are running, which are the limits. Wait for one to finish.`,
      ),
    ],
    { headers: { 'retry-after': LIMIT_RETRY_AFTER_S } },
  );

const NO_SESSION = failure('auth.missing', 'There is no session. Sign in first.');

/** For endpoints about the session itself: keys are not accepted, and no permit is taken. */
function sessionHook(control: AdmissionControl, { access, body }: RouteAccess): OnRequest {
  return async (request, reply) => {
    beginSessionRoute(control, reply);
    const token = sessionToken(request.raw.headers.cookie);
    if (token === null) throw new Refusal([NO_SESSION]);
    const { accounts } = control;
    const caller = await currentCaller(accounts, () => accounts.authenticateSession(token));
    if (caller.failure !== null) {
      reply.header('set-cookie', expiredSessionCookie(isSecure(request, control.baseUrl())));
      throw new Refusal([caller.failure]);
    }
    refuseIf(originRefusal(control.origin, request));
    const use = access === 'own account' ? 'read' : useOf(request);
    refuseIf(authorise(caller, request.ip, NO_SCOPE, use));
    request.principal = caller.principal;
    request.session = caller;
    acceptBody(request, reply, body === 'none' ? null : SMALL_BODY_LIMIT);
  };
}

/** For endpoints that begin a session. */
function signInHook(control: AdmissionControl, { body }: RouteAccess): OnRequest {
  return async (request, reply) => {
    beginSessionRoute(control, reply);
    refuseIf(originRefusal(control.origin, request));
    // The user, the link or the second factor may have been made elsewhere just now.
    if (!(await control.accounts.catchUp())) throw new Refusal([KEYS_UNREADABLE]);
    acceptBody(request, reply, body === 'none' ? null : SMALL_BODY_LIMIT);
  };
}

function beginSessionRoute(control: AdmissionControl, reply: FastifyReply): void {
  reply.header('cache-control', 'no-store');
  const unavailable = control.unavailable();
  if (unavailable !== null) throw unavailable;
}
