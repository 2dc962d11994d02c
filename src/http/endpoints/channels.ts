import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { prepareTarget, shownChannel, testChannel } from '../../alerts/channels.ts';
import { uuid7, uuidBytes } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import { ALERT_CHANNELS } from '../../domain/alerts.ts';
import type { AuditAction } from '../../domain/audit.ts';
import { isFailure } from '../../domain/failure.ts';
import type { Channel, ChannelUse } from '../../domain/notifications.ts';
import type { NewWebhook } from '../../domain/webhooks.ts';
import { mailAddresses, openWebhook } from '../../webhooks/webhook-spec.ts';
import { readChannelTarget } from '../../wire/alerts/alert-rule.ts';
import {
  ChannelChangeRequest,
  ChannelList,
  ChannelObject,
  ChannelRequest,
  ChannelTestResult,
  channelObject,
} from '../../wire/notifications/channel-json.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';
import { actorOf } from '../core/access.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';
import { pageOf, pageParameters, readPage } from '../operations/page.ts';

/** Channels of a user (contract §30). */
const MAX_CHANNELS = 100;
/** Uses of a channel that are listed. */
const MAX_USES = 50;

const CHANNEL_ID = { id: { description: 'Id of the channel.', schema: Type.String({ format: 'uuid' }) } };

