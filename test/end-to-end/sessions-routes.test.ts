import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { ApiOptions } from '../helpers/client.ts';
import { openApi } from '../helpers/openapi.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { newUser, PASSWORD, signIn, type Visitor, visit } from '../helpers/visitor.ts';
import type { KeyObject, Problem, RecordList, SessionEntry } from '../helpers/wire-types.ts';

/** These operations are public; all others need a key or a session. */
const PUBLIC = `signIn checkSetUpLink setUp getSingleSignOn startSingleSignOn finishSingleSignOn listErrors getOpenapi getHealth getReadiness getMetrics getDocs getDocsApi getVersion getLlms getProxyCa`;
const BY_SESSION_ALONE = `getSession signOut listSessions endOtherSessions endSession changePassword getSecondFactor enrolSecondFactor confirmSecondFactor disableSecondFactor getWebhookSecret rotateWebhookSecret getDefaultWebhook setDefaultWebhook deleteDefaultWebhook`;
/** They are about the key of the request, and a session has none: 404. */
const OF_THE_KEY = 'getOwnKey';
const FOR_ADMINS = `listAudit resetSecondFactor removeIdentities listUsers createUser getUser changeUser createUserLink listInvitations invite resendInvitation revokeInvitation listProxies changeProxies listPoolSettings createPool getPoolSettings changePool testPool deletePool getProxyHistory listVendors createVendor getVendor changeVendor testVendor deleteVendor getVendorHistory getSystemHistory getSystem getPrices setPrices changeSiteLimits deletePrices pinSite unpinSite forgetSite`;

/** They need a second factor or an identity, which the users of this file do not have: 400. */
const OF_A_SECOND_FACTOR = 'confirmSecondFactor disableSecondFactor resetSecondFactor removeIdentities'.split(
  ' ',
);

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples: Record<string, { value: unknown }> }>>;
  };
}
interface Call {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly security: readonly string[];
}

/** Every operation of the OpenAPI document, with its example body. */
const CALLS: readonly Call[] = Object.entries(openApi().paths).flatMap(([path, methods]) =>
  Object.entries(methods as unknown as Record<string, Operation>).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    body: Object.values(operation.requestBody?.content['application/json']?.examples ?? {})[0]?.value,
    security: operation.security.flatMap((one) => Object.keys(one)),
  })),
);
const named = (ids: string): Call[] => ids.split(' ').map((id) => CALLS.find((call) => call.id === id)!);
const CLOSED = CALLS.filter(({ id }) => !PUBLIC.split(' ').includes(id));

const channelTo = (url: string) => ({ name: 'x', type: 'webhook', url });
const alertTo = (url: string) => ({ name: 'x', kind: 'monitor', channels: [{ type: 'webhook', url }] });

