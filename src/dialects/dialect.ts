import type { FastifyInstance } from 'fastify';
import type { Failure } from '../domain/failure.ts';
import type { CallApi } from '../ports/api.ts';

export interface DialectDeps {
  readonly callApi: CallApi;
  /** URL by which callers reach the service, without a slash at the end. */
  readonly baseUrl: () => string;
  /** An error that is thrown to refuse a request in the shape of our own API. */
  readonly refusal: (cause: Failure) => Error;
  /** Whether the operator has configured a language model. */
  readonly hasModel: boolean;
}

/**
 * Adds the routes of a dialect: each translates a request into calls of our API, and the replies into the shapes of the
 * other system.
 */
export type RegisterDialect = (app: FastifyInstance, deps: DialectDeps) => void;
