import type { ClientAuth, Configuration, UserInfoResponse } from 'openid-client';
import type { Role } from '../../domain/account.ts';
import type { NoIdentity, OpenIdProvider, ProvidedIdentity } from '../../ports/open-id-provider.ts';

interface ProviderOptions {
  /** `https`, or `http` on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** Name of a claim, or its path with dots; null: administrators set roles. */
  readonly roleClaim: string | null;
  /** Values of the claim with their roles, the first that fits counts. */
  readonly roles: readonly { readonly value: string; readonly role: Role }[];
  /** For the log. @param why without secrets */
  readonly onProblem: (why: string) => void;
}

const TIMEOUT_S = 10;
/** The clocks of two machines differ by less. */
const CLOCK_DIFFERENCE_S = 300;
const MAX_MESSAGE_LENGTH = 300;

type Claims = Readonly<Record<string, unknown>>;

/** Calls the provider directly. Its endpoints are discovered at the first sign-in, so that Sluice starts while it is down. */
export function createOpenIdProvider(options: ProviderOptions): OpenIdProvider {
  // Imported here, because most services have no provider.
  const library = () => import('openid-client');
  let discovering: Promise<Configuration> | null = null;

  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await library();
    const { issuer, clientId, clientSecret } = options;
    // Also the signature of the ID token, by the keys at `jwks_uri`, though it comes from the provider itself (OpenID Connect
    // Core §3.1.3.7 item 6): a proxy between may have changed it.
    const execute = [
      enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
    ];
    const auth = await clientAuth(clientSecret);
    return discovery(new URL(issuer), clientId, undefined, auth, { execute, timeout: TIMEOUT_S });
  }

  function configuration(): Promise<Configuration> {
    // A failure is not kept: the next sign-in asks again.
    discovering ??= discover().catch((error: unknown) => {
      discovering = null;
      throw error;
    });
    return discovering;
  }

  function refused(error: unknown): NoIdentity {
    const refusal = refusalOf(error);
    if (refusal !== 'cancelled') options.onProblem(messageOf(error));
    return { refusal };
  }

  return {
    issuer: options.issuer,
    async begin(redirectUri, { state, nonce, verifier }) {
      try {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
        const { href } = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: options.scopes,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return { url: href };
      } catch (error) {
        return refused(error);
      }
    },
    async finish(callbackUrl, { state, nonce, verifier }) {
      try {
        const { authorizationCodeGrant, fetchUserInfo } = await library();
        const config = await configuration();
        const tokens = await authorizationCodeGrant(config, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        // `expectedNonce` requires an ID token.
        const idToken = tokens.claims()!;
        if (idToken.iat > Date.now() / 1000 + CLOCK_DIFFERENCE_S)
          throw new Error('the ID token was issued in the future (`iat`)');
        // Many providers put only the subject into the ID token (OpenID Connect Core §5.4).
        const userInfo: UserInfoResponse | null =
          config.serverMetadata().userinfo_endpoint === undefined
            ? null
            : await fetchUserInfo(config, tokens.access_token, idToken.sub);
        return identityOf(options, idToken.sub, [idToken, userInfo ?? {}]);
      } catch (error) {
        return refused(error);
      }
    },
  };
}

/** The method that OpenID Connect Discovery 1.0 §3 makes the default, unless the provider knows only the other one. */
async function clientAuth(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await import('openid-client');
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const method = methods === undefined || methods.includes('client_secret_basic') ? basic : post;
    method(server, client, body, headers);
  };
}

/** @param sources the ID token, which wins, and the claims of the UserInfo endpoint */
function identityOf(
  { issuer, roleClaim, roles }: ProviderOptions,
  subject: string,
  sources: readonly Claims[],
): ProvidedIdentity {
  // Address and verification are from the same source: they belong together.
  const verified = sources.find(
    ({ email, email_verified }) => typeof email === 'string' && email_verified === true,
  );
  const role = roleClaim === null ? null : roleIn(sources, roleClaim, roles);
  return { issuer, subject, verifiedEmail: (verified?.email as string | undefined) ?? null, role };
}

function roleIn(sources: readonly Claims[], name: string, roles: ProviderOptions['roles']): Role | 'none' {
  const claim = sources.map((claims) => claimIn(claims, name)).find((value) => value !== undefined);
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return roles.find(({ value }) => values.includes(value))?.role ?? 'none';
}

/** Names may contain dots, as URLs do; otherwise they lead into objects, such as `realm_access.roles`. */
function claimIn(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}

/** What the errors of the library have, as far as they are used. */
interface ProviderError extends Error {
  readonly code?: string;
  /** Code of OAuth 2.0 that the provider has sent. */
  readonly error?: string;
  readonly error_description?: string;
  readonly status?: number;
}

/** Errors of OAuth 2.0 (RFC 6749 §4.1.2.1) and of the library that pass by themselves. */
const UNAVAILABLE: readonly (string | undefined)[] = [
  'server_error',
  'temporarily_unavailable',
  'OAUTH_TIMEOUT',
  // Another status or media type than expected: a proxy in front of the provider.
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
];

function refusalOf(thrown: unknown): NoIdentity['refusal'] {
  const { code, error } = thrown as ProviderError;
  if (error === 'access_denied') return 'cancelled';
  // `fetch` rejects with a TypeError that has a cause.
  const isNetwork = thrown instanceof TypeError && thrown.cause !== undefined;
  return isNetwork || UNAVAILABLE.includes(error) || UNAVAILABLE.includes(code)
    ? 'provider_unavailable'
    : 'provider_failed';
}

function messageOf(thrown: unknown): string {
  const { message, code, error, error_description, cause } = thrown as ProviderError;
  const reason = cause instanceof Error ? cause.message : undefined;
  return [message, code, error, error_description, reason]
    .filter((text) => text !== undefined)
    .join('; ')
    .slice(0, MAX_MESSAGE_LENGTH);
}
