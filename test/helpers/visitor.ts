import assert from 'node:assert/strict';
import type { ApiOptions, Reply } from './client.ts';
import type { Service } from './service.ts';
import type { SessionObject, UserObject } from './wire-types.ts';

export const PASSWORD = 'correct horse battery';
const SESSION = '/api/v1/session/';

/** A browser that is signed in. */
export interface Visitor {
  /** As the `Cookie` header has it: `sluice_session=…`. */
  readonly cookie: string;
  readonly session: SessionObject;
  /** A call as a page of ours makes it: with the cookie, and our own Origin. */
  call<T = unknown>(method: string, path: string, options?: ApiOptions): Promise<Reply<T>>;
}

/** The cookie that an answer sets, as a browser sends it back; null: it sets none. */
export function cookieOf({ headers }: Pick<Reply<unknown>, 'headers'>): string | null {
  return headers.getSetCookie()[0]?.split(';')[0] ?? null;
}

/** What a page of ours asks without a session. */
export function visit<T = unknown>(
  service: Service,
  method: string,
  path: string,
  { headers, ...rest }: ApiOptions = {},
): Promise<Reply<T>> {
  return service.api<T>(method, path, { key: null, headers: { origin: service.base, ...headers }, ...rest });
}

export function visitorOf(service: Service, reply: Reply<SessionObject>): Visitor {
  assert.equal(reply.status, 201, reply.text);
  const cookie = cookieOf(reply) ?? assert.fail('no cookie');
  return {
    cookie,
    session: reply.body,
    call: (method, path, { headers, ...rest } = {}) =>
      visit(service, method, path, { headers: { cookie, ...headers }, ...rest }),
  };
}

export async function signIn(service: Service, email: string, password = PASSWORD): Promise<Visitor> {
  return visitorOf(service, await visit(service, 'POST', SESSION, { body: { email, password } }));
}

let count = 0;

/** A new user with `PASSWORD`. */
export async function newUser(service: Service, members: Record<string, unknown> = {}): Promise<UserObject> {
  const body = { email: `user${++count}@example.com`, password: PASSWORD, ...members };
  const reply = await service.api<UserObject>('POST', '/api/v1/users/', { body });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}
