// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type LogInSite, startLogInSite, USER } from '../adapters/browser/log-in-site.ts';
import { chromiums } from '../adapters/browser/stage.ts';
import { useService } from '../helpers/service.ts';
import { profileKey } from '../helpers/visitor.ts';
import type { Problem } from '../helpers/wire-types.ts';
import { act, done, results } from './acting.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const PROFILES = '/api/v1/profiles/';
const CREDENTIALS = { username: USER.username, password: USER.password, totp_seed: USER.totpSeed };

interface Profile extends Problem {
  readonly has_credentials: boolean;
}

describe('credentials of profiles', () => {
  const service = useService();
  let key: string;
  let site: LogInSite;
  before(async () => {
    key = await profileKey(service);
    site = await startLogInSite();
  });
  after(() => site[Symbol.asyncDispose]());
  const create = (body: object) => service.api<Profile>('POST', PROFILES, { body, key });
  const change = (name: string, body: object) =>
    service.api<Profile>('PATCH', `${PROFILES}${name}/`, { body, key });

  test('are given, kept, replaced and deleted, and never returned', async () => {
    const made = await create({ name: 'kept', sites: ['example.com'], credentials: CREDENTIALS });
    assert.deepEqual([made.status, made.body.has_credentials], [201, true], made.text);
    const renamed = await change('kept', { shared: false });
    assert.equal(renamed.body.has_credentials, true);
    const all = [made, renamed];
    all.push(await service.api<Profile>('GET', `${PROFILES}kept/`, { key }));
    all.push(await service.api<Profile>('GET', `${PROFILES}kept/export/`, { key }));
    all.push(await service.api<Profile>('GET', PROFILES, { key }));
    for (const { text } of all) {
      assert.doesNotMatch(text, /ann@example|Pa\$\$|GEZD/);
      assert.doesNotMatch(text, /"(?:username|password|totp_seed)"/);
    }
    assert.equal((await change('kept', { credentials: null })).body.has_credentials, false);
  });

  test('are refused with the place, and without the value', async () => {
    for (const [credentials, pointer] of [
      [{ ...CREDENTIALS, totp_seed: 'no-base-32-0189' }, '/credentials/totp_seed'],
      [{ ...CREDENTIALS, totp_seed: 'otpauth://hotp/a?secret=GEZDGNBV' }, '/credentials/totp_seed'],
      [{ username: 'ann' }, '/credentials/password'],
      [{ ...CREDENTIALS, pin: '1' }, '/credentials/pin'],
    ] as const) {
      const { status, body, text } = await create({ name: 'refused', sites: ['example.com'], credentials });
      assert.equal(status, 400, text);
      assert.deepEqual(
        (body.errors as readonly { pointer: string }[]).map((error) => error.pointer),
        [pointer],
      );
      assert.doesNotMatch(text, /0189|hotp\/a|Pa\$\$/);
    }
  });

  test('log in, with a key for profiles alone', { skip }, async () => {
    const made = await create({ name: 'ann', sites: ['127.0.0.1'], credentials: CREDENTIALS });
    assert.equal(made.status, 201, made.text);
    const as = (credential: string) => ({
      scrape: (body: unknown) => service.scrape(body, { key: credential }),
    });
    const acted = await act(as(key), `${site.url}/steps`, [{ login: 'ann' }]);
    assert.deepEqual(results(acted), [{ steps: ['username', 'password', 'code'] }], acted.text);
    assert.match(acted.content, /Welcome, Ann/);
    const record = await service.api(`GET`, `/api/v1/scrape/${acted.body.id}/`, { key });
    for (const { text } of [acted, record]) assert.doesNotMatch(text, /Pa\$\$|GEZD/);
    const branch = [{ type: 'if', selector: 'body', then: [{ login: 'ann' }] }];
    const other = await profileKey(service, ['scrape', 'read', 'jobs']);
    const refused = await act(as(other), `${site.url}/steps`, branch);
    assert.deepEqual([refused.status, refused.body.errors[0]!.code], [403, 'auth.scope']);
    const unknown = await act(as(key), `${site.url}/steps`, [{ login: 'nobody' }]);
    assert.equal(unknown.actions[0]!.error?.code, 'profile.unknown');
    assert.equal((await create({ name: 'plain', sites: ['127.0.0.1'] })).status, 201);
    const none = await act(as(key), `${site.url}/steps`, [{ login: 'plain' }]);
    assert.equal(none.actions[0]!.error?.code, 'profile.credentials');
  });

  test('of another user log in where the profile is used', { skip }, async () => {
    const shared = { name: 'team', sites: ['127.0.0.1'], credentials: CREDENTIALS, shared: true };
    assert.equal((await create(shared)).status, 201);
    const bert = await profileKey(service);
    const as = { scrape: (body: unknown) => service.scrape(body, { key: bert }) };
    const alone = await act(as, `${site.url}/one`, [{ login: 'team' }]);
    assert.equal(alone.actions[0]!.error?.code, 'profile.owner', alone.text);
    const own = { name: 'own', sites: ['127.0.0.1'] };
    assert.equal((await service.api('POST', PROFILES, { body: own, key: bert })).status, 201);
    const into = await act(as, `${site.url}/one`, [{ login: 'team' }], {
      scraper_options: { profile: 'own' },
    });
    assert.equal(into.actions[0]!.error?.code, 'profile.owner', into.text);
    const used = await done(as, `${site.url}/one`, [{ login: 'team' }], {
      scraper_options: { profile: 'team' },
    });
    assert.match(used.content, /Welcome, Ann/);
    assert.doesNotMatch(used.text, /the-session-of-ann/);
  });
});
