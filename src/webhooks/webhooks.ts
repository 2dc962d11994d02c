import { type Clock, deadlineOf } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import { type Failure, failure, isFailure } from '../domain/failure.ts';
import type { Sealer } from '../domain/sealing.ts';
import {
  DEFAULT_MONITOR_EVENTS,
  DEFAULT_PROFILE_EVENTS,
  DEFAULT_WEBHOOK_EVENTS,
  type DeliveryRow,
  type NewWebhook,
  type WebhookEvent,
  type WebhookMembers,
  type WebhookSource,
} from '../domain/webhooks.ts';
import type { WebhookSender, WebhookStore } from '../ports/webhooks.ts';
import { newSecret } from './signature.ts';
import { sealWebhook } from './webhook-spec.ts';

export interface WebhookSecrets {
  readonly secret: string;
  /** It signs as well until `previousUntil`; null: there is none. */
  readonly previous: string | null;
  /** ms since the epoch. */
  readonly previousUntil: number | null;
}

/** The webhooks of users, for jobs and the API. */
export interface Webhooks {
  /**
   * The webhook to be stored with a job: the members of the request, completed by the user's default.
   * @param members null: only the default
   * @param pointer of `webhook` in the request, for the failure
   * @returns null: nothing is to be sent. A failure: nothing may be sent to the URL
   */
  prepare(
    userId: string,
    source: WebhookSource,
    members: WebhookMembers | null,
    pointer: string,
  ): Promise<NewWebhook | null | Failure>;
  /**
   * Whether each scrape that succeeds is sent in full, so that its content need not be kept.
   * @param members as for `prepare`
   */
  getsScrapes(userId: string, source: 'job' | 'scrape', members: WebhookMembers | null): Promise<boolean>;
  /** Why nothing may be sent to the URL; null: it may, as far as can be told now. @param pointer of the URL in the request */
  checkUrl(url: string, pointer: string): Promise<Failure | null>;
  /** Stores a test event, which the dispatcher sends. */
  test(userId: string, members: WebhookMembers): Promise<DeliveryRow | Failure>;
  /** Makes the first secret of the user if there is none. */
  secrets(userId: string): Promise<WebhookSecrets>;
  /** Makes a new secret; the one before signs for another 24 hours. */
  rotateSecret(userId: string): Promise<WebhookSecrets>;
  /** null: the user has no default webhook. */
  defaults(userId: string): Promise<WebhookMembers | null>;
  /** @returns why nothing may be sent to the URL; null: stored */
  setDefaults(userId: string, defaults: WebhookMembers | null): Promise<Failure | null>;
}

