import { type TSchema, Type } from 'typebox';
import { Problem, ScrapeProblem } from '../answer/answer-schema.ts';
import type { Content, Operation } from './operation.ts';

export const json = (description: string, schema: TSchema, example?: unknown): Content => ({
  description,
  content: { 'application/json': schema },
  ...(example === undefined ? {} : { example }),
});

export const nothing = (description: string): Content => ({ description, content: {} });

export const problem = (description: string, schema: TSchema = Problem): Content => ({
  description,
  content: { 'application/problem+json': schema },
});

const either = Type.Union([Problem, ScrapeProblem]);

export const TOO_OFTEN: Content = problem('Too many attempts: `limit.sign_in`; see `Retry-After`.');

const AUTH = {
  '401': problem('No key or session, or not a good one: `auth.*`.'),
  '403': problem('The key or session may not do this: `auth.*`.'),
  '429': problem('More requests at once than the limit: `limit.concurrency`.'),
};
const SESSION = {
  '401': problem('No session, or it has ended: `auth.*`.'),
  '403': problem('`auth.disabled`, or `auth.origin` of what did not come from the dashboard.'),
};
const BODY = {
  '400': problem('`request.invalid_json`, or `request.validation` with a pointer for each error.'),
  '408': problem('The request came too slowly: `request.slow`.'),
  '413': problem('The body is larger than 5 MiB: `request.too_large`.'),
  '415': problem('Not `application/json`: `request.media_type`.'),
};
/** Of what is done without a session, to get one. */
export const SIGN_IN = {
  '401': problem('Not good: `auth.invalid`.'),
  '403': problem('`auth.disabled`, or `auth.origin` of what did not come from the dashboard.'),
  '429': TOO_OFTEN,
};
const SERVER = {
  '500': problem('A bug in the service: `service.internal`.'),
  '503': problem('Not now: `service.*`; see `Retry-After`.'),
};
const QUERY = { '400': problem('A parameter is unknown or wrong: `request.validation`.') };
const MISSING = { '404': problem('There is no such thing, or it is not yours: `request.not_found`.') };

/** The refusals that an operation can answer with, besides its own responses. */
export function refusals(kind: {
  readonly scope: Operation['scope'];
  readonly body?: boolean;
  readonly query?: boolean;
  readonly id?: boolean;
}): Readonly<Record<string, Content>> {
  return {
    ...(kind.query === true ? QUERY : {}),
    ...(kind.scope === null ? {} : kind.scope === 'session' ? SESSION : AUTH),
    ...(kind.body === true ? BODY : {}),
    ...(kind.id === true ? MISSING : {}),
    ...SERVER,
  };
}

/** Those of a scrape: after the checks every end is a scrape with a record. */
export const SCRAPE_REFUSALS: Readonly<Record<string, Content>> = {
  ...refusals({ scope: 'scrape', body: true }),
  '402': problem('The daily budget of the key is used up: `budget.exhausted`.'),
  '403': problem('`auth.*` and `policy.domain` before the scrape, `policy.*` as its end.', either),
  '422': problem('Nothing here can do this request; `candidates` says why.'),
  '500': problem('A bug in the service: `service.internal`.', either),
  '502': problem('No page came from the target: `dns.*`, `connect.*`, `tls.invalid`, …', ScrapeProblem),
  '503': problem('Not now: `service.*`; see `Retry-After`.', either),
  '504': problem('The time was up before there was a page: `timeout.*`.', ScrapeProblem),
};
