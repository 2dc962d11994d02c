import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Accounts } from '../../account/accounts.ts';
import { type OpenIdSignIn, TICKET_MS } from '../../account/open-id-sign-in.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import { closed, textOrNull } from '../../domain/json-schema.ts';
import { SIGN_IN_REFUSALS, type SignInRefusal } from '../../domain/open-id.ts';
import { actorOf } from '../core/access.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal, unwrapAccountResult } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';
import { cookieValue, isSecure, sessionCookie } from '../core/session-cookie.ts';
import { basePathOf } from '../docs/dashboard-pages.ts';

const SingleSignOn = closed(
  {
    enabled: Type.Boolean({ description: 'Whether the operator has set a provider (`SLUICE_OIDC_ISSUER`).' }),
    name: textOrNull('Name of the provider; null: none is set.'),
  },
  { title: 'SingleSignOn' },
);

const PATH = '/api/v1/session/oidc/';
const COOKIE_NAME = 'sluice_oidc';
/** Longer ones would not fit into the cookie. */
const MAX_NEXT_LENGTH = 1_500;

const UNAVAILABLE = problem('Service temporarily unavailable: `service.*`. See `Retry-After`.');
const NOT_SET = problem('The operator has set no provider: `request.not_found`.');
const NO_PROVIDER: Failure = failure(
  'request.not_found',
  'The operator has set no OpenID provider (`SLUICE_OIDC_ISSUER`).',
);

function openIdOf({ openId }: Accounts): OpenIdSignIn {
  if (openId === null) throw new Refusal([NO_PROVIDER]);
  return openId;
}

/** A path of the dashboard. Everything else leads to the overview, so that no link can lead to another site. */
function dashboardPath(next: unknown): string {
  const ownOrigin = 'http://dashboard.invalid';
  const isShort = typeof next === 'string' && next.length <= MAX_NEXT_LENGTH;
  const url = isShort && next.startsWith('/') ? URL.parse(next, ownOrigin) : null;
  return url === null || url.origin !== ownOrigin ? '/' : url.pathname + url.search;
}

interface ReplyDeps {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly baseUrl: string;
}

/** `Set-Cookie` for the ticket. `Lax`: the provider leads back by a GET from its site. @param ticket empty: removes the cookie */
function ticketCookie(ticket: string, { request, baseUrl }: ReplyDeps): string {
  const maxAge = ticket === '' ? 0 : TICKET_MS / 1000;
  const secure = isSecure(request, baseUrl) ? '; Secure' : '';
  return `${COOKIE_NAME}=${ticket}; Path=${basePathOf(baseUrl)}${PATH}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** The sign-in page, which has a sentence for each error. */
function refusedUrl(baseUrl: string, error: SignInRefusal, next: string): string {
  const query = new URLSearchParams(next === '/' ? { error } : { error, next });
  return `${baseUrl}/sign-in?${query}`;
}

export const OPEN_ID = [
  endpoint({
    method: 'get',
    path: PATH,
    operationId: 'getSingleSignOn',
    summary: 'Get how to sign in by OpenID Connect',
    access: 'sign-in',
    ownResponsesOnly: true,
    responses: { 200: json('The provider.', SingleSignOn), 503: UNAVAILABLE },
    handler: (_call, { accounts: { openId } }) => ({ enabled: openId !== null, name: openId?.name ?? null }),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/session/oidc/start/',
    operationId: 'startSingleSignOn',
    summary: 'Sign in by OpenID Connect',
    description:
      'For browsers. Leads to the provider, and keeps what the second step needs in a cookie for 10 minutes.',
    access: 'sign-in',
    query: {
      parameters: {
        next: {
          description: 'Path of the dashboard to which the sign-in leads. Others lead to the overview.',
          schema: Type.String(),
        },
      },
    },
    ownResponsesOnly: true,
    responses: {
      302: nothing('To the provider, or to the sign-in page with `error`.'),
      404: NOT_SET,
      503: UNAVAILABLE,
    },
    handler: async ({ request, reply }, { accounts, baseUrl: baseUrlOf }) => {
      const baseUrl = baseUrlOf();
      const next = dashboardPath((request.query as { readonly next?: unknown }).next);
      const begun = await openIdOf(accounts).begin({ redirectUri: `${baseUrl}${PATH}callback/`, next });
      if ('refusal' in begun) return reply.redirect(refusedUrl(baseUrl, begun.refusal, next), 302);
      reply.header('set-cookie', ticketCookie(begun.ticket, { request, reply, baseUrl }));
      return reply.redirect(begun.url, 302);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/session/oidc/callback/',
    operationId: 'finishSingleSignOn',
    summary: 'The redirect URI of OpenID Connect',
    description: `For browsers that come from the provider. Sets the cookie \`sluice_session\`. \`error\` of the sign-in page is one of ${SIGN_IN_REFUSALS.map((code) => `\`${code}\``).join(', ')}.`,
    access: 'sign-in',
    query: {
      parameters: {
        code: { description: 'Of the provider.', schema: Type.String() },
        state: { description: 'Of the first step.', schema: Type.String() },
        error: { description: 'Of the provider, if it refuses.', schema: Type.String() },
      },
    },
    ownResponsesOnly: true,
    responses: {
      302: nothing('To the page that was requested, or to the sign-in page with `error`.'),
      404: NOT_SET,
      503: UNAVAILABLE,
    },
    handler: async ({ request, reply }, { accounts, baseUrl: baseUrlOf }) => {
      const baseUrl = baseUrlOf();
      const query = /\?(.*)$/s.exec(request.url)?.[1] ?? '';
      const outcome = await openIdOf(accounts).finish({
        // The redirect URI of the first step, whatever the request says of host and path.
        callbackUrl: new URL(`${baseUrl}${PATH}callback/?${query}`),
        ticket: cookieValue(request.headers.cookie, COOKIE_NAME),
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
      });
      const removed = ticketCookie('', { request, reply, baseUrl });
      if ('refusal' in outcome) {
        reply.header('set-cookie', removed);
        return reply.redirect(refusedUrl(baseUrl, outcome.refusal, outcome.next), 302);
      }
      const cookie = sessionCookie(outcome.session.token, isSecure(request, baseUrl));
      reply.header('set-cookie', [cookie, removed]);
      return reply.redirect(baseUrl + outcome.next, 302);
    },
  }),
];

export const IDENTITIES = [
  endpoint({
    method: 'delete',
    path: '/api/v1/users/{id}/identities/',
    operationId: 'removeIdentities',
    summary: 'Unlink a user from the OpenID provider',
    description:
      'The next sign-in by the provider with the verified address of the user links them again. Sessions go on.',
    access: 'role:admin',
    params: { id: { description: 'Id of the user.', schema: Type.String() } },
    responses: {
      204: nothing('The user is not linked.'),
      400: problem('The user is not linked: `request.validation`.'),
    },
    handler: async ({ principal, params, request }, { accounts }) => {
      unwrapAccountResult(await accounts.removeIdentities(actorOf(principal, request), params.id));
    },
  }),
];