export interface WebhooksDeps {
  readonly store: WebhookStore;
  readonly sender: Pick<WebhookSender, 'check'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** Both secrets sign for so long after a rotation (contract §13). */
const OVERLAP_MS = 24 * 3_600_000;
/** A name that takes longer to resolve is accepted: it is judged again at each delivery. */
const CHECK_MS = 5_000;
/** Failures that another attempt would not change. Others, such as a name server that does not answer, may pass. */
const FINAL_CODES: readonly string[] = ['policy.address', 'dns.not_found'];

/** Firecrawl has no messages about these. */
const NEVER_FIRECRAWL: readonly WebhookSource[] = ['scrape', 'monitor', 'profile'];
const USUAL_EVENTS: Readonly<Partial<Record<WebhookSource, readonly WebhookEvent[]>>> = {
  monitor: DEFAULT_MONITOR_EVENTS,
  profile: DEFAULT_PROFILE_EVENTS,
};

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, sealer, clock } = deps;
  const sealSecret = (userId: string, secret: string) =>
    sealer.seal('webhook.secret', userId, Buffer.from(secret));
  const openSecret = (userId: string, sealed: Uint8Array) =>
    sealer.open('webhook.secret', userId, sealed).toString();

  async function defaults(userId: string): Promise<WebhookMembers | null> {
    const stored = (await store.user(userId))?.defaults ?? null;
    return stored === null
      ? null
      : (JSON.parse(sealer.open('webhook.default', userId, stored).toString()) as WebhookMembers);
  }

  /** The members of a request, completed by the user's default and the general ones. */
  async function complete(userId: string, source: WebhookSource, members: WebhookMembers | null) {
    const merged: WebhookMembers = { ...(await defaults(userId)), ...members };
    const { events = USUAL_EVENTS[source] ?? DEFAULT_WEBHOOK_EVENTS, format = 'standard' } = merged;
    // Messages of Firecrawl contain the pages.
    const { include = format === 'firecrawl' ? 'full' : 'metadata' } = merged;
    return { ...merged, events, format, include };
  }

  async function secrets(userId: string): Promise<WebhookSecrets> {
    let user = await store.user(userId);
    if (user === null || user.secret === null) {
      await store.insertSecret(userId, sealSecret(userId, newSecret()));
      user = (await store.user(userId))!;
    }
    const { secret, previous, previousUntil } = user;
    const overlaps = previous !== null && previousUntil !== null && previousUntil > clock.now();
    return {
      secret: openSecret(userId, secret!),
      previous: overlaps ? openSecret(userId, previous) : null,
      previousUntil: overlaps ? previousUntil : null,
    };
  }

  async function prepare(
    userId: string,
    source: WebhookSource,
    members: WebhookMembers | null,
    pointer: string,
  ): Promise<NewWebhook | null | Failure> {
    const { url, events, headers = {}, include, metadata, format } = await complete(userId, source, members);
    const isAsked = members !== null || url !== undefined;
    if (!isAsked || events.length === 0) return null;
    if (url === undefined)
      return failure(
        'request.validation',
        `\`${pointer}/url\` is missing, and there is no default webhook.`,
        {
          pointer: `${pointer}/url`,
        },
      );
    if (format === 'firecrawl' && NEVER_FIRECRAWL.includes(source))
      return failure(
        'request.validation',
        `\`${pointer}/format\` must be \`standard\`: Firecrawl has no such messages. \`firecrawl\` is for batches and crawls.`,
        { pointer: `${pointer}/format` },
      );
    const refused = await refusalOf(deps.sender, url, `${pointer}/url`);
    if (refused !== null) return refused;
    const spec = sealWebhook({ url, headers, include, format, metadata: metadata ?? null }, userId, sealer);
    return { source, receiver: `${userId} ${new URL(url).origin}`, events, spec };
  }

  return {
    prepare,
    async getsScrapes(userId, source, members) {
      const { include, events } = await complete(userId, source, members);
      return include === 'full' && events.includes(source === 'job' ? 'page' : 'done');
    },
    checkUrl: (url, pointer) => refusalOf(deps.sender, url, pointer),
    secrets,
    defaults,
    async test(userId, members) {
      const webhook = await prepare(userId, 'test', { ...members, events: ['done'] }, '');
      if (webhook === null || isFailure(webhook)) return webhook as Failure;
      const now = clock.now();
      const id = uuid7(now);
      await store.addTest(id, userId, webhook, now);
      return (await store.get(id, 1, userId))!;
    },
    async rotateSecret(userId) {
      await secrets(userId);
      await store.rotateSecret(userId, sealSecret(userId, newSecret()), clock.now() + OVERLAP_MS);
      return await secrets(userId);
    },
    async setDefaults(userId, members) {
      const refused = members?.url === undefined ? null : await refusalOf(deps.sender, members.url, '/url');
      if (refused !== null) return refused;
      const sealed =
        members === null
          ? null
          : sealer.seal('webhook.default', userId, Buffer.from(JSON.stringify(members)));
      await store.setDefaults(userId, sealed);
      return null;
    },
  };
}

/**
 * The default webhook of users for what tells of profiles; null: it gets nothing of them. Its URL was judged when it was set, and is
 * judged at each try.
 */
export function profileWebhooks(
  deps: Omit<WebhooksDeps, 'sender'>,
): (userId: string) => Promise<NewWebhook | null> {
  const { prepare } = createWebhooks({ ...deps, sender: { check: async () => null } });
  return async (userId) => {
    const webhook = await prepare(userId, 'profile', null, '');
    return webhook !== null && !isFailure(webhook) && webhook.events.includes('logged_out') ? webhook : null;
  };
}

/** Why nothing may be sent to the URL; null: it may, as far as can be told now. */
async function refusalOf(
  sender: Pick<WebhookSender, 'check'>,
  url: string,
  pointer: string,
): Promise<Failure | null> {
  using deadline = deadlineOf(CHECK_MS);
  const target = new URL(url);
  const refused = await sender.check(target, deadline.signal);
  if (refused === null || !FINAL_CODES.includes(refused.code)) return null;
  return failure('request.validation', `\`${pointer}\`${problemOf(refused, target.hostname)}.`, { pointer });
}

function problemOf({ code, details }: Failure, host: string): string {
  if (code === 'policy.address')
    return ' has an address that webhooks may not reach: it is not public, and SLUICE_WEBHOOK_ALLOW does not name it';
  return details?.reason === 'nodata'
    ? `: the host name ${host} has no IP address`
    : `: the host name ${host} does not exist`;
}
