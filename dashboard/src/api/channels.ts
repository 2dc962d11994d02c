import { queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';

export type Channel = Schema<'Channel'>;
type ChannelRequest = Schema<'ChannelRequest'>;
type ChannelChange = Schema<'ChannelChange'>;

const REFRESH_MS = 15_000;

const idParams = (id: string) => ({ params: { path: { id } } });

/** The user's channels, at most 100, the newest first. */
export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: ({ signal }) =>
    responseBody(api.GET('/api/v1/channels/', { params: { query: { limit: 200 } }, signal })),
  refetchInterval: REFRESH_MS,
});

/** Creates a channel, or changes the one with this id. */
export const useSaveChannel = (id: string | null) =>
  useChange(
    (body: ChannelRequest | ChannelChange) =>
      id === null
        ? responseBody(api.POST('/api/v1/channels/', { body: body as ChannelRequest }))
        : responseBody(api.PATCH('/api/v1/channels/{id}/', { ...idParams(id), body })),
    [['channels']],
  );

/** Deletes a channel, and removes it from all that uses it. */
export const useDeleteChannel = () =>
  useChange(
    (id: string) =>
      responseBody(
        api.DELETE('/api/v1/channels/{id}/', { params: { path: { id }, query: { detach: '1' } } }),
      ),
    [['channels'], ['monitors'], ['monitor'], ['alerts'], ['profiles']],
  );

/** Sends a test message, and waits for the result. */
export const useTestChannel = () =>
  useChange(
    (id: string) => responseBody(api.POST('/api/v1/channels/{id}/test/', idParams(id))),
    [['channels']],
  );

export const useResumeChannel = () =>
  useChange(
    (id: string) => responseBody(api.POST('/api/v1/channels/{id}/resume/', idParams(id))),
    [['channels']],
    { settled: true },
  );
