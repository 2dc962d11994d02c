import { type TSchema, Type } from 'typebox';
import { Problem, ScrapeProblem } from '../answer/answer-schema.ts';
import type { Operation, ResponseObject } from './operation.ts';

export const json = (description: string, schema: TSchema, example?: unknown): ResponseObject => ({
  description,
  content: { 'application/json': schema },
  ...(example === undefined ? {} : { example }),
});

export const nothing = (description: string): ResponseObject => ({ description, content: {} });

export const problem = (description: string, schema: TSchema = Problem): ResponseObject => ({
  description,
  content: { 'application/problem+json': schema },
});

const either = Type.Union([Problem, ScrapeProblem]);

export const TOO_OFTEN: ResponseObject = problem(
  'Too many sign-in attempts: `limit.sign_in`. See `Retry-After`.',
);

const AUTH = {
  '401': problem('The API key or session is missing or not valid: `auth.*`.'),
  '403': problem('The API key or session lacks permission: `auth.*`.'),
  '429': problem('Too many concurrent requests: `limit.concurrency`. See `Retry-After`.'),
};
const SESSION = {
  '401': problem('The session is missing or has ended: `auth.*`.'),
  '403': problem(
    'The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`).',
  ),
};
const BODY = {
  '400': problem(
    'The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error.',
  ),
  '408': problem('The request took too long to arrive: `request.slow`.'),
  '413': problem('The body is larger than 5 MiB: `request.too_large`.'),
  '415': problem('The body is not `application/json`: `request.media_type`.'),
};
/** Of what is done without a session, to get one. */
export const SIGN_IN = {
  '401': problem('The credentials or the link are not valid: `auth.invalid`.'),
  '403': problem(
    'The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`).',
  ),
  '429': TOO_OFTEN,
};
const SERVER = {
  '500': problem('A bug in the service: `service.internal`.'),
  '503': problem('Service temporarily unavailable: `service.*`. See `Retry-After`.'),
};
const QUERY = { '400': problem('A query parameter is unknown or not valid: `request.validation`.') };
const MISSING = { '404': problem('Not found, or not yours: `request.not_found`.') };

/** The refusals that an operation can answer with, besides its own responses. */
export function refusals(kind: {
  readonly scope: Operation['scope'];
  readonly body?: boolean;
  readonly query?: boolean;
  readonly id?: boolean;
}): Readonly<Record<string, ResponseObject>> {
  return {
    ...(kind.query === true ? QUERY : {}),
    ...(kind.scope === null ? {} : kind.scope === 'session' ? SESSION : AUTH),
    ...(kind.body === true ? BODY : {}),
    ...(kind.id === true ? MISSING : {}),
    ...SERVER,
  };
}

/** Those of a scrape: after the checks every end is a scrape with a record. */
export const SCRAPE_REFUSALS: Readonly<Record<string, ResponseObject>> = {
  ...refusals({ scope: 'scrape', body: true }),
  '402': problem('The daily budget of the key is used up: `budget.exhausted`.'),
  '403': problem('Not allowed: `auth.*` or `policy.*`.', either),
  '422': problem(
    'No scraper and proxy can do this request; `candidates` says why. Or a browser did not take a cookie or the storage state.',
    either,
  ),
  '500': problem('A bug in the service: `service.internal`.', either),
  '502': problem('The target did not return a page: `dns.*`, `connect.*`, `tls.invalid`, …', ScrapeProblem),
  '503': problem('Service temporarily unavailable: `service.*`. See `Retry-After`.', either),
  '504': problem('Timed out without a page: `timeout.*`.', ScrapeProblem),
};
