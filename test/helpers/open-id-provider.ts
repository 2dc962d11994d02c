import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';

/** Claims of the people of a provider, by their subject. */
export type People = Record<string, Readonly<Record<string, unknown>>>;

export const CLIENT_ID = 'sluice';
export const CLIENT_SECRET = 'a secret of the provider, 0123456789';

export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Changes an ID token (a JWS) before it is sent; null: they are as they are. */
  changeToken: ((token: string) => string) | null;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Another ID token with these claims. @param key whose signature it has; absent: that of the provider */
export function signToken(
  token: string,
  claims: Readonly<Record<string, unknown>>,
  key = privateKey,
): string {
  const [head, body] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(body!, 'base64url').toString()), ...claims };
  const signed = `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
}

/**
 * A real OpenID provider on 127.0.0.1. Its sign-in page has a field for the subject; `cancel` refuses.
 * @param people may be changed while it runs
 */
export async function startOpenIdProvider(
  port: number,
  redirectUris: readonly string[],
  people: People,
): Promise<TestProvider> {
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [...redirectUris] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    cookies: { keys: ['a key for the cookies of the provider'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    // Nobody is asked for consent.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session!.accountId! });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const running: Pick<TestProvider, 'changeToken'> = { changeToken: null };
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path === '/token' && body?.id_token !== undefined && running.changeToken !== null)
      body.id_token = running.changeToken(body.id_token);
  });
  const handle = provider.callback();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/sign-in/')) void signInPage(provider, request, response);
    else void handle(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(running, {
    issuer,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

async function signInPage(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'POST') {
    const subject = new URLSearchParams(await text(request)).get('subject')!;
    const result = subject === 'cancel' ? { error: 'access_denied' } : { login: { accountId: subject } };
    return await provider.interactionFinished(request, response, result);
  }
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(
    '<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1><form method="post"><label>Subject <input name="subject"></label><button>Continue</button></form></html>',
  );
}
