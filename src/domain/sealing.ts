import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * What is stored encrypted, in words for operators. The names are a part of the encryption and must never change.
 * The store has a list of the columns: `SEALED_COLUMNS` of src/adapters/store/schema/sealed-columns.ts.
 */
export const SEAL_PURPOSES = {
  'job.spec': 'requests of jobs',
  'job.item': 'requests of items of jobs',
  'webhook.spec': 'webhooks of jobs, channels of alerts',
  'webhook.content': 'scrapes that webhooks are to get',
  'webhook.secret': 'secrets of webhooks',
  'webhook.default': 'default webhooks',
  'monitor.target': 'requests of monitors',
  'schedule.job': 'requests of schedules',
  'export.target': 'targets of exports',
  clearance: 'cookies of passed bot checks, for minutes',
  totp: 'second factors of users',
  oidc: 'sign-ins at the OpenID provider, for minutes',
  'proxy.authority': 'certificate authority of the proxy port',
  profile: 'profiles',
  'profile.credentials': 'credentials of profiles',
  setting: 'proxy pools and vendors',
  idempotency: 'responses to repeated requests',
  handover: 'scrapes handed to workers',
} as const satisfies Record<string, string>;

export type SealPurpose = keyof typeof SEAL_PURPOSES;

export interface EncryptionKey {
  /** Eight hexadecimal digits, made from the key. They do not reveal it. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** @param bytes 32 bytes */
export const encryptionKey = (bytes: Uint8Array): EncryptionKey => ({
  id: hash('sha256', Buffer.concat([Buffer.from('sluice key id'), bytes])).slice(0, 8),
  bytes,
});

const KEY_BYTES = 32;

/** A key of 32 bytes in base64, base64url or hexadecimal; null: it is none. */
export function parseEncryptionKey(text: string): EncryptionKey | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return encryptionKey(Buffer.from(text, 'hex'));
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES ? encryptionKey(bytes) : null;
}

/** Why bytes cannot be opened: they are damaged, belong to something else, or their key is unknown. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** Encrypts what is stored and must stay secret even from somebody who has a copy of the database. */
export interface Sealer {
  /** The id of the key that `seal` uses now. */
  readonly keyId: string;
  /**
   * @param purpose what the bytes are
   * @param owner whose they are, such as the id of a user. Bytes of one owner or purpose cannot be opened for another
   */
  seal(purpose: SealPurpose, owner: string, bytes: Uint8Array): Uint8Array;
  /** @throws SealError */
  open(purpose: SealPurpose, owner: string, sealed: Uint8Array): Buffer;
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const TEXT_OFFSET = HEAD_BYTES + SALT_BYTES + NONCE_BYTES;

/**
 * AES-256-GCM (NIST SP 800-38D). The result is: version, key id, salt, nonce, ciphertext, tag. Each result has a key of its own,
 * derived from the salt (HKDF, RFC 5869), so that the number of results is not limited by that of random nonces. Version, key id,
 * purpose and owner are the associated data.
 * @param keys the newest first; not empty
 * @param sealingKeyId the id of the key that encrypts; null: the newest
 */
export function createSealer(
  keys: readonly EncryptionKey[],
  sealingKeyId: () => string | null = () => null,
): Sealer {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const keyId = () => sealingKeyId() ?? keys[0]!.id;
  return {
    get keyId() {
      return keyId();
    },
    seal(purpose, owner, bytes) {
      const id = keyId();
      const head = Buffer.alloc(HEAD_BYTES);
      head[0] = VERSION;
      head.write(id, 1, 'hex');
      const random = randomBytes(SALT_BYTES + NONCE_BYTES);
      const key = derivedKey(byId.get(id)!, purpose, random);
      const cipher = createCipheriv('aes-256-gcm', key, random.subarray(SALT_BYTES));
      cipher.setAAD(associatedData(head, purpose, owner));
      return Buffer.concat([head, random, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open(purpose, owner, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const id = sealKeyId(sealed);
      if (id === null) throw new SealError(`These bytes are not encrypted (${purpose}).`);
      const key = byId.get(id);
      if (key === undefined) throw new SealError(`The encryption key ${id} is not known (${purpose}).`);
      const random = bytes.subarray(HEAD_BYTES, TEXT_OFFSET);
      const decipher = createDecipheriv(
        'aes-256-gcm',
        derivedKey(key, purpose, random),
        random.subarray(SALT_BYTES),
        { authTagLength: TAG_BYTES },
      );
      decipher.setAAD(associatedData(bytes.subarray(0, HEAD_BYTES), purpose, owner));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(TEXT_OFFSET, -TAG_BYTES)), decipher.final()]);
      } catch (cause) {
        throw new SealError(`Encrypted bytes are damaged, or belong elsewhere (${purpose}).`, { cause });
      }
    },
  };
}

/** The id of the key that bytes were sealed with; null: they are not the result of `seal`. */
export function sealKeyId(sealed: Uint8Array): string | null {
  if (sealed.length < TEXT_OFFSET + TAG_BYTES || sealed[0] !== VERSION) return null;
  return Buffer.from(sealed.buffer, sealed.byteOffset + 1, KEY_ID_BYTES).toString('hex');
}

const derivedKey = (key: EncryptionKey, purpose: SealPurpose, random: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key.bytes, random.subarray(0, SALT_BYTES), `sluice ${purpose}`, KEY_BYTES));

const associatedData = (head: Uint8Array, purpose: SealPurpose, owner: string): Buffer =>
  Buffer.concat([head, Buffer.from(`${purpose}\0${owner}`)]);