const EXAMPLES = {
  slack: { name: 'Ops', type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
  email: { name: 'Team', type: 'email', to: ['team@example.com'] },
  webhook: {
    name: 'Our program',
    type: 'webhook',
    url: 'https://example.com/hooks/sluice',
    headers: { 'X-Token': 'secret' },
  },
};

/** Channels are private: also administrators see only their own. */
async function ownChannel(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  { userId }: Principal,
): Promise<Channel> {
  const channel = uuidBytes(id) === null ? null : await store.channels.get(id.toLowerCase(), userId);
  if (channel === null)
    throw Refusal.of('request.not_found', 'There is no such channel, or it is not yours.');
  return channel;
}

const usesOf = ({ store }: Pick<EndpointDeps, 'store'>, { id }: Channel): Promise<readonly ChannelUse[]> =>
  store.channels.uses([id], MAX_USES);

const view = ({ sealer }: Pick<EndpointDeps, 'sealer'>, channel: Channel, uses: readonly ChannelUse[]) =>
  channelObject(channel, shownChannel(channel, channel, sealer), uses);

const viewOf = async (deps: EndpointDeps, channel: Channel) =>
  view(deps, channel, await usesOf(deps, channel));

/** Where a channel is to send. @throws Refusal */
async function preparedTarget(
  deps: EndpointDeps,
  type: Channel['type'],
  body: Omit<Static<typeof ChannelRequest>, 'name' | 'type'>,
  userId: string,
): Promise<NewWebhook> {
  const problems: Problems = [];
  const target = readChannelTarget(type, body, '', problems);
  if (problems.length > 0) throw new Refusal(problems);
  const webhook = await prepareTarget(target, 'channel', userId, '', deps);
  if (isFailure(webhook)) throw new Refusal([webhook]);
  return webhook;
}

async function create(
  deps: EndpointDeps,
  { name, type, ...target }: Static<typeof ChannelRequest>,
  { userId }: Principal,
): Promise<Channel> {
  const webhook = await preparedTarget(deps, type, target, userId);
  const now = deps.clock.now();
  const id = uuid7(now);
  if (!(await deps.store.channels.create({ id, userId, name, type, createdAt: now, webhook }, MAX_CHANNELS)))
    throw Refusal.of('limit.channels', `A user may have at most ${MAX_CHANNELS} channels. Delete one first.`);
  return (await deps.store.channels.get(id, userId))!;
}

async function change(
  deps: EndpointDeps,
  channel: Channel,
  { name, ...target }: Static<typeof ChannelChangeRequest>,
): Promise<void> {
  const { id, type, userId } = channel;
  const stored = openWebhook(channel, deps.sealer);
  const { url, headers } = target;
  // Whoever changes the URL must not get the secrets that were meant for the old one.
  const keptHeaders = Object.keys(stored.headers).length > 0 && headers === undefined;
  if (type === 'webhook' && keptHeaders && url !== undefined && originOf(url) !== originOf(stored.url)) {
    const problems: Problems = [];
    addProblem(problems, '/headers', 'is missing: with a URL of another origin, headers must be given again');
    throw new Refusal(problems);
  }
  const whole = {
    ...(type === 'email' ? { to: [...mailAddresses(stored)] } : { url: stored.url }),
    ...(type === 'webhook' ? { headers: stored.headers } : {}),
    ...target,
  };
  const webhook =
    Object.keys(target).length === 0 ? undefined : await preparedTarget(deps, type, whole, userId);
  await deps.store.channels.update(id, {
    ...(name === undefined ? {} : { name }),
    ...(webhook === undefined ? {} : { webhook }),
  });
}

const originOf = (url: string): string | null => URL.parse(url)?.origin ?? null;

/** Adds to the audit log who changed a channel, with its name: that of a deleted one is stored nowhere else. */
async function audit(
  { accounts }: Pick<EndpointDeps, 'accounts'>,
  request: FastifyRequest,
  action: AuditAction,
  { id, name }: Channel,
): Promise<void> {
  const changed = Object.keys((request.body as object | null | undefined) ?? {});
  await accounts.audit(actorOf(request.principal!, request), {
    action,
    target: { type: 'channel', id },
    details: { changed, name },
  });
}

export const CHANNELS = [
  endpoint({
    method: 'post',
    path: '/api/v1/channels/',
    operationId: 'createChannel',
    summary: 'Create a channel',
    description:
      'A place where people are told: Slack, e-mail, or a webhook. Monitors, jobs and rules of alerts name it by its id.',
    access: 'scope:jobs',
    body: jsonBody(ChannelRequest, { examples: EXAMPLES }),
    responses: {
      201: json('The channel.', ChannelObject),
      429: problem('Too many channels: `limit.channels`; or requests: `limit.concurrency`.'),
    },
    handler: async ({ body, principal, request }, deps) => {
      const channel = await create(deps, body, principal);
      await audit(deps, request, 'channel.created', channel);
      return view(deps, channel, []);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/channels/',
    operationId: 'listChannels',
    summary: 'List your channels',
    description: 'The newest first, with their state and what uses them.',
    access: 'scope:read',
    query: { parameters: pageParameters(), read: readPage },
    responses: { 200: json('A page of channels.', ChannelList) },
    handler: async ({ query: { limit, cursor }, principal }, deps) => {
      const { channels } = deps.store;
      const rows = await channels.list(principal.userId, limit + 1, cursor);
      const { page, next_cursor } = pageOf(rows, limit, ({ id }) => id);
      const uses = await channels.uses(
        page.map(({ id }) => id),
        MAX_USES * limit,
      );
      const byChannel = Map.groupBy(uses, ({ channelId }) => channelId);
      return {
        items: page.map((channel) =>
          view(deps, channel, (byChannel.get(channel.id) ?? []).slice(0, MAX_USES)),
        ),
        next_cursor,
        channel_types: ALERT_CHANNELS.filter((type) => type !== 'email' || deps.mailer !== null),
      };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/channels/{id}/',
    operationId: 'getChannel',
    summary: 'Get a channel',
    access: 'scope:read',
    params: CHANNEL_ID,
    responses: { 200: json('The channel.', ChannelObject) },
    handler: async ({ params, principal }, deps) =>
      await viewOf(deps, await ownChannel(deps, params.id, principal)),
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/channels/{id}/',
    operationId: 'changeChannel',
    summary: 'Change a channel',
    description: 'With a new URL or new addresses, its failures are forgotten.',
    access: 'scope:jobs',
    params: CHANNEL_ID,
    body: jsonBody(ChannelChangeRequest, { examples: { name: { name: 'Night shift' } } }),
    responses: { 200: json('The changed channel.', ChannelObject) },
    handler: async ({ params, body, principal, request }, deps) => {
      const channel = await ownChannel(deps, params.id, principal);
      await change(deps, channel, body);
      await audit(deps, request, 'channel.updated', channel);
      return await viewOf(deps, await ownChannel(deps, channel.id, principal));
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/channels/{id}/',
    operationId: 'deleteChannel',
    summary: 'Delete a channel',
    description:
      'One that is in use is refused, unless `detach=1`: then nothing tells people by it any more.',
    access: 'scope:jobs',
    params: CHANNEL_ID,
    query: {
      parameters: {
        detach: { description: '`1`: also removes it from all that uses it.', schema: Type.Enum(['0', '1']) },
      },
      read: (query: QueryReader) => ({ detach: query.oneOf('detach', ['0', '1'] as const) === '1' }),
    },
    responses: {
      204: nothing('Deleted.'),
      409: problem('It is in use: `channel.in_use`; `details.used_by` lists by what.'),
    },
    handler: async ({ params, query: { detach }, principal, request }, deps) => {
      const channel = await ownChannel(deps, params.id, principal);
      const uses = detach ? [] : await usesOf(deps, channel);
      if (uses.length > 0) throw inUseRefusal(uses);
      await deps.store.channels.delete(channel.id);
      await audit(deps, request, 'channel.deleted', channel);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/channels/{id}/test/',
    operationId: 'testChannel',
    summary: 'Send a test message',
    description:
      'Waits for the result, at most 15 seconds. It is sent once. If it arrives, the channel works again: it is neither failing nor paused.',
    access: 'scope:jobs',
    params: CHANNEL_ID,
    responses: { 200: json('How it ended.', ChannelTestResult) },
    handler: async ({ params, principal }, deps) => {
      const channel = await ownChannel(deps, params.id, principal);
      const { messenger, sealer, clock } = deps;
      const testing = { messenger, sealer, clock, baseUrl: deps.baseUrl() };
      const { status, error, durationMs } = await testChannel(channel, testing, new AbortController().signal);
      if (error === null) await deps.store.channels.resume(channel.id, clock.now());
      return { ok: error === null, status, error, duration_ms: durationMs };
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/channels/{id}/resume/',
    operationId: 'resumeChannel',
    summary: 'Resume a paused channel',
    description: 'Its failures are forgotten. What was not sent while it was paused is not sent later.',
    access: 'scope:jobs',
    params: CHANNEL_ID,
    responses: {
      200: json('The channel.', ChannelObject),
      409: problem('It is not paused: `job.state`.'),
    },
    handler: async ({ params, principal }, deps) => {
      const channel = await ownChannel(deps, params.id, principal);
      if (channel.state !== 'paused') throw Refusal.of('job.state', 'The channel is not paused.');
      await deps.store.channels.resume(channel.id, null);
      return await viewOf(deps, await ownChannel(deps, channel.id, principal));
    },
  }),
];

function inUseRefusal(uses: readonly ChannelUse[]): Refusal {
  const named = uses.map(({ source, sourceId, name }) => `${source} ${name ?? sourceId}`);
  const shown = named.slice(0, 5).join(', ');
  const more = named.length > 5 ? `, and ${named.length - 5} more` : '';
  return Refusal.of(
    'channel.in_use',
    `The channel is used by: ${shown}${more}. Remove it there, or delete it with \`detach=1\`.`,
    {
      details: { used_by: uses.map(({ source, sourceId, name }) => ({ type: source, id: sourceId, name })) },
    },
  );
}
