import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import {
  type Issuer,
  LEAF_MS,
  leafCertificate,
  newAuthority,
  newKeyPair,
  pemOf,
} from '../base/certificate.ts';
import type { Clock } from '../base/time.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { SecretStore } from '../ports/secrets.ts';

const MAX_HOSTS = 1_000;

/** Name and owner of the secret. */
const SECRET = 'proxy.authority';

/** The authority that the store has, made if there is none yet: certificate and key as PEM. @throws SealError */
export async function openAuthorityPem(
  secrets: Pick<SecretStore, 'getOrAdd'>,
  sealer: Sealer,
  clock: Clock,
): Promise<string> {
  const { certificate, key } = newAuthority('Sluice proxy port', clock.now());
  const sealed = sealer.seal(SECRET, SECRET, Buffer.from(certificate + pemOf(key)));
  return sealer.open(SECRET, SECRET, await secrets.getOrAdd(SECRET, sealed)).toString();
}

/** Deletes the authority, so that the next start makes another one. */
export const deleteAuthority = (secrets: Pick<SecretStore, 'delete'>): Promise<void> =>
  secrets.delete(SECRET);

/** The certificate of an authority, as PEM. */
export function certificateIn(authorityPem: string): string {
  const [found] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(authorityPem)!;
  return `${found}\n`;
}

interface HostContext {
  readonly context: SecureContext;
  /** ms since the epoch. */
  readonly madeAt: number;
}

/**
 * The certificate authority of the proxy port. All hosts have the same key, which only this process knows, so that a
 * certificate takes one signature. Certificates are kept, because clients resume TLS sessions with them.
 */
export class Authority {
  /** PEM. */
  readonly certificate: string;
  readonly #issuer: Issuer;
  readonly #leafKeys = newKeyPair();
  readonly #now: () => number;
  /** In the order of their last use. */
  readonly #contexts = new Map<string, HostContext>();

  /** @param pem see `openAuthorityPem` */
  constructor(pem: string, now: () => number) {
    this.certificate = certificateIn(pem);
    const name = new X509Certificate(this.certificate).subject.replace(/^CN=/, '');
    this.#issuer = { name, key: createPrivateKey(pem) };
    this.#now = now;
  }

  /** What a TLS server needs to be the host. @param host name or IP address */
  contextFor(host: string): SecureContext {
    const name = host.toLowerCase();
    const known = this.#contexts.get(name);
    this.#contexts.delete(name);
    const now = this.#now();
    const isFresh = known !== undefined && Math.abs(now - known.madeAt) < LEAF_MS / 2;
    const kept = isFresh ? known : { context: this.#newContext(name, now), madeAt: now };
    this.#contexts.set(name, kept);
    if (this.#contexts.size > MAX_HOSTS) this.#contexts.delete(this.#contexts.keys().next().value!);
    return kept.context;
  }

  #newContext(host: string, now: number): SecureContext {
    return createSecureContext({
      key: pemOf(this.#leafKeys.privateKey),
      cert: leafCertificate([host], this.#leafKeys.publicKey, this.#issuer, now),
    });
  }
}
