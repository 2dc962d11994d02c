import assert from 'node:assert/strict';
import { SCOPES } from '../../src/domain/account.ts';
import type { ServiceApi } from './service.ts';
import { newUser, PASSWORD, signIn } from './visitor.ts';

/** A user of a service under test. */
export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** An API key of theirs. */
  readonly key: string;
}

/**
 * Creates a user with a password and a key through the API. A process of the command line would take a second and a half of
 * processor time for each.
 * @param members others than the default: `email`, `role`, `concurrency` and so on, as in `POST /api/v1/users/`
 */
export async function createUser(
  service: ServiceApi,
  members: Record<string, unknown> = {},
): Promise<TestUser> {
  const { id, email } = await newUser(service, members);
  const visitor = await signIn(service, email);
  // Only administrators may have the scope `admin`.
  const body = { name: 'by hand', ...(members.role === 'admin' ? { scopes: SCOPES } : {}) };
  const made = await visitor.call<{ key: string }>('POST', '/api/v1/keys/', { body });
  assert.equal(made.status, 201, made.text);
  return { id, email, password: PASSWORD, key: made.body.key };
}
