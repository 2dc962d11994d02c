import { Type } from 'typebox';
import type { Principal } from '../../domain/account.ts';
import { isFailure } from '../../domain/failure.ts';
import { closed, orNull, textOrNull } from '../../domain/json-schema.ts';
import { DELIVERY_STATES, type DeliveryRow, type WebhookMembers } from '../../domain/webhooks.ts';
import { messageId, openWebhook, readMessageId, shownUrl } from '../../webhooks/webhook-spec.ts';
import type { WebhookSecrets } from '../../webhooks/webhooks.ts';
import { formatDateTimeOrNull } from '../../wire/date-time.ts';
import { maskWebhook } from '../../wire/request/masked-request.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import { DeliveryObject, deliveryObject } from '../../wire/webhooks/delivery-json.ts';
import { readWebhook, type WebhookBody, WebhookSchema } from '../../wire/webhooks/webhook-schema.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';
import { forbidStoring, json, nothing, problem } from '../core/responses.ts';
import { visibleUser } from '../operations/missing-record.ts';
import { MAX_PAGE_SIZE, pageOf, pageParameters } from '../operations/page.ts';

const DeliveryList = closed(
  { items: Type.Array(DeliveryObject), next_cursor: orNull(Type.String()) },
  { title: 'WebhookDeliveryList' },
);

const Secret = closed(
  {
    secret: Type.String({ description: 'Signs all messages: `whsec_` and base64.' }),
    previous: textOrNull('The secret before the last rotation signs as well.'),
    previous_until: orNull(Type.String({ format: 'date-time' })),
  },
  { title: 'WebhookSecret' },
);

const DefaultWebhook = closed({ webhook: orNull(WebhookSchema) }, { title: 'DefaultWebhook' });

const EXAMPLE = { url: 'https://example.com/hooks/sluice', events: ['page', 'done', 'failed'] };
const BODY = jsonBody(WebhookSchema, {
  examples: { events: EXAMPLE },
  read: (body: JsonObject, problems: Problems): WebhookMembers =>
    readWebhook(body as WebhookBody, '', problems),
});

const LIST_QUERY = {
  parameters: {
    source: {
      description:
        'Only of this job, scrape, monitor, schedule, rule of alerts or channel: of its webhook, and to the channels that were told of its events.',
      schema: Type.String({ format: 'uuid' }),
    },
    state: { description: 'Only in this state.', schema: Type.Enum([...DELIVERY_STATES]) },
    ...pageParameters('Deliveries per page.'),
  },
  read(query: QueryReader) {
    const cursor = query.text('cursor');
    if (cursor !== null && !/^\d{1,15}$/.test(cursor))
      query.addProblem('cursor', 'is not a cursor of this list');
    return {
      sourceId: query.text('source'),
      state: query.oneOf('state', DELIVERY_STATES),
      limit: query.integer('limit', 1, MAX_PAGE_SIZE) ?? 50,
      before: cursor === null ? null : Number(cursor),
    };
  },
};

const DELIVERY_ID = { id: { description: 'Id of the delivery.', schema: Type.String() } };

const secretObject = ({ secret, previous, previousUntil }: WebhookSecrets) => ({
  secret,
  previous,
  previous_until: formatDateTimeOrNull(previousUntil),
});

const view = ({ sealer }: Pick<EndpointDeps, 'sealer'>, delivery: DeliveryRow, { keyId }: Principal) =>
  deliveryObject(delivery, messageId(delivery), shownUrl(openWebhook(delivery, sealer)), keyId === null);

/** @throws Refusal if the caller may not see such a delivery */
async function visibleDelivery(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  principal: Principal,
): Promise<DeliveryRow> {
  const message = readMessageId(id);
  const delivery =
    message && (await store.webhooks.get(message.sourceId, message.sequence, visibleUser(principal)));
  if (delivery === null)
    throw Refusal.of('request.not_found', 'There is no such delivery: it was deleted, or is not yours.');
  return delivery;
}

