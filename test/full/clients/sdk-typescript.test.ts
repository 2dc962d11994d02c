import {
  Sluice,
  SluiceError,
  verifyWebhook,
  WebhookVerificationError,
} from '../../../clients/typescript/src/sluice.ts';
import { type Sdk, type SdkCall, type SdkOutcome, sdkContract } from '../../contracts/sdk.ts';

async function outcome(work: () => Promise<unknown>): Promise<SdkOutcome> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof SluiceError) {
      const { code, status, retryable, requestId, message } = error;
      const pointers = error.errors.flatMap(({ pointer }) => pointer ?? []);
      const scrape = error.scrape as unknown as Readonly<Record<string, unknown>> | null;
      return { error: { kind: 'sluice', code, status, retryable, requestId, pointers, scrape, message } };
    }
    if (error instanceof WebhookVerificationError)
      return { error: { kind: 'webhook', reason: error.reason, message: error.message } };
    if (error === ENDED) return { error: { kind: 'aborted', message: 'ended' } };
    throw error;
  }
}

const ENDED = new Error('the caller has ended the call');

async function run({
  method,
  args = [],
  options = {},
  take,
  abortAfterMs,
  client,
}: SdkCall): Promise<unknown> {
  const aborting = new AbortController();
  const timer =
    abortAfterMs === undefined ? undefined : setTimeout(() => aborting.abort(ENDED), abortAfterMs);
  const names = method.split('.');
  const name = names.pop()!;
  // biome-ignore lint/suspicious/noExplicitAny: methods are called by their names.
  const owner = names.reduce((object: any, member) => object[member], new Sluice(client));
  // The options are the last argument, after a query that may be left out.
  const given = [...args, ...(LISTS.includes(method) && args.length < listArgs(method) ? [{}] : [])];
  const result = owner[name](...given, { ...options, signal: aborting.signal });
  try {
    if (typeof result[Symbol.asyncIterator] !== 'function') {
      const value = await result;
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
    }
    const items: unknown[] = [];
    for await (const item of result) {
      items.push(item);
      if (items.length === take) break;
    }
    return items;
  } finally {
    clearTimeout(timer);
  }
}

/** Methods with a query before the options. */
const LISTS = [
  'scrapes.list',
  'jobs.list',
  'jobs.results',
  'jobs.folders',
  'jobs.items',
  'monitors.list',
  'monitors.runs',
  'schedules.list',
  'schedules.runs',
  'webhooks.list',
  'channels.list',
  'channels.delete',
  'profiles.list',
  'profiles.delete',
  'datasets.list',
  'datasets.runs',
  'datasets.rows',
  'datasets.export',
  'exports.download',
];
const listArgs = (method: string): number => (method.endsWith('.list') ? 1 : 2);

const sdk: Sdk = {
  call: (call) => outcome(() => run(call)),
  cannotAbort: false,
  verifyWebhook: (secret, headers, body) => outcome(() => verifyWebhook(secret, headers, body)),
};

sdkContract('TypeScript SDK', sdk);
