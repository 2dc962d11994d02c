import { type Static, Type } from 'typebox';
import { type JobSettings, ON_LOGGED_OUT, type OnLoggedOut } from '../../domain/jobs.ts';
import { mapOf, optional } from '../../domain/json-schema.ts';
import type { AskedNotify } from '../../domain/notifications.ts';
import type { WebhookMembers } from '../../domain/webhooks.ts';
import { NOTIFY_MEMBERS, readNotify } from '../notifications/notify-members.ts';
import { addProblem, childPointer, type Problems } from '../schema/problems.ts';
import { readWebhook, WebhookSchema } from '../webhooks/webhook-schema.ts';

const DAY_S = 86_400;
const MAX_METADATA_CHARS = 16_384;

/** The members that all jobs have (contract §13, job members). */
export const JOB_MEMBERS = {
  ...optional({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'For lists.' }),
    tags: mapOf(Type.String({ maxLength: 64 }), {
      maxProperties: 10,
      description: 'Labels of the job. Names and values have at most 64 characters.',
    }),
    metadata: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'Any JSON object; given back with the job and in webhooks.',
    }),
    priority: Type.Integer({
      minimum: -10,
      maximum: 10,
      default: 0,
      description: 'Among your own jobs, those with a higher priority go first.',
    }),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'Items that may run at once. Default: as many as all your jobs together may run.',
    }),
    max_cost: Type.Number({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'Limit for the cost of all items together. When it is reached, the rest is skipped.',
    }),
    retries: Type.Integer({
      minimum: 0,
      maximum: 5,
      default: 2,
      description:
        'How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.',
    }),
    expires_in_s: Type.Integer({
      minimum: 60,
      maximum: 90 * DAY_S,
      description: 'How long the results are kept after the end. Default: as long as other records.',
    }),
    on_logged_out: Type.Enum([...ON_LOGGED_OUT], {
      default: 'stop',
      description:
        'What becomes of items whose profile is logged out, and that do not log in by `relogin` or an action `login`. `stop`: they fail, and nothing is sent. `wait`: the job pauses until the profile is ready again. `continue`: they run with the profile as it is.',
    }),
    webhook: WebhookSchema,
  }),
  ...NOTIFY_MEMBERS,
};

type JobMembers = Static<ReturnType<typeof membersSchema>>;
const membersSchema = () => Type.Object(JOB_MEMBERS);

interface CommonSettings
  extends Pick<
    JobSettings,
    'name' | 'tags' | 'metadata' | 'priority' | 'concurrency' | 'maxCost' | 'retries' | 'keptMs'
  > {
  readonly onLoggedOut: OnLoggedOut;
  /** null: only the user's default. */
  readonly webhook: WebhookMembers | null;
  /** As asked for. */
  readonly notified: AskedNotify;
}

/**
 * @param options.priced whether prices are configured, so that there are costs to limit
 * @param options.retentionMs how long records are kept
 */
export function readJobMembers(
  members: JobMembers,
  options: { readonly priced: boolean; readonly retentionMs: number },
  problems: Problems,
): CommonSettings {
  const { tags = {}, metadata, max_cost: maxCost, expires_in_s: expiresInS } = members;
  for (const name of Object.keys(tags))
    if (name.length < 1 || name.length > 64)
      addProblem(problems, childPointer('/tags', name), 'must have a name of 1 to 64 characters');
  const metadataText = metadata === undefined ? null : JSON.stringify(metadata);
  if (metadataText !== null && metadataText.length > MAX_METADATA_CHARS)
    addProblem(problems, '/metadata', `may have at most ${MAX_METADATA_CHARS} characters as JSON`);
  if (maxCost !== undefined && !options.priced)
    addProblem(problems, '/max_cost', 'needs prices, and the operator has configured none');
  return {
    name: members.name ?? null,
    tags,
    metadata: metadataText,
    priority: members.priority ?? 0,
    concurrency: members.concurrency ?? null,
    maxCost: maxCost === undefined ? null : Math.round(maxCost * 1_000_000),
    retries: members.retries ?? 2,
    onLoggedOut: members.on_logged_out ?? 'stop',
    webhook: members.webhook === undefined ? null : readWebhook(members.webhook, '/webhook', problems),
    notified: readNotify(members, 'job', '', problems),
    keptMs: expiresInS === undefined ? options.retentionMs : expiresInS * 1_000,
  };
}
