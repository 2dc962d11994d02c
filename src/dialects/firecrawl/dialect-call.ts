import type { ApiCall } from '../../ports/api.ts';
import type { DialectDeps } from '../dialect.ts';
import type { Caller } from './caller.ts';

/** A request to the dialect. */
export interface DialectCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly caller: Caller;
  readonly deps: Pick<DialectDeps, 'baseUrl' | 'hasModel'>;
  /** The header `Idempotency-Key`, if the caller sent `x-idempotency-key`. */
  readonly idempotency: NonNullable<ApiCall['headers']>;
}
