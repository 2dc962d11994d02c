import { Type } from 'typebox';
import {
  ApiKey,
  ApiKeyCreate,
  ApiKeyList,
  ApiKeyPatch,
  ApiKeyRotate,
  CreatedApiKey,
  User,
  UserCreate,
  UserLink,
  UserList,
  UserPatch,
} from '../accounts.ts';
import type { Operation, Parameter } from './operation.ts';
import { json, nothing, problem, refusals } from './responses.ts';

const id = (description: string): Parameter => ({
  name: 'id',
  in: 'path',
  description,
  schema: Type.String(),
});
const KEY_ID = [id('Id of the key.')];
const USER_ID = [id('Id of the user.')];

const LIST = refusals({ scope: 'admin' });
const CREATE = refusals({ scope: 'admin', body: true });
const ONE = refusals({ scope: 'admin', id: true });
const CHANGE = refusals({ scope: 'admin', id: true, body: true });

type Rest = Omit<Operation, 'tag' | 'scope'>;
const keys = (rest: Rest): Operation => ({ ...rest, tag: 'Keys', scope: 'admin' });
const users = (rest: Rest): Operation => ({ ...rest, tag: 'Users', scope: 'admin' });

export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  keys({
    method: 'get',
    path: '/api/v1/keys/',
    operationId: 'listKeys',
    summary: 'List keys',
    responses: { '200': json('The keys.', ApiKeyList), ...LIST },
  }),
  keys({
    method: 'post',
    path: '/api/v1/keys/',
    operationId: 'createKey',
    summary: 'Create a key',
    request: { schema: ApiKeyCreate, required: true, examples: { minimal: { name: 'production' } } },
    responses: { '201': json('The key. Shown only once.', CreatedApiKey), ...CREATE },
  }),
  keys({
    method: 'get',
    path: '/api/v1/keys/{id}/',
    operationId: 'getKey',
    summary: 'Get a key',
    parameters: KEY_ID,
    responses: { '200': json('The key.', ApiKey), ...ONE },
  }),
  keys({
    method: 'patch',
    path: '/api/v1/keys/{id}/',
    operationId: 'changeKey',
    summary: 'Change a key',
    parameters: KEY_ID,
    request: { schema: ApiKeyPatch, required: true, examples: { limit: { concurrency: 10 } } },
    responses: { '200': json('The key.', ApiKey), ...CHANGE },
  }),
  keys({
    method: 'delete',
    path: '/api/v1/keys/{id}/',
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    parameters: KEY_ID,
    responses: { '204': nothing('Revoked.'), ...ONE },
  }),
  keys({
    method: 'post',
    path: '/api/v1/keys/{id}/rotate/',
    operationId: 'rotateKey',
    summary: 'Replace a key with a new one',
    parameters: KEY_ID,
    request: { schema: ApiKeyRotate, required: false, examples: { overlap: { overlap_hours: 1 } } },
    responses: { '201': json('The new key. Shown only once.', CreatedApiKey), ...CHANGE },
  }),
  users({
    method: 'get',
    path: '/api/v1/users/',
    operationId: 'listUsers',
    summary: 'List users',
    responses: { '200': json('The users.', UserList), ...LIST },
  }),
  users({
    method: 'post',
    path: '/api/v1/users/',
    operationId: 'createUser',
    summary: 'Create a user',
    request: { schema: UserCreate, required: true, examples: { minimal: { email: 'ada@example.com' } } },
    responses: { '201': json('The user.', User), ...CREATE },
  }),
  users({
    method: 'get',
    path: '/api/v1/users/{id}/',
    operationId: 'getUser',
    summary: 'Get a user',
    parameters: USER_ID,
    responses: { '200': json('The user.', User), ...ONE },
  }),
  users({
    method: 'patch',
    path: '/api/v1/users/{id}/',
    operationId: 'changeUser',
    summary: 'Change a user',
    parameters: USER_ID,
    request: { schema: UserPatch, required: true, examples: { limit: { concurrency: 100 } } },
    responses: { '200': json('The user.', User), ...CHANGE },
  }),
  users({
    method: 'post',
    path: '/api/v1/users/{id}/link/',
    operationId: 'createUserLink',
    summary: 'Create a link that sets the password of a user',
    description: 'The link works once and expires after 24 hours. Earlier links stop working.',
    parameters: USER_ID,
    responses: {
      '201': json('The link. Shown only once.', UserLink),
      '400': problem('The user is disabled: `request.validation`.'),
      ...ONE,
    },
  }),
];