describe('access to every operation of the API', () => {
  const site = useSite();
  const service = useOwnService({ SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8', SLUICE_PROXY_PORT: '0' });
  let ann: Visitor;
  let bob: Visitor;
  /** Ids of Ann's objects, by the path segment before the id. */
  const hers: Record<string, string> = {};

  before(async () => {
    ann = await signIn(service, (await newUser(service)).email);
    bob = await signIn(service, (await newUser(service)).email);
    const { body } = await ann.call<{ id: string }>('POST', '/api/v1/scrape/', {
      body: { url: `${site.url}/text` },
    });
    const key = await ann.call<KeyObject>('POST', '/api/v1/keys/', { body: { name: 'hers' } });
    const made = async (path: string, of: object) =>
      (await ann.call<{ id: string }>('POST', path, { body: of })).body.id;
    const request = { url: `${site.url}/hang`, scraper: 'http' };
    hers.jobs = await made('/api/v1/batches/', { requests: [request] });
    hers.monitors = await made('/api/v1/monitors/', { name: 'x', request, schedule: { every_s: 86_400 } });
    hers.schedules = await made('/api/v1/schedules/', {
      name: 'x',
      job: { kind: 'scrape', ...request },
      schedule: { every_s: 86_400 },
    });
    hers.datasets = await made('/api/v1/datasets/', { name: 'x' });
    hers.channels = await made('/api/v1/channels/', channelTo(`${site.url}/text`));
    const ended = await made('/api/v1/batches/', { requests: [{ ...request, url: `${site.url}/text` }] });
    await eventually(async () => {
      const job = await ann.call<{ state: string }>('GET', `/api/v1/jobs/${ended}/`);
      return job.body.state === 'done' ? true : null;
    });
    hers.exports = await made(`/api/v1/jobs/${ended}/export/`, { format: 'csv', target: { kind: 'link' } });
    hers.alerts = await made('/api/v1/alerts/', alertTo(`${site.url}/text`));
    hers.webhooks = await made('/api/v1/webhooks/test/', { url: `${site.url}/text` });
    const invitation = { email: 'carol@example.com' };
    hers.invitations = (
      await service.api<{ id: string }>('POST', '/api/v1/invitations/', { body: invitation })
    ).body.id;
    hers['saved-requests'] = await made('/api/v1/saved-requests/', { name: 'x', request });
    // One for each operation on a profile, because deleting it is one of them.
    for (const { id, path } of CALLS)
      if (path.includes('/profiles/{name}/'))
        await bob.call('POST', '/api/v1/profiles/', { body: { name: id, sites: ['example.com'] } });
    hers.scrape = body.id;
    hers.keys = key.body.id;
    hers.users = ann.session.user.id;
    hers.all = ann.session.session.id;
  });

  const pathOf = ({ id, path }: Call) =>
    path
      .replace(/([\w-]+)\/\{id\}/, (_, word: string) => `${word}/${hers[word] ?? assert.fail(path)}`)
      .replace('{host}', encodeURIComponent(new URL(site.url).host))
      // The operations before have made them.
      .replace(/(pools|vendors)\/\{name\}/, '$1/own')
      .replace('profiles/{name}', `profiles/${id}`)
      .replace('{name}', 'product');
  const bodyOf = ({ id, body }: Call): ApiOptions => {
    if (id === 'createScrape') return { body: { url: `${site.url}/text` } };
    if (id === 'compareWays')
      return { body: { request: { url: `${site.url}/text` }, ways: ['http', 'vendor:none'] } };
    if (id === 'invite') return { body: { email: 'dave@example.com' } };
    if (id === 'createAlert') return { body: alertTo(`${site.url}/text`) };
    if (id === 'createChannel') return { body: channelTo(`${site.url}/text`) };
    if (id === 'silenceAlert') return { body: { until: null } };
    // Nothing outside of this machine is asked.
    const nobody = 'http://127.0.0.1:1';
    if (id === 'createPool') return { body: { name: 'own', type: 'mobile', proxies: [nobody] } };
    if (id === 'createVendor') return { body: { name: 'own', kind: 'flaresolverr', base_url: nobody } };
    if (id === 'testPool' || id === 'testVendor') return { body: { url: `${site.url}/text` } };
    if (id === 'createMap') return { body: { url: `${site.url}/` } };
    if (id === 'testWebhook' || id === 'setDefaultWebhook') return { body: { url: `${site.url}/text` } };
    if (id === 'changePassword') return { body: { current_password: PASSWORD, new_password: PASSWORD } };
    return body === undefined ? {} : { body };
  };
  const answer = async (ask: Promise<{ status: number; body: Problem }>) => {
    const { status, body } = await ask;
    return [status, body.code];
  };

  test('the document has the access of each operation', () => {
    for (const { id, security } of CALLS) {
      const wanted = PUBLIC.split(' ').includes(id)
        ? []
        : BY_SESSION_ALONE.split(' ').includes(id)
          ? ['session']
          : ['apiKey', 'bearer', 'apiKeyHeader', 'session'];
      assert.deepEqual(security, wanted, id);
    }
    assert.ok(CLOSED.length > 20, String(CLOSED.length));
  });

  for (const call of CLOSED) {
    const title = `${call.method} ${call.path}`;
    const unsafe = call.method !== 'GET';
    test(`${title}: refused without a session, after its end, and from another origin`, async () => {
      const path = pathOf(call);
      const body = bodyOf(call);
      const as = (headers: Record<string, string>) =>
        answer(service.api<Problem>(call.method, path, { key: null, headers, ...body }));
      assert.deepEqual(await as({}), [401, 'auth.missing']);
      assert.deepEqual(await as({ origin: service.base }), [401, 'auth.missing']);
      const made_up = `sluice_session=${'A'.repeat(43)}`;
      assert.deepEqual(await as({ origin: service.base, cookie: made_up }), [401, 'auth.invalid']);
      if (!unsafe) return;
      for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }])
        assert.deepEqual(await as({ ...headers, cookie: ann.cookie }), [403, 'auth.origin']);
    });
  }

  for (const call of CLOSED.filter(({ path }) => path.includes('{id}')))
    test(`${call.method} ${call.path}: an object of another user is a 404`, async () => {
      const { status, body } = await bob.call<Problem>(call.method, pathOf(call), bodyOf(call));
      const wanted = /\/(users|invitations)\//.test(call.path)
        ? [403, 'auth.scope']
        : [404, 'request.not_found'];
      assert.deepEqual([status, body.code], wanted);
    });

  test('the objects of another user are unchanged, and in no list', async () => {
    assert.equal((await ann.call('GET', '/api/v1/session/')).status, 200);
    assert.equal((await ann.call('GET', `/api/v1/scrape/${hers.scrape}/`)).status, 200);
    const key = await ann.call<KeyObject>('GET', `/api/v1/keys/${hers.keys}/`);
    assert.deepEqual([key.body.name, key.body.revoked_at], ['hers', null]);
    assert.deepEqual((await bob.call<RecordList>('GET', '/api/v1/scrape/')).body.items, []);
    const keys = await bob.call<{ items: KeyObject[] }>('GET', '/api/v1/keys/');
    assert.deepEqual(keys.body.items, []);
    const sessions = await bob.call<{ items: SessionEntry[] }>('GET', '/api/v1/session/all/');
    assert.deepEqual(
      sessions.body.items.map(({ id }) => id),
      [bob.session.session.id],
    );
  });

  for (const call of CLOSED.filter(({ path }) => !path.includes('{id}')))
    test(`${call.method} ${call.path}: a user who is no administrator`, async () => {
      // Some operations end the session.
      const fresh = await signIn(service, bob.session.user.email);
      const ask = () => fresh.call<Problem>(call.method, pathOf(call), bodyOf(call));
      // The scrape before is counted a moment later.
      const isCounted = async () => {
        const reply = await ask();
        return reply.status === 404 ? null : reply;
      };
      const { status, body } = call.id === 'getSiteBill' ? await eventually(isCounted) : await ask();
      if (FOR_ADMINS.split(' ').includes(call.id)) assert.deepEqual([status, body.code], [403, 'auth.scope']);
      else if (call.id === OF_THE_KEY) assert.deepEqual([status, body.code], [404, 'request.not_found']);
      else if (OF_A_SECOND_FACTOR.includes(call.id)) assert.equal(status, 400);
      else assert.ok(status >= 200 && status < 300, `${status} ${JSON.stringify(body)}`);
    });

  test('without an OpenID provider, sign-in by one is not offered', async () => {
    const settings = await visit(service, 'GET', '/api/v1/session/oidc/');
    assert.deepEqual(settings.body, { enabled: false, name: null });
    for (const step of ['start', 'callback']) {
      const reply = await visit<Problem>(service, 'GET', `/api/v1/session/oidc/${step}/`);
      assert.deepEqual([reply.status, reply.body.code], [404, 'request.not_found']);
    }
  });

  test('an administrator manages users by session', async () => {
    const admin = await signIn(service, (await newUser(service, { role: 'admin' })).email);
    for (const call of named(FOR_ADMINS)) {
      const { status, text } = await admin.call(call.method, pathOf(call), bodyOf(call));
      const wanted = OF_A_SECOND_FACTOR.includes(call.id) ? [400] : [200, 201, 204];
      assert.ok(wanted.includes(status), `${call.id}: ${status} ${text}`);
    }
  });

  test('the operations on sessions refuse a key', async () => {
    for (const call of named(BY_SESSION_ALONE)) {
      const asked = service.api<Problem>(call.method, pathOf(call), {
        headers: { origin: service.base },
        ...bodyOf(call),
      });
      assert.deepEqual(await answer(asked), [401, 'auth.missing'], call.id);
    }
  });

  test('public operations need neither key nor session', async () => {
    for (const call of named(PUBLIC)) {
      const { status } = await visit(service, call.method, call.path, bodyOf(call));
      // The examples of passwords and links are not good ones.
      // No OpenID provider is set.
      const noProvider = ['startSingleSignOn', 'finishSingleSignOn'].includes(call.id);
      const wanted = noProvider ? 404 : call.method === 'POST' ? 401 : 200;
      assert.equal(status, wanted, call.id);
    }
  });
});
