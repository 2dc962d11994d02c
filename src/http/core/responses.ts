import type { FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { Problem } from '../../wire/answer/answer-schema.ts';
import type { Access } from './access.ts';

/** A response as the OpenAPI document describes it. */
export interface ResponseSpec<
  Content extends Readonly<Record<string, TSchema>> = Readonly<Record<string, TSchema>>,
> {
  readonly description: string;
  /** Media type → schema; empty: no body. */
  readonly content: Content;
  /** Headers besides those that every response has. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>;
  readonly example?: unknown;
}

/** Status → response. */
export type Responses = Readonly<Record<number, ResponseSpec>>;

/** A JSON body. */
export const json = <S extends TSchema>(
  description: string,
  schema: S,
  rest: Pick<ResponseSpec, 'headers' | 'example'> = {},
): ResponseSpec<{ readonly 'application/json': S }> => ({
  description,
  content: { 'application/json': schema },
  ...rest,
});

/** A response without a body. */
export const nothing = (description: string): ResponseSpec<Readonly<Record<never, TSchema>>> => ({
  description,
  content: {},
});

/** A text body. @param types media types */
export const text = (description: string, ...types: readonly string[]): ResponseSpec => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, Type.String()])),
});

/** A binary body. @param types media types */
export const bytes = (description: string, ...types: readonly string[]): ResponseSpec => {
  const schema = Type.String({ contentMediaType: 'application/octet-stream' });
  return { description, content: Object.fromEntries(types.map((type) => [type, schema])) };
};

/** A body with problem details (RFC 9457). */
export const problem = (description: string, schema: TSchema = Problem): ResponseSpec => ({
  description,
  content: { 'application/problem+json': schema },
});

export const TOO_MANY_SIGN_INS = problem('Too many sign-in attempts: `limit.sign_in`. See `Retry-After`.');

const KEY_OR_SESSION: Responses = {
  401: problem('The API key or session is missing or not valid: `auth.*`.'),
  403: problem('The API key or session lacks permission: `auth.*`.'),
  429: problem('Too many concurrent requests: `limit.concurrency`. See `Retry-After`.'),
};
const NOT_FROM_DASHBOARD = problem(
  'The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`).',
);
const SESSION: Responses = {
  401: problem('The session is missing or has ended: `auth.*`.'),
  403: NOT_FROM_DASHBOARD,
};
const SIGN_IN: Responses = {
  401: problem('The credentials or the link are not valid: `auth.invalid`.'),
  403: NOT_FROM_DASHBOARD,
  429: TOO_MANY_SIGN_INS,
};
const BODY: Responses = {
  400: problem(
    'The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error.',
  ),
  408: problem('The request took too long to arrive: `request.slow`.'),
  413: problem('The body is larger than 5 MiB: `request.too_large`.'),
  415: problem('The body is not `application/json`: `request.media_type`.'),
};
const QUERY: Responses = {
  400: problem('A query parameter is unknown or not valid: `request.validation`.'),
};
const MISSING: Responses = { 404: problem('Not found, or not yours: `request.not_found`.') };
const SERVER: Responses = {
  500: problem(
    'A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`.',
  ),
  503: problem('Service temporarily unavailable: `service.*`. See `Retry-After`.'),
};

function accessRefusals(access: Access): Responses {
  switch (access) {
    case 'public':
      return {};
    case 'sign-in':
      return SIGN_IN;
    case 'session':
    case 'own account':
      return SESSION;
    default:
      return KEY_OR_SESSION;
  }
}

/** The refusals that are possible because of the checks of an endpoint. */
export const derivedRefusals = (checks: {
  readonly access: Access;
  readonly readsBody: boolean;
  readonly readsQuery: boolean;
  /** The path contains an id or name of something that may not exist. */
  readonly hasPathParameter: boolean;
}): Responses => ({
  ...accessRefusals(checks.access),
  ...(checks.readsQuery ? QUERY : {}),
  ...(checks.readsBody ? BODY : {}),
  ...(checks.hasPathParameter ? MISSING : {}),
  ...SERVER,
});

/** For responses with a secret: no cache may store them. */
export const forbidStoring = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');
