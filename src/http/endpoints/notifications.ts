import { type Static, Type } from 'typebox';
import { closed, optional } from '../../domain/json-schema.ts';
import { NotificationList, notificationObject } from '../../wire/notifications/notification-json.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json } from '../core/responses.ts';
import { pageOf, pageParameters, readPage } from '../operations/page.ts';

const NUMBER = /^[1-9]\d{0,14}$/;

const ReadRequest = closed(
  optional({
    ids: Type.Array(Type.String({ maxLength: 15 }), { minItems: 1, maxItems: 200, uniqueItems: true }),
    up_to: Type.String({ maxLength: 15, description: 'All up to this id.' }),
  }),
  { title: 'NotificationRead', description: 'Either `ids` or `up_to`.' },
);

/** Which notifications are read. @throws Refusal */
function readWhich({ ids, up_to: upTo }: Static<typeof ReadRequest>) {
  const problems: Problems = [];
  if ((ids === undefined) === (upTo === undefined))
    addProblem(problems, '', 'must have either `ids` or `up_to`');
  (ids ?? []).forEach((id, index) => {
    if (!NUMBER.test(id)) addProblem(problems, `/ids/${index}`, 'is not the id of a notification');
  });
  if (upTo !== undefined && !NUMBER.test(upTo))
    addProblem(problems, '/up_to', 'is not the id of a notification');
  if (problems.length > 0) throw new Refusal(problems);
  return upTo === undefined ? { numbers: ids!.map(Number) } : { upTo: Number(upTo) };
}

export const NOTIFICATIONS = [
  endpoint({
    method: 'get',
    path: '/api/v1/notifications/',
    operationId: 'listNotifications',
    summary: 'List what you were told',
    description:
      'The newest first: changes and failures of monitors, ends of jobs that tell of them, alerts, and channels that do not work; also without any channel. Kept for 30 days, the newest 5,000.',
    access: 'scope:read',
    query: {
      parameters: {
        unread: { description: '`1`: only those that are not read.', schema: Type.Enum(['0', '1']) },
        ...pageParameters(),
      },
      read(query: QueryReader) {
        const { limit, cursor } = readPage(query);
        if (cursor !== null && !NUMBER.test(cursor))
          query.addProblem('cursor', 'is not a cursor of this list');
        return {
          unread: query.oneOf('unread', ['0', '1'] as const) === '1',
          limit,
          before: cursor === null ? null : Number(cursor),
        };
      },
    },
    responses: { 200: json('A page of notifications.', NotificationList) },
    handler: async ({ query: { unread, limit, before }, principal }, { store, baseUrl }) => {
      const { userId } = principal;
      const rows = await store.notifications.list({ userId, unread }, limit + 1, before);
      const { page, next_cursor } = pageOf(rows, limit, ({ number }) => String(number));
      return {
        items: page.map((row) => notificationObject(row, baseUrl())),
        next_cursor,
        unread: await store.notifications.countUnread(userId),
      };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/notifications/read/',
    operationId: 'readNotifications',
    summary: 'Mark notifications as read',
    access: 'scope:read',
    body: jsonBody(ReadRequest, { examples: { one: { ids: ['42'] }, all: { up_to: '42' } } }),
    responses: {
      200: json('How many are not read now.', closed({ unread: Type.Integer() }, { title: 'UnreadCount' })),
    },
    handler: async ({ body, principal: { userId } }, { store: { notifications }, clock }) => {
      await notifications.markRead(userId, readWhich(body), clock.now());
      return { unread: await notifications.countUnread(userId) };
    },
  }),
];
