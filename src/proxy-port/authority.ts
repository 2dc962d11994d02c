import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type Issuer, LEAF_MS, leafCertificate, newAuthority, newKeyPair } from './certificate.ts';

const MAX_HOSTS = 1_000;

/** The text of the file of a new authority: certificate and key as PEM. @param now ms since the epoch */
export function newAuthorityPem(now: number): string {
  const { certificate, key } = newAuthority(now);
  return certificate + key;
}

/** The certificate in the file of an authority, as PEM; null: there is none. */
export function certificateIn(authorityPem: string): string | null {
  const found = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(authorityPem);
  return found === null ? null : `${found[0]}\n`;
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

  /**
   * Throws if the text is not that of an authority.
   * @param pem see `newAuthorityPem`
   */
  constructor(pem: string, now: () => number) {
    const certificate = certificateIn(pem);
    if (certificate === null) throw new Error('there is no certificate');
    const parsed = new X509Certificate(certificate);
    const key = createPrivateKey(pem);
    if (!parsed.checkPrivateKey(key)) throw new Error('the certificate belongs to another key');
    this.certificate = certificate;
    this.#issuer = { name: parsed.subject.replace(/^CN=/, ''), key };
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
      key: this.#leafKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: leafCertificate(host, this.#leafKeys.publicKey, this.#issuer, now),
    });
  }
}