export const WEBHOOKS = [
  endpoint({
    method: 'get',
    path: '/api/v1/webhooks/',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description:
      'The newest first. Deliveries are kept for 30 days. Sessions of administrators see those of all users.',
    access: 'scope:read',
    query: LIST_QUERY,
    responses: { 200: json('A page of deliveries.', DeliveryList) },
    handler: async ({ query: { limit, before, ...filter }, principal }, deps) => {
      const userId = visibleUser(principal);
      const rows = await deps.store.webhooks.list({ userId, ...filter }, limit + 1, before);
      const { page, next_cursor } = pageOf(rows, limit, ({ number }) => String(number));
      return { items: page.map((row) => view(deps, row, principal)), next_cursor };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/webhooks/{id}/redeliver/',
    operationId: 'redeliverWebhook',
    summary: 'Send a message again',
    description: 'With the same id. It is retried as at the first time.',
    access: 'scope:jobs',
    params: DELIVERY_ID,
    responses: {
      200: json('The delivery, which waits to be sent.', DeliveryObject),
      409: problem('The delivery has not ended: `job.state`.'),
    },
    handler: async ({ params, principal }, deps) => {
      const { sourceId, sequence } = await visibleDelivery(deps, params.id, principal);
      if (!(await deps.store.webhooks.redeliver(sourceId, sequence, deps.clock.now())))
        throw Refusal.of('job.state', 'The delivery has not ended: it is being sent, or waits.');
      return view(deps, await visibleDelivery(deps, params.id, principal), principal);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/webhooks/test/',
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Sends a message of the type `webhook.test` once. Missing members are taken from your default webhook. The list of deliveries shows how it ended.',
    access: 'scope:jobs',
    body: BODY,
    responses: { 201: json('The delivery, which waits to be sent.', DeliveryObject) },
    handler: async ({ body, principal }, deps) => {
      const delivery = await deps.webhooks.test(principal.userId, body);
      if (isFailure(delivery)) throw new Refusal([delivery]);
      return view(deps, delivery, principal);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/webhooks/secret/',
    operationId: 'getWebhookSecret',
    summary: 'Get the secret that signs your messages',
    access: 'session',
    responses: { 200: json('The secret.', Secret) },
    handler: async ({ principal }, { webhooks }) => secretObject(await webhooks.secrets(principal.userId)),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/webhooks/secret/rotate/',
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret',
    description: 'For 24 hours messages are signed with both.',
    access: 'session',
    audit: () => ({ action: 'webhook_secret.rotated', target: null }),
    responses: { 200: json('The new secret.', Secret) },
    handler: async ({ principal }, { webhooks }) =>
      secretObject(await webhooks.rotateSecret(principal.userId)),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/webhooks/default/',
    operationId: 'getDefaultWebhook',
    summary: 'Get your default webhook',
    access: 'session',
    responses: { 200: json('The default webhook; null: there is none.', DefaultWebhook) },
    handler: async ({ principal }, { webhooks }) => {
      const webhook = await webhooks.defaults(principal.userId);
      return { webhook: webhook === null ? null : (maskWebhook({ ...webhook }) as WebhookBody) };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/webhooks/default/',
    operationId: 'setDefaultWebhook',
    summary: 'Set your default webhook',
    description:
      'It gets the events of all jobs and asynchronous scrapes that are started from now on and have no `webhook` of their own.',
    access: 'session',
    body: BODY,
    audit: () => ({ action: 'default_webhook.changed', target: null }),
    responses: { 204: nothing('Stored.') },
    handler: async ({ body, principal, reply }, { webhooks }) => {
      forbidStoring(reply);
      refuseIf(await webhooks.setDefaults(principal.userId, body));
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/webhooks/default/',
    operationId: 'deleteDefaultWebhook',
    summary: 'Delete your default webhook',
    access: 'session',
    audit: () => ({ action: 'default_webhook.deleted', target: null }),
    responses: { 204: nothing('Deleted.') },
    handler: async ({ principal }, { webhooks }) => {
      await webhooks.setDefaults(principal.userId, null);
    },
  }),
];
