import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rawHttp } from '../../helpers/raw-http.ts';
import { type Service, startService, useOwnService } from '../../helpers/service.ts';
import { newUser, PASSWORD, signIn, visit } from '../../helpers/visitor.ts';

const SESSION = '/api/v1/session/';
const USERS = '/api/v1/users/';

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly cookie?: string;
  readonly body: unknown;
}

describe('two changes at the same time', () => {
  const service = useOwnService();

  test('while a set-up link is used, an older session cannot change the password', async () => {
    const { id, email } = await newUser(service);
    const old = await signIn(service, email);
    const link = await service.api<{ url: string }>('POST', `${USERS}${id}/link/`);
    const rescue = { token: new URL(link.body.url).hash.slice(1), password: 'the rescued password' };
    const change = { current_password: PASSWORD, new_password: "the intruder's password" };
    const [setUp, changed] = await atOnce(service, [
      { method: 'POST', path: `${SESSION}set-up/`, body: rescue },
      { method: 'POST', path: `${SESSION}password/`, cookie: old.cookie, body: change },
    ]);
    assert.match(changed!, /^401 .*"auth\.invalid"/s);
    const cookie = /^201 .*set-cookie: ([^;]+);/s.exec(setUp!)?.[1] ?? assert.fail(setUp);
    const look = await visit(service, 'GET', SESSION, { headers: { cookie } });
    assert.equal(look.status, 200);
    assert.equal((await old.call('GET', SESSION)).status, 401);
    for (const [password, status] of [
      [change.new_password, 401],
      [PASSWORD, 401],
      [rescue.password, 201],
    ] as const) {
      const reply = await visit(service, 'POST', SESSION, { body: { email, password } });
      assert.equal(reply.status, status, password);
    }
  });

  test('of the last two administrators one stays', async () => {
    await using two = await startService({ SLUICE_ADMIN_PASSWORD: PASSWORD });
    const { cookie, session } = await signIn(two, 'admin@localhost');
    const other = await newUser(two, { role: 'admin' });
    const replies = await atOnce(
      two,
      [session.user.id, other.id].map((id) => ({
        ...{ method: 'PATCH', path: `${USERS}${id}/`, cookie, body: { role: 'user' } },
      })),
    );
    const [done, refused] = replies.toSorted();
    assert.match(done!, /^200 .*"role":"user"/s);
    assert.match(refused!, /^400 .*"pointer":"\/role"/s);
    const { stdout } = await two.cli(['users', 'list']);
    assert.equal(stdout.match(/\tadmin\t/g)?.length, 1, stdout);
    await two.stop();
  });
});

/**
 * In one piece over one connection: all of them have begun before one has ended. Gives the answers in the same order,
 * each from its status on.
 */
async function atOnce({ base, port }: Service, asks: readonly Ask[]): Promise<string[]> {
  const { host } = new URL(base);
  const texts = asks.map(({ method, path, cookie, body }, n) => {
    const json = JSON.stringify(body);
    return [
      `${method} ${path} HTTP/1.1`,
      ...[`Host: ${host}`, `Origin: ${base}`, ...(cookie === undefined ? [] : [`Cookie: ${cookie}`])],
      ...['Content-Type: application/json', `Content-Length: ${json.length}`],
      ...(n === asks.length - 1 ? ['Connection: close'] : []),
      `\r\n${json}`,
    ].join('\r\n');
  });
  const text = await rawHttp(port, texts.join(''), () => false);
  const answers = text.split('HTTP/1.1 ').slice(1);
  assert.equal(answers.length, asks.length, text);
  return answers;
}
