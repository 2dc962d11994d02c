import { type Static, Type } from 'typebox';
import { closed, mapOf, optional } from '../../domain/json-schema.ts';
import {
  WEBHOOK_EVENTS,
  WEBHOOK_FORMATS,
  WEBHOOK_INCLUDES,
  type WebhookMembers,
} from '../../domain/webhooks.ts';
import { forbiddenHeaderReason, headerValueProblem, isHeaderName } from '../request/headers.ts';
import { addProblem, childPointer, type Problems } from '../schema/problems.ts';

const MAX_METADATA_CHARS = 16_384;

/** `webhook` of jobs and of asynchronous scrapes. */
export const WebhookSchema = closed(
  optional({
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'http or https. Redirects are not followed.',
    }),
    events: Type.Array(Type.Enum([...WEBHOOK_EVENTS]), {
      maxItems: WEBHOOK_EVENTS.length,
      uniqueItems: true,
      description:
        'What is sent; an empty list: nothing. Default: `done`, `failed` and `changed`. `page` and `item_failed`: each item that has ended. `changed`: of monitors. `logged_out`: of profiles, only by the default webhook.',
    }),
    headers: mapOf(Type.String({ maxLength: 8192 }), {
      maxProperties: 20,
      description: 'Headers to send. Their values are masked when the job is read.',
    }),
    include: Type.Enum([...WEBHOOK_INCLUDES], {
      description:
        'What is sent of the job and the item: their ids, what lists show (`metadata`, the default), or also the whole scrape, up to 10 MiB (`full`).',
    }),
    metadata: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'Any JSON object; sent with each message.',
    }),
    format: Type.Enum([...WEBHOOK_FORMATS], {
      default: 'standard',
      description:
        'The form of messages of batches and crawls. `firecrawl`: as Firecrawl sends them, also signed by `X-Firecrawl-Signature`; the default of `include` is then `full`.',
    }),
  }),
  {
    title: 'Webhook',
    description:
      'Where events are sent, signed as Standard Webhooks say. Missing members are taken from your default webhook.',
  },
);

/** A webhook as the schema accepts it. */
export type WebhookBody = Static<typeof WebhookSchema>;

/** Checks what the schema cannot. */
export function readWebhook(members: WebhookBody, pointer: string, problems: Problems): WebhookMembers {
  if (members.url !== undefined) checkWebhookUrl(members.url, `${pointer}/url`, problems);
  checkWebhookHeaders(members.headers ?? {}, `${pointer}/headers`, problems);
  if (members.metadata !== undefined && JSON.stringify(members.metadata).length > MAX_METADATA_CHARS)
    addProblem(problems, `${pointer}/metadata`, `may have at most ${MAX_METADATA_CHARS} characters as JSON`);
  return members;
}

export function checkWebhookHeaders(
  headers: Readonly<Record<string, string>>,
  pointer: string,
  problems: Problems,
): void {
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== null) addProblem(problems, childPointer(pointer, name), problem);
  }
}

export function checkWebhookUrl(text: string, pointer: string, problems: Problems): void {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    addProblem(problems, pointer, 'must be an absolute http or https URL');
  else if (url.username !== '' || url.password !== '')
    addProblem(problems, pointer, 'must not contain a user or password; use `headers`');
}

function headerProblem(name: string, value: string): string | null {
  if (!isHeaderName(name)) return 'is not a header name';
  const lower = name.toLowerCase();
  if (lower.startsWith('webhook-') || lower === 'x-firecrawl-signature')
    return 'cannot be set; it belongs to the signature';
  const reason = forbiddenHeaderReason(lower);
  return reason === null ? headerValueProblem(value) : `cannot be set; ${reason}`;
}
