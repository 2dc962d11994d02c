import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64 (Standard Webhooks, "Signature scheme"). */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * The signature of messages in the form of Firecrawl: HMAC-SHA256 of the body. Only one fits.
 * @param secret its text is the key, with the prefix
 */
export const firecrawlSignature = (body: Uint8Array, secret: string): readonly [string, string] => [
  'x-firecrawl-signature',
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
];

/**
 * The headers by which a receiver verifies a message (Standard Webhooks 1.0).
 * @param id the same for each try of a message
 * @param at time of the try, ms
 * @param secrets each signs, so that a receiver may know either while they are rotated
 */
export function signatureHeaders(
  id: string,
  at: number,
  body: Uint8Array,
  secrets: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const signed = signing(id, at, secrets);
  for (const hmac of signed.hmacs) hmac.update(body);
  return signed.headers();
}

/** The same for a body that is not in memory. */
export async function signedFileHeaders(
  id: string,
  at: number,
  pieces: AsyncIterable<Uint8Array>,
  secrets: readonly string[],
): Promise<readonly (readonly [name: string, value: string])[]> {
  const signed = signing(id, at, secrets);
  for await (const piece of pieces) for (const hmac of signed.hmacs) hmac.update(piece);
  return signed.headers();
}

function signing(id: string, at: number, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at / 1000));
  const hmacs = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64')).update(`${id}.${timestamp}.`),
  );
  return {
    hmacs,
    headers: () =>
      [
        ['webhook-id', id],
        ['webhook-timestamp', timestamp],
        ['webhook-signature', hmacs.map((hmac) => `v1,${hmac.digest('base64')}`).join(' ')],
      ] as const,
  };
}
