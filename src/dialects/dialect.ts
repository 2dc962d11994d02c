import type { FastifyInstance } from 'fastify';
import type { DialectName } from '../domain/dialects.ts';
import type { CallApi } from '../ports/api.ts';
import { registerFirecrawl } from './firecrawl/register.ts';
import { registerScrapingBee } from './scrapingbee/register.ts';
import { registerZyte } from './zyte/register.ts';

export interface DialectDeps {
  readonly callApi: CallApi;
  /** URL by which callers reach the service, without a slash at the end. */
  readonly baseUrl: () => string;
}

/**
 * Adds the routes of a dialect: each translates a request into calls of our API, and the replies into the shapes of the
 * other system.
 */
export type RegisterDialect = (app: FastifyInstance, deps: DialectDeps) => void;

export const DIALECTS: Readonly<Record<DialectName, RegisterDialect>> = {
  firecrawl: registerFirecrawl,
  scrapingbee: registerScrapingBee,
  zyte: registerZyte,
};
