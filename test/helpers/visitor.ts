import assert from 'node:assert/strict';
import type { ApiOptions, Reply } from './client.ts';
import type { ServiceApi } from './service.ts';
import type { SessionObject, UserObject } from './wire-types.ts';

export const PASSWORD = 'correct horse battery';
const SESSION = '/api/v1/session/';

/** A signed-in user of the dashboard. */
export interface Visitor {
  /** Value of the `Cookie` header: `sluice_session=…`. */
  readonly cookie: string;
  readonly session: SessionObject;
  /** Calls the API as the dashboard does: with the cookie and the service's `Origin`. */
  call<T = unknown>(method: string, path: string, options?: ApiOptions): Promise<Reply<T>>;
}

/** The `Cookie` header for the cookie that a response sets; null: it sets none. */
export function cookieOf({ headers }: Pick<Reply<unknown>, 'headers'>): string | null {
  return headers.getSetCookie()[0]?.split(';')[0] ?? null;
}

/** Calls the API as the dashboard does before the user has signed in. */
export function visit<T = unknown>(
  service: ServiceApi,
  method: string,
  path: string,
  { headers, ...rest }: ApiOptions = {},
): Promise<Reply<T>> {
  return service.api<T>(method, path, { key: null, headers: { origin: service.base, ...headers }, ...rest });
}

/** The visitor whom this response to a sign-in has signed in. */
export function visitorOf(service: ServiceApi, reply: Reply<SessionObject>): Visitor {
  assert.equal(reply.status, 201, reply.text);
  const cookie = cookieOf(reply) ?? assert.fail('no cookie');
  return {
    cookie,
    session: reply.body,
    call: (method, path, { headers, ...rest } = {}) =>
      visit(service, method, path, { headers: { cookie, ...headers }, ...rest }),
  };
}

export async function signIn(service: ServiceApi, email: string, password = PASSWORD): Promise<Visitor> {
  return visitorOf(service, await visit(service, 'POST', SESSION, { body: { email, password } }));
}

let count = 0;

/** Creates a user with `PASSWORD`. */
export async function newUser(
  service: ServiceApi,
  members: Record<string, unknown> = {},
): Promise<UserObject> {
  const body = { email: `user${++count}@example.com`, password: PASSWORD, ...members };
  const reply = await service.api<UserObject>('POST', '/api/v1/users/', { body });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const ALL_OF_PROFILES = ['scrape', 'read', 'jobs', 'profiles', 'profiles_export'];

/** A key of a new user; by default for profiles, also for the export of their values. */
export async function profileKey(
  service: ServiceApi,
  scopes: readonly string[] = ALL_OF_PROFILES,
): Promise<string> {
  const visitor = await signIn(service, (await newUser(service)).email);
  const body = { name: 'profiles', scopes };
  const made = await visitor.call<{ readonly key: string }>('POST', '/api/v1/keys/', { body });
  assert.equal(made.status, 201, made.text);
  return made.body.key;
}

/** The bytes of a secret in base32 (RFC 4648 §6), as authenticator apps show it. */
export function base32Bytes(text: string): Buffer {
  const bits = [...text]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}
