import type { Principal } from '../domain/account.ts';
import { type JobRow, webhookEventOf } from '../domain/jobs.ts';
import { returnedContent } from '../domain/scrape.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { AnsweredScrape } from '../pipeline/pipeline.ts';
import type { ItemEnd } from '../ports/jobs.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import { MAX_MESSAGE_BYTES } from '../webhooks/message.ts';
import { openWebhook } from '../webhooks/webhook-spec.ts';
import { recordJson } from '../wire/record/record-json.ts';
import { toRecord } from '../wire/record/to-record.ts';

/** For the other members of the message. */
const ENVELOPE_BYTES = 128 * 1024;

/**
 * The scrape for the webhook of the job, encrypted, if its record has no content to make the message of (`router.retain`). It is
 * kept until it was delivered or given up (contract §13).
 * @returns null: the record is kept, the webhook does not get this scrape in full, or it is too long for a message
 */
export async function webhookContent(
  { deliveries, sealer }: { readonly deliveries: Pick<WebhookStore, 'webhookOf'>; readonly sealer: Sealer },
  { job, principal }: { readonly job: Pick<JobRow, 'id' | 'userId'>; readonly principal: Principal },
  state: ItemEnd['state'],
  { scrape, answerJson }: AnsweredScrape,
): Promise<Uint8Array | null> {
  const { task } = scrape;
  if (task.router.retain === 'full' || (state !== 'ok' && state !== 'failed')) return null;
  const webhook = await deliveries.webhookOf(job.id);
  if (webhook === null) return null;
  const event = webhookEventOf(webhook.source, state === 'ok' ? 'page' : 'item_failed');
  const { include } = openWebhook({ spec: webhook.spec, userId: job.userId }, sealer);
  if (include !== 'full' || event === null || !webhook.events.includes(event)) return null;
  const content = returnedContent(scrape)?.bytes ?? null;
  if ((content?.length ?? 0) > MAX_MESSAGE_BYTES) return null;
  const kept = { ...scrape, task: { ...task, router: { ...task.router, retain: 'full' as const } } };
  const json = recordJson(toRecord(kept, principal, answerJson), content, () => null, { withUser: false });
  return json.length > MAX_MESSAGE_BYTES - ENVELOPE_BYTES
    ? null
    : sealer.seal('webhook.content', job.userId, json);
}
