/** The body of a message. */
export interface WebhookMessage {
  /** Such as `job.page`, `job.done`, `scrape.done`, `monitor.changed`. */
  readonly type: string;
  readonly timestamp: string;
  /** Number of the event in its job or monitor, because messages may arrive in another order. */
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The message is not from the service, was changed, or is too old. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: 'headers' | 'timestamp' | 'signature';

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Headers of a request, as `fetch` or Node.js have them. */
type HeaderFields = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of the message may be from now, in both directions. Default: 300. */
  readonly toleranceSeconds?: number;
}

/**
 * Verifies a message of a webhook as Standard Webhooks 1.0 says.
 * @param secret `whsec_…`; several while they are rotated
 * @param body as it arrived: the text or the bytes, not the parsed JSON
 * @returns the message
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: HeaderFields,
  body: string | Uint8Array,
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookVerificationError('headers', 'One of the headers of Standard Webhooks is missing.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('timestamp', 'The time of the message is too far from now.');
  const encoder = new TextEncoder();
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  for (const one of [secret].flat()) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', keyOf(one), algorithm, false, ['verify']);
    for (const signature of given) {
      const raw = bytesOf(signature);
      // `verify` takes the same time wherever the signatures differ.
      if (raw !== null && (await crypto.subtle.verify('HMAC', key, raw, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage;
    }
  }
  throw new WebhookVerificationError('signature', 'No signature of the message fits.');
}

function headerOf(headers: HeaderFields, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = bytesOf(secret.replace(/^whsec_/, ''));
  if (key === null || key.length === 0) throw new TypeError('The secret is not `whsec_` and Base64.');
  return key;
}

/** The bytes of Base64; null: it is none. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
