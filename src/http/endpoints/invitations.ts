import { Type } from 'typebox';
import type { Invitation, SentInvitation } from '../../account/invitations.ts';
import { setUpUrl } from '../../account/set-up-links.ts';
import { closed, dateTime, dateTimeOrNull, textOrNull } from '../../domain/json-schema.ts';
import type { Mailer } from '../../ports/mail.ts';
import { formatDateTime, formatDateTimeOrNull } from '../../wire/date-time.ts';
import { actorOf } from '../core/access.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { unwrapAccountResult } from '../core/refusal.ts';
import { forbidStoring, json, nothing } from '../core/responses.ts';
import { Email, RoleName } from '../operations/user-object.ts';

const InvitationCreate = closed(
  { email: Email, role: Type.Optional(RoleName) },
  { title: 'InvitationCreate' },
);
const MEMBERS = {
  id: Type.String({ format: 'uuid', description: 'Also the id of the user.' }),
  email: Type.String(),
  role: RoleName,
  state: Type.Enum(['pending', 'expired'], { description: '`expired`: no link works. Send it again.' }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: dateTimeOrNull(
    'When the link stops working, or stopped; null: there is none, or it expired more than 30 days ago.',
  ),
};
const InvitationEntry = closed(MEMBERS, { title: 'Invitation' });
const InvitationList = closed(
  {
    items: Type.Array(InvitationEntry),
    has_mail_server: Type.Boolean({ description: 'Whether invitations are mailed (`SLUICE_SMTP_URL`).' }),
  },
  { title: 'InvitationList' },
);
const SentInvitationEntry = closed(
  {
    ...MEMBERS,
    expires_at: dateTime('When the link stops working.'),
    url: Type.String({
      description: 'Link that sets the password of the user. Works once. Shown only once.',
    }),
    mailed: Type.Boolean({ description: 'Whether the mail server has accepted the mail with the link.' }),
    mail_error: textOrNull(
      'Why it was not mailed; null: it was, or no mail server is set (`SLUICE_SMTP_URL`).',
    ),
  },
  { title: 'SentInvitation' },
);

function invitationObject({ user, expiresAt, isPending }: Invitation) {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    state: isPending ? ('pending' as const) : ('expired' as const),
    created_at: formatDateTime(user.createdAt),
    expires_at: formatDateTimeOrNull(expiresAt),
  };
}

interface SendDeps {
  readonly mailer: Mailer | null;
  readonly baseUrl: () => string;
}

const MAIL_MS = 15_000;

/** Mails the link if there is a mail server. If that fails, the administrator can still pass on the link. */
async function send(invitation: SentInvitation, { mailer, baseUrl }: SendDeps) {
  const { token, expiresAt } = invitation.link;
  const url = setUpUrl(baseUrl(), token);
  const message = {
    to: [invitation.user.email],
    subject: 'Invitation to Sluice',
    text: `You are invited to use Sluice at ${baseUrl()}.\n\nSet your password with this link:\n${url}\n\nThe link works once, until ${formatDateTime(expiresAt)}. If you do not know this service, ignore this message.\n`,
  };
  const problem = mailer === null ? null : await mailer.send(message, AbortSignal.timeout(MAIL_MS));
  return {
    ...invitationObject(invitation),
    expires_at: formatDateTime(expiresAt),
    url,
    mailed: mailer !== null && problem === null,
    mail_error: problem?.message ?? null,
  };
}

const INVITATION_ID = { id: { description: 'Id of the invitation.', schema: Type.String() } };

export const INVITATIONS = [
  endpoint({
    method: 'get',
    path: '/api/v1/invitations/',
    operationId: 'listInvitations',
    summary: 'List invitations',
    description:
      'The users who have not set a password yet and have no API key. They are also in the list of users.',
    access: 'role:admin',
    responses: { 200: json('The invitations, the oldest first.', InvitationList) },
    handler: ({ principal }, { accounts: { invitations }, mailer }) => ({
      items: invitations.list(principal).map(invitationObject),
      has_mail_server: mailer !== null,
    }),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/invitations/',
    operationId: 'invite',
    summary: 'Invite somebody',
    description:
      'Creates the user, and a link that sets the password. It works once, for 7 days. With `SLUICE_SMTP_URL` it is mailed.',
    access: 'role:admin',
    body: jsonBody(InvitationCreate, { examples: { minimal: { email: 'ada@example.com' } } }),
    responses: { 201: json('The invitation with the link.', SentInvitationEntry) },
    handler: async ({ principal, body, request, reply }, { accounts: { invitations }, mailer, baseUrl }) => {
      const invited = await invitations.invite(actorOf(principal, request), body);
      forbidStoring(reply);
      return send(unwrapAccountResult(invited), { mailer, baseUrl });
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/invitations/{id}/resend/',
    operationId: 'resendInvitation',
    summary: 'Send an invitation again',
    description: 'Creates a new link for 7 days. The earlier link stops working.',
    access: 'role:admin',
    params: INVITATION_ID,
    responses: { 201: json('The invitation with the new link.', SentInvitationEntry) },
    handler: async (
      { principal, params, request, reply },
      { accounts: { invitations }, mailer, baseUrl },
    ) => {
      const sent = await invitations.resend(actorOf(principal, request), params.id);
      forbidStoring(reply);
      return send(unwrapAccountResult(sent), { mailer, baseUrl });
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/invitations/{id}/',
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'The link stops working, and the user is deleted.',
    access: 'role:admin',
    params: INVITATION_ID,
    responses: { 204: nothing('The invitation is revoked.') },
    handler: async ({ principal, params, request }, { accounts: { invitations } }) => {
      unwrapAccountResult(await invitations.revoke(actorOf(principal, request), params.id));
    },
  }),
];
