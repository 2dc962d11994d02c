import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../account/accounts.ts';
import { setUpUrl } from '../../account/sessions.ts';
import type { KeyRow } from '../../domain/account.ts';
import {
  keyObject,
  parseKeyCreate,
  parseKeyPatch,
  parseKeyRotate,
  parseUserCreate,
  parseUserPatch,
} from '../../wire/accounts.ts';
import { userLinkObject } from '../../wire/sessions.ts';
import { type AdmissionControl, admissionHook } from '../access.ts';
import { notFoundRefusal, unwrapManaged, unwrapParsed } from '../refusal.ts';
import type { ShowUser } from '../show-user.ts';

export interface AccountRouteParts {
  readonly gate: AdmissionControl;
  readonly accounts: Accounts;
  readonly showUser: ShowUser;
}

type ById = { Params: { id: string } };

/** Keys (one's own) and users (for administrators): contract §9. */
export function accountRoutes(app: FastifyInstance, { gate, accounts, showUser }: AccountRouteParts): void {
  const show = (row: KeyRow, key?: string) => {
    const { id } = row;
    return keyObject(row, { requests: accounts.requestsToday(id), cost: accounts.costToday(id) }, key);
  };
  const look = { onRequest: admissionHook(gate, { scope: 'admin' }) };
  const change = { onRequest: admissionHook(gate, { scope: 'admin', hasBody: true }) };

  app.get('/api/v1/keys', look, async (request) => {
    const actor = request.principal!;
    return { items: accounts.listKeys(actor, actor.userId).map((row) => show(row)) };
  });
  app.post('/api/v1/keys', change, async (request, reply) => {
    const ask = { ...unwrapParsed(parseKeyCreate(request.body)), userId: request.principal!.userId };
    const { row, key } = unwrapManaged(await accounts.createKey(request.principal!, ask));
    return secret(reply).code(201).send(show(row, key));
  });
  app.get<ById>('/api/v1/keys/:id', look, async (request) => show(ownKey(accounts, request)));
  app.patch<ById>('/api/v1/keys/:id', change, async (request) => {
    const { id } = ownKey(accounts, request);
    const ask = unwrapParsed(parseKeyPatch(request.body));
    return show(unwrapManaged(await accounts.updateKey(request.principal!, id, ask)));
  });
  app.delete<ById>('/api/v1/keys/:id', look, async (request, reply) => {
    const { id } = ownKey(accounts, request);
    if (!(await accounts.revokeKey(request.principal!, id))) throw notFoundRefusal('key');
    return reply.code(204).send();
  });
  const rotate = { onRequest: admissionHook(gate, { scope: 'admin', hasBody: 'optional' }) };
  app.post<ById>('/api/v1/keys/:id/rotate', rotate, async (request, reply) => {
    const { id } = ownKey(accounts, request);
    const { overlapHours } = unwrapParsed(parseKeyRotate(request.body ?? {}));
    const { row, key } = unwrapManaged(await accounts.rotateKey(request.principal!, id, overlapHours));
    return secret(reply).code(201).send(show(row, key));
  });

  const lookAdmin = { onRequest: admissionHook(gate, { scope: 'admin', adminOnly: true }) };
  const changeAdmin = { onRequest: admissionHook(gate, { scope: 'admin', adminOnly: true, hasBody: true }) };

  app.get('/api/v1/users', lookAdmin, async (request) => ({
    items: await Promise.all(accounts.listUsers(request.principal!).map(showUser)),
  }));
  app.post('/api/v1/users', changeAdmin, async (request, reply) => {
    const row = unwrapManaged(
      await accounts.createUser(request.principal!, unwrapParsed(parseUserCreate(request.body))),
    );
    return reply.code(201).send(await showUser(row));
  });
  app.get<ById>('/api/v1/users/:id', lookAdmin, async (request) => {
    const row = accounts.findUser(request.principal!, request.params.id);
    if (row === null) throw notFoundRefusal('user');
    return showUser(row);
  });
  app.patch<ById>('/api/v1/users/:id', changeAdmin, async (request) => {
    const ask = unwrapParsed(parseUserPatch(request.body));
    const row = unwrapManaged(await accounts.updateUser(request.principal!, request.params.id, ask));
    return showUser(row);
  });
  app.post<ById>('/api/v1/users/:id/link', lookAdmin, async (request, reply) => {
    const { token, expiresAt } = unwrapManaged(
      await accounts.sessions.createLink(request.principal!, request.params.id),
    );
    const url = setUpUrl(gate.baseUrl(), token);
    return secret(reply).code(201).send(userLinkObject({ url, expiresAt }));
  });
}

/** What is shown this once, nobody on the way may keep. */
const secret = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');

/** The key of the path, if it is the caller's own; revoked ones are only shown. */
function ownKey(accounts: Accounts, request: FastifyRequest<ById>) {
  const actor = request.principal!;
  const row = accounts.findKey(actor, request.params.id);
  if (row === null || row.userId !== actor.userId) throw notFoundRefusal('key');
  return row;
}
