import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';
import { signIn } from '../helpers/visitor.ts';
import type { RecordLine, RecordList, ScrapeAnswer } from '../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';
type Line = RecordLine & { readonly user_id?: string };

interface Person {
  readonly email: string;
  /** Value of the `Authorization` header. */
  key: string;
  /** `Cookie` of a session. */
  cookie: string;
}

describe('the history of several users', () => {
  const site = useSite();
  const service = useOwnService();
  const admin: Person = { email: 'admin2@example.com', key: '', cookie: '' };
  const anna: Person = { email: 'anna@example.com', key: '', cookie: '' };
  const bert: Person = { email: 'bert@example.com', key: '', cookie: '' };

  before(async () => {
    for (const person of [admin, anna, bert]) {
      person.key = (
        await createUser(service, { email: person.email, role: person === admin ? 'admin' : 'user' })
      ).key;
      person.cookie = (await signIn(service, person.email)).cookie;
    }
  });

  const bySession = <T>(who: Person, method: string, path: string) =>
    service.api<T>(method, path, { key: null, headers: { cookie: who.cookie, origin: service.base } });
  const scraped = async (who: Person, path: string) =>
    (await service.scrape({ url: site.url + path }, { key: who.key })).body.id!;
  const lines = async (who: Person, query = '') =>
    (await bySession<RecordList>(who, 'GET', `${SCRAPE}?${query}`)).body.items as readonly Line[];
  const idOf = async (who: Person) =>
    (await bySession<{ user: { id: string } }>(who, 'GET', '/api/v1/session/')).body.user.id;

  test("an administrator's session sees the scrapes of all users; keys and other users see their own", async () => {
    const a = await scraped(anna, '/text?a');
    const b = await scraped(bert, '/text?b');
    const c = await scraped(admin, '/text?c');
    assert.deepEqual(
      (await lines(admin, 'limit=3')).map(({ id, user_id }) => [id, user_id]),
      [
        [c, await idOf(admin)],
        [b, await idOf(bert)],
        [a, await idOf(anna)],
      ],
    );
    const own = await lines(admin, `user_id=${await idOf(anna)}`);
    assert.deepEqual(
      own.map(({ id }) => id),
      [a],
    );
    assert.deepEqual(await lines(admin, 'user_id=nobody'), []);
    for (const [who, id] of [
      [anna, a],
      [bert, b],
    ] as const) {
      const seen = await lines(who);
      assert.deepEqual(
        seen.map((line) => line.id),
        [id],
      );
      assert.ok(!('user_id' in seen[0]!));
      const refused = await bySession(who, 'GET', `${SCRAPE}?user_id=${await idOf(bert)}`);
      assert.equal(refused.status, 400);
    }
    const byKey = (await service.api<RecordList>('GET', SCRAPE, { key: admin.key })).body.items;
    assert.deepEqual(
      byKey.map(({ id }) => id),
      [c],
    );
  });

  test('the same holds for a record, its request and content, the export, and deleting', async () => {
    const a = await scraped(anna, '/text?one');
    const parts = ['', 'request/', 'content/', 'content/?view=1'];
    for (const part of parts) {
      const path = `${SCRAPE}${a}/${part}`;
      assert.equal((await bySession(anna, 'GET', path)).status, 200, part);
      assert.equal((await bySession(admin, 'GET', path)).status, 200, part);
      assert.equal((await bySession(bert, 'GET', path)).status, 404, part);
      assert.equal((await service.api('GET', path, { key: admin.key })).status, 404, part);
    }
    const whose = async (who: Person) =>
      (await bySession<ScrapeAnswer>(who, 'GET', `${SCRAPE}${a}/`)).body.router.user_id;
    assert.equal(await whose(admin), await idOf(anna));
    assert.equal(await whose(anna), undefined);
    const exported = async (who: Person) =>
      (await bySession<string>(who, 'GET', `${SCRAPE}export/?format=csv`)).text;
    assert.ok((await exported(admin)).includes(a) && (await exported(admin)).includes(',user_id\r\n'));
    assert.ok((await exported(anna)).includes(a) && !(await exported(anna)).includes('user_id'));
    assert.ok(!(await exported(bert)).includes(a));
    assert.equal((await bySession(bert, 'DELETE', `${SCRAPE}${a}/`)).status, 404);
    assert.equal((await bySession(admin, 'DELETE', `${SCRAPE}${a}/`)).status, 204);
    for (const part of parts)
      assert.equal((await bySession(anna, 'GET', `${SCRAPE}${a}/${part}`)).status, 404, part);
  });

  test('the same holds for the stats', async () => {
    type Stats = { totals: { scrapes: number }; in_flight: { now: number; limit: number | null } };
    const stats = async (who: Person, query = '') => bySession<Stats>(who, 'GET', `/api/v1/stats/?${query}`);
    const total = async (who: Person, query = '') => (await stats(who, query)).body.totals.scrapes;
    await eventually(async () => (await total(anna)) === 2);
    assert.equal(await total(bert), 1);
    assert.equal(await total(admin), 4, 'all, unless asked otherwise');
    assert.equal(await total(admin, 'user_id=all'), 4);
    assert.equal(await total(admin, `user_id=${await idOf(bert)}`), 1);
    assert.equal((await stats(anna, 'user_id=all')).status, 400);
    assert.deepEqual((await stats(anna)).body.in_flight, { now: 0, limit: 50 });
    assert.deepEqual((await stats(admin)).body.in_flight, { now: 0, limit: null });
    assert.equal((await stats(admin, `user_id=${await idOf(bert)}`)).body.in_flight.limit, 50);
  });
});
