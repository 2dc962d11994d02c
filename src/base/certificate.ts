import { createPublicKey, generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { addressBytes } from './ip-range.ts';

/** A DER value (X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const bits = (unused: number, bytes: Uint8Array): Buffer => der(0x03, Buffer.from([unused]), bytes);
/** @param hex the encoded identifier */
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const TRUE = der(0x01, Buffer.from([0xff]));

/** UTCTime until 2049, later GeneralizedTime (RFC 5280 §4.1.2.5). */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\..*$/g, '');
  return digits < '2050'
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`));
}

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const COMMON_NAME = objectId('550403');
const BASIC_CONSTRAINTS = objectId('551d13');
const KEY_USAGE = objectId('551d0f');
const EXTENDED_KEY_USAGE = objectId('551d25');
const SERVER_AUTH = objectId('2b06010505070301');
const SUBJECT_ALT_NAME = objectId('551d11');
const SUBJECT_KEY_ID = objectId('551d0e');
const AUTHORITY_KEY_ID = objectId('551d23');
const NAME_CONSTRAINTS = objectId('551d1e');

const CRITICAL = true;
const extension = (id: Buffer, isCritical: boolean, value: Buffer): Buffer =>
  isCritical ? sequence(id, TRUE, octets(value)) : sequence(id, octets(value));

const distinguishedName = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))));

const publicKeyDer = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
const keyId = (key: KeyObject): Buffer => Buffer.from(hash('sha1', publicKeyDer(key), 'hex'), 'hex');

/** 127 random bits; the second highest bit is set, so that the number is positive and has no leading zeros. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return der(0x02, bytes);
}

interface CertificateContent {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly issuerKey: KeyObject;
  /** ms since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly extensions: readonly Buffer[];
}

/** A certificate (RFC 5280), signed with ECDSA and SHA-256, as PEM. */
function signedCertificate(content: CertificateContent): string {
  const { subject, issuer, publicKey, issuerKey, from, to, extensions } = content;
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const toBeSigned = sequence(
    version3,
    serialNumber(),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer),
    sequence(time(from), time(to)),
    distinguishedName(subject),
    publicKeyDer(publicKey),
    der(0xa3, sequence(...extensions)),
  );
  const signature = bits(0, sign('sha256', toBeSigned, issuerKey));
  const text = sequence(toBeSigned, ECDSA_WITH_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

const DAY_MS = 86_400_000;
/** Clocks of clients may be slow. */
const BACKDATED_MS = DAY_MS;
const AUTHORITY_MS = 20 * 365 * DAY_MS;
export const LEAF_MS = 90 * DAY_MS;

export const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

/**
 * A new certificate authority: its certificate and its key as PEM.
 * @param purpose the beginning of its name
 * @param now ms since the epoch
 * @param domain it can vouch for this domain and those below it alone (RFC 5280 §4.2.1.10); null: for every name
 */
export function newAuthority(
  purpose: string,
  now: number,
  domain: string | null = null,
): { readonly name: string; readonly certificate: string; readonly key: KeyObject } {
  const { publicKey, privateKey } = newKeyPair();
  const id = keyId(publicKey);
  // The names of two authorities differ, so that a list of trusted certificates tells them apart.
  const name = `${purpose} ${id.toString('hex', 0, 4)}`;
  const certificate = signedCertificate({
    subject: name,
    issuer: name,
    publicKey,
    issuerKey: privateKey,
    from: now - BACKDATED_MS,
    to: now + AUTHORITY_MS,
    extensions: [
      extension(BASIC_CONSTRAINTS, CRITICAL, sequence(TRUE)),
      // keyCertSign, cRLSign
      extension(KEY_USAGE, CRITICAL, bits(1, Buffer.from([0x06]))),
      extension(SUBJECT_KEY_ID, !CRITICAL, octets(id)),
      ...(domain === null
        ? []
        : [extension(NAME_CONSTRAINTS, CRITICAL, sequence(der(0xa0, sequence(dnsName(domain)))))]),
    ],
  });
  return { name, certificate, key: privateKey };
}

const dnsName = (name: string): Buffer => der(0x82, Buffer.from(name, 'latin1'));

export const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

/** The signer of leaf certificates. */
export interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

/**
 * A certificate for host names (`*.` in front of one: all directly below it) and IP addresses, as PEM.
 * @param now ms since the epoch
 */
export function leafCertificate(
  hosts: readonly string[],
  publicKey: KeyObject,
  issuer: Issuer,
  now: number,
  validMs = LEAF_MS,
): string {
  const names = hosts.map((host) => (isIP(host) === 0 ? dnsName(host) : der(0x87, addressBytes(host)!)));
  return signedCertificate({
    // A host name may be too long for a common name. Clients read the alternative name.
    subject: 'Sluice',
    issuer: issuer.name,
    publicKey,
    issuerKey: issuer.key,
    from: now - BACKDATED_MS,
    to: now + validMs,
    extensions: [
      extension(BASIC_CONSTRAINTS, CRITICAL, sequence()),
      // digitalSignature
      extension(KEY_USAGE, CRITICAL, bits(7, Buffer.from([0x80]))),
      extension(EXTENDED_KEY_USAGE, !CRITICAL, sequence(SERVER_AUTH)),
      extension(SUBJECT_ALT_NAME, !CRITICAL, sequence(...names)),
      extension(AUTHORITY_KEY_ID, !CRITICAL, sequence(der(0x80, keyId(createPublicKey(issuer.key))))),
      extension(SUBJECT_KEY_ID, !CRITICAL, octets(keyId(publicKey))),
    ],
  });
}

/** A key and its certificate, for a TLS server. */
export interface ServerCertificate {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** SHA-256 of the SubjectPublicKeyInfo, base64. */
  readonly keyHash: string;
}

/** A new key with a certificate for these hosts, which is valid as long as the authority. */
export function newServerCertificate(
  hosts: readonly string[],
  issuer: Issuer,
  now: number,
): ServerCertificate {
  const { publicKey, privateKey } = newKeyPair();
  return {
    key: pemOf(privateKey),
    certificate: leafCertificate(hosts, publicKey, issuer, now, AUTHORITY_MS),
    keyHash: hash('sha256', publicKeyDer(publicKey), 'base64'),
  };
}
