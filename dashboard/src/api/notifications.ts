import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange } from './queries.ts';

export type Notification = Schema<'Notification'>;

const COUNT_MS = 30_000;

/** All, the newest first. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ pageParam: cursor, signal }) =>
    responseBody(api.GET('/api/v1/notifications/', { params: { query: { cursor, limit: 30 } }, signal })),
  ...BY_CURSOR,
  refetchInterval: COUNT_MS,
});

/** Marks notifications as read: those with these ids, or all up to one. */
export const useReadNotifications = () =>
  useChange(
    (body: Schema<'NotificationRead'>) => responseBody(api.POST('/api/v1/notifications/read/', { body })),
    [['notifications']],
    { settled: true },
  );
