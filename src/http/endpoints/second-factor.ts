import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { OwnActor } from '../../account/sessions.ts';
import type { Principal } from '../../domain/account.ts';
import { closed, dateTimeOrNull } from '../../domain/json-schema.ts';
import { formatDateTimeOrNull } from '../../wire/date-time.ts';
import { actorOf } from '../core/access.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { unwrapAccountResult } from '../core/refusal.ts';
import { forbidStoring, json, nothing, TOO_MANY_SIGN_INS } from '../core/responses.ts';
import { Code, CurrentPassword } from '../operations/user-object.ts';

const SecondFactor = closed(
  {
    enabled_at: dateTimeOrNull('null: it is off.'),
    recovery_codes_left: Type.Integer(),
  },
  { title: 'SecondFactor' },
);
const Enrolment = closed(
  {
    secret: Type.String({ description: 'For the authenticator app, in base32.' }),
    uri: Type.String({ description: 'The same for a QR code: `otpauth://…`.' }),
  },
  { title: 'SecondFactorEnrolment' },
);
const RecoveryCodes = closed(
  { recovery_codes: Type.Array(Type.String(), { description: 'Shown only once. Each works once.' }) },
  { title: 'RecoveryCodes' },
);
const EnrolBody = closed({ password: CurrentPassword }, { title: 'SecondFactorEnrol' });
const ConfirmBody = closed({ code: Code }, { title: 'SecondFactorConfirm' });
const DisableBody = closed({ password: CurrentPassword, code: Code }, { title: 'SecondFactorDisable' });

const ownActor = (principal: Principal, request: FastifyRequest): OwnActor => ({
  ...actorOf(principal, request),
  userId: principal.userId,
  address: request.ip,
});

const PASSWORD = 'correct horse battery';

export const SECOND_FACTOR = [
  endpoint({
    method: 'get',
    path: '/api/v1/session/second-factor/',
    operationId: 'getSecondFactor',
    summary: 'Get the state of your second factor',
    access: 'own account',
    responses: { 200: json('The state.', SecondFactor) },
    handler: async ({ principal }, { accounts: { sessions } }) => {
      const { enabledAt, recoveryCodesLeft } = await sessions.secondFactor(principal.userId);
      return { enabled_at: formatDateTimeOrNull(enabledAt), recovery_codes_left: recoveryCodesLeft };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/session/second-factor/',
    operationId: 'enrolSecondFactor',
    summary: 'Begin to add an authenticator app',
    description:
      'Codes are those of RFC 6238: SHA-1, 6 digits, 30 s. It counts only when a code has confirmed it.',
    access: 'own account',
    body: jsonBody(EnrolBody, { examples: { enrol: { password: PASSWORD } } }),
    responses: { 201: json('The secret. Shown only once.', Enrolment), 429: TOO_MANY_SIGN_INS },
    handler: async ({ principal, body, request, reply }, { accounts: { sessions } }) => {
      forbidStoring(reply);
      return unwrapAccountResult(await sessions.enrolSecondFactor(ownActor(principal, request), body));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/session/second-factor/confirm/',
    operationId: 'confirmSecondFactor',
    summary: 'Turn the second factor on',
    access: 'own account',
    body: jsonBody(ConfirmBody, { examples: { confirm: { code: '123456' } } }),
    responses: { 200: json('The recovery codes.', RecoveryCodes) },
    handler: async ({ principal, body, request, reply }, { accounts: { sessions } }) => {
      forbidStoring(reply);
      const actor = ownActor(principal, request);
      const codes = unwrapAccountResult(await sessions.confirmSecondFactor(actor, body.code));
      return { recovery_codes: [...codes] };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/session/second-factor/disable/',
    operationId: 'disableSecondFactor',
    summary: 'Turn the second factor off',
    access: 'own account',
    body: jsonBody(DisableBody, { examples: { disable: { password: PASSWORD, code: '123456' } } }),
    responses: { 204: nothing('Sign-in asks only for the password.'), 429: TOO_MANY_SIGN_INS },
    handler: async ({ principal, body, request }, { accounts: { sessions } }) => {
      unwrapAccountResult(await sessions.disableSecondFactor(ownActor(principal, request), body));
    },
  }),
];
