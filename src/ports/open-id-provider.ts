import type { Role } from '../domain/account.ts';
import type { SignInRefusal } from '../domain/open-id.ts';

/** What binds the second step of a sign-in to the first. Secret: whoever has it can use the response of the provider. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** An account as the provider describes it. */
export interface ProvidedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** null: none, or the provider does not say that it has verified the address. */
  readonly verifiedEmail: string | null;
  /** `none`: the claim gives no role; null: administrators set roles. */
  readonly role: Role | 'none' | null;
}

/** The provider gave no identity, and why. */
export interface NoIdentity {
  readonly refusal: Extract<SignInRefusal, 'provider_unavailable' | 'provider_failed' | 'cancelled'>;
}

/**
 * Signs in by OpenID Connect, with the authorization code flow. Every implementation guarantees: methods never reject, and each
 * request to the provider ends after 10 s; a provider that is down is asked again at the next call.
 */
export interface OpenIdProvider {
  readonly issuer: string;
  /** @returns the URL to which the browser goes */
  begin(redirectUri: string, secrets: SignInSecrets): Promise<{ readonly url: string } | NoIdentity>;
  /** @param callbackUrl the redirect URI with the parameters that the provider has added */
  finish(callbackUrl: URL, secrets: SignInSecrets): Promise<ProvidedIdentity | NoIdentity>;
}
