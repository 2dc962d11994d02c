import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Accounts } from '../../account/accounts.ts';
import type { Managed } from '../../account/managed.ts';
import { failure } from '../../domain/failure.ts';
import { keyObject, userObject } from '../../wire/account/account-json.ts';
import {
  type Parsed,
  parseKeyCreate,
  parseKeyPatch,
  parseKeyRotate,
  parseUserCreate,
  parseUserPatch,
} from '../../wire/account/parse-account.ts';
import { admission, type Gate } from '../admission.ts';
import { Refusal } from '../problem.ts';

export interface AccountRouteParts {
  readonly gate: Gate;
  readonly accounts: Accounts;
  /** Of users without a number of their own. */
  readonly defaultConcurrency: number;
}

type ById = { Params: { id: string } };

/** Keys (one's own) and users (for administrators): contract §9. */
export function accountRoutes(
  app: FastifyInstance,
  { gate, accounts, defaultConcurrency }: AccountRouteParts,
): void {
  const look = { onRequest: admission(gate, { scope: 'admin' }) };
  const change = { onRequest: admission(gate, { scope: 'admin', hasBody: true }) };

  app.get('/api/v1/keys', look, async (request) => {
    const actor = request.principal!;
    return { items: accounts.listKeys(actor, actor.userId).map((row) => keyObject(row)) };
  });
  app.post('/api/v1/keys', change, async (request, reply) => {
    const ask = { ...given(parseKeyCreate(request.body)), userId: request.principal!.userId };
    const { row, key } = managed(await accounts.createKey(request.principal!, ask));
    return reply.code(201).send(keyObject(row, key));
  });
  app.get<ById>('/api/v1/keys/:id', look, async (request) => keyObject(ownKey(accounts, request)));
  app.patch<ById>('/api/v1/keys/:id', change, async (request) => {
    const { id } = ownKey(accounts, request);
    const ask = given(parseKeyPatch(request.body));
    return keyObject(managed(await accounts.updateKey(request.principal!, id, ask)));
  });
  app.delete<ById>('/api/v1/keys/:id', look, async (request, reply) => {
    const { id } = ownKey(accounts, request);
    if (!(await accounts.revokeKey(request.principal!, id))) throw noSuch('key');
    return reply.code(204).send();
  });
  app.post<ById>('/api/v1/keys/:id/rotate', change, async (request, reply) => {
    const { id } = ownKey(accounts, request);
    const { overlapHours } = given(parseKeyRotate(request.body));
    const { row, key } = managed(await accounts.rotateKey(request.principal!, id, overlapHours));
    return reply.code(201).send(keyObject(row, key));
  });

  const lookAdmin = { onRequest: admission(gate, { scope: 'admin', adminOnly: true }) };
  const changeAdmin = { onRequest: admission(gate, { scope: 'admin', adminOnly: true, hasBody: true }) };

  app.get('/api/v1/users', lookAdmin, async (request) => ({
    items: accounts.listUsers(request.principal!).map((row) => userObject(row, defaultConcurrency)),
  }));
  app.post('/api/v1/users', changeAdmin, async (request, reply) => {
    const row = managed(await accounts.createUser(request.principal!, given(parseUserCreate(request.body))));
    return reply.code(201).send(userObject(row, defaultConcurrency));
  });
  app.get<ById>('/api/v1/users/:id', lookAdmin, async (request) => {
    const row = accounts.findUser(request.principal!, request.params.id);
    if (row === null) throw noSuch('user');
    return userObject(row, defaultConcurrency);
  });
  app.patch<ById>('/api/v1/users/:id', changeAdmin, async (request) => {
    const ask = given(parseUserPatch(request.body));
    const row = managed(await accounts.updateUser(request.principal!, request.params.id, ask));
    return userObject(row, defaultConcurrency);
  });
}

function given<T>(parsed: Parsed<T>): T {
  if (parsed.problems !== null) throw new Refusal(parsed.problems);
  return parsed.value;
}

function managed<T>(done: Managed<T>): T {
  if (done.failures !== null) throw new Refusal(done.failures);
  return done.value;
}

/** The key of the path, if it is the caller's own; revoked ones are only shown. */
function ownKey(accounts: Accounts, request: FastifyRequest<ById>) {
  const actor = request.principal!;
  const row = accounts.findKey(actor, request.params.id);
  if (row === null || row.userId !== actor.userId) throw noSuch('key');
  return row;
}

const noSuch = (what: 'key' | 'user'): Refusal =>
  new Refusal([failure('request.not_found', `There is no such ${what}, or it is not yours.`)]);
