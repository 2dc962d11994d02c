import { constants } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/** What is trusted, made once for each of the two ways: reading the root certificates takes tens of milliseconds. */
export class TlsContexts {
  readonly #ca: readonly string[] | null;
  #verified: SecureContext | null = null;
  #unverified: SecureContext | null = null;

  /** @param ca certificates (PEM) that are trusted beside the authorities of Node; null: none */
  constructor(ca: readonly string[] | null) {
    this.#ca = ca;
  }

  for(verify: boolean): SecureContext {
    if (verify) {
      this.#verified ??= createSecureContext({ ca: [...getCACertificates('default'), ...(this.#ca ?? [])] });
      return this.#verified;
    }
    // Who waives the certificate wants the page of an old server: whatever OpenSSL still speaks will do.
    this.#unverified ??= createSecureContext({
      ca: [],
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
      secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    });
    return this.#unverified;
  }
}
