import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, useOwnService } from '../helpers/service.ts';
import { newUser, PASSWORD, signIn, visit } from '../helpers/visitor.ts';
import type { Problem } from '../helpers/wire-types.ts';

const SESSION = '/api/v1/session/';

describe('guessing passwords', () => {
  const service = useOwnService();
  const guess = (email: string, password = 'a wrong guess') =>
    visit<Problem>(service, 'POST', SESSION, { body: { email, password } });

  test('causes pauses for that account and address; a set-up link still works', async () => {
    const { id, email } = await newUser(service);
    const other = await newUser(service);
    for (let n = 0; n < 6; n++) assert.equal((await guess(email)).status, 401);
    const { status, headers, body } = await guess(email, PASSWORD);
    assert.deepEqual([status, body.code, body.retryable], [429, 'limit.sign_in', true]);
    assert.match(headers.get('retry-after')!, /^[12]$/);
    await signIn(service, other.email);
    await eventually(async () => (await guess(email)).status === 401);
    assert.match((await guess(email)).headers.get('retry-after')!, /^[34]$/);

    const link = await service.api<{ url: string }>('POST', `/api/v1/users/${id}/link/`);
    const token = new URL(link.body.url).hash.slice(1);
    const back = await visit(service, 'POST', `${SESSION}set-up/`, { body: { token, password: PASSWORD } });
    assert.equal(back.status, 201);
    await signIn(service, email);
  });

  test('an unknown account is slowed down like an existing one', async () => {
    for (let n = 0; n < 6; n++) assert.equal((await guess('nobody@example.com')).status, 401);
    assert.equal((await guess('nobody@example.com')).status, 429);
    assert.equal((await guess('NOBODY@example.com')).status, 429);
  });

  test('the password cannot be guessed within an open session either', async () => {
    const { email } = await newUser(service);
    const { call } = await signIn(service, email);
    const ask = () =>
      call<Problem>('POST', `${SESSION}password/`, {
        body: { current_password: 'a wrong guess', new_password: 'a new password' },
      });
    for (let n = 0; n < 6; n++) assert.equal((await ask()).status, 400);
    const { status, headers, body } = await ask();
    assert.deepEqual([status, body.code], [429, 'limit.sign_in']);
    assert.match(headers.get('retry-after')!, /^[12]$/);
    assert.equal((await call('GET', SESSION)).status, 200);
  });
});
