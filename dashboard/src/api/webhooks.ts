import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR, useChange } from './queries.ts';

export type Delivery = Schema<'WebhookDelivery'>;
export type Webhook = Schema<'Webhook'>;

const LIVE_MS = 1_000;
const IDLE_MS = 10_000;

/** Deliveries of the last 30 days, newest first. They are read again each second while one is being sent or is due. */
export const deliveriesQuery = ({
  state,
  source,
}: {
  readonly state?: Delivery['state'] | undefined;
  /** Id of a job or the like; absent: of all. */
  readonly source?: string;
}) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', state, source],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { state, source, cursor, limit: 50 };
      return responseBody(api.GET('/api/v1/webhooks/', { params: { query }, signal }));
    },
    ...BY_CURSOR,
    refetchInterval: (query) =>
      query.state.data?.pages.some(({ items }) => items.some(isDue)) === true ? LIVE_MS : IDLE_MS,
  });

const isDue = ({ state, next_at }: Delivery): boolean =>
  state === 'sending' ||
  (state === 'queued' && next_at !== null && Date.parse(next_at) < Date.now() + IDLE_MS);

export const webhookSecretQuery = queryOptions({
  queryKey: ['webhooks', 'secret'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/webhooks/secret/', { signal })),
});

export const defaultWebhookQuery = queryOptions({
  queryKey: ['webhooks', 'default'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/webhooks/default/', { signal })),
});

/** Of all changes: awaited, the new data would replace the form, whose own callbacks would then not be called. */
const LATER = { later: true };

export const useRedeliver = () =>
  useChange(
    (id: string) => responseBody(api.POST('/api/v1/webhooks/{id}/redeliver/', { params: { path: { id } } })),
    [['webhooks']],
    { ...LATER, settled: true },
  );

/** Sends a test message once. Members that are left out come from the default webhook. */
export const useTestWebhook = () =>
  useChange(
    (body: Webhook) => responseBody(api.POST('/api/v1/webhooks/test/', { body })),
    [['webhooks']],
    LATER,
  );

export const useRotateSecret = () =>
  useChange(() => responseBody(api.POST('/api/v1/webhooks/secret/rotate/')), [['webhooks']], LATER);

/** Stores the default webhook; null deletes it. */
export const useSetDefaultWebhook = () =>
  useChange(
    async (body: Webhook | null): Promise<void> => {
      if (body === null) await responseBody(api.DELETE('/api/v1/webhooks/default/'));
      else await responseBody(api.POST('/api/v1/webhooks/default/', { body }));
    },
    [['webhooks']],
    LATER,
  );
