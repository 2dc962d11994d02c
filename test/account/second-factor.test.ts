import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATOR } from '../../src/account/account-actions.ts';
import { hashRecoveryCode, newRecoveryCodes, stepOfCode, totpCode } from '../../src/account/totp.ts';
import { type House, made, openHouse, refusalsOf } from './setup.ts';

const HERE = { ip: '192.0.2.1', userAgent: null };
const PASSWORD = 'correct horse';
const STEP_MS = 30_000;

describe('one-time passwords', () => {
  it('are good one step before and after, and no more', () => {
    const secret = Buffer.alloc(20, 7);
    const now = 1_000 * STEP_MS + 5;
    const found = [998, 999, 1_000, 1_001, 1_002].map((step) =>
      stepOfCode(secret, totpCode(secret, step), now),
    );
    assert.deepEqual(found, [null, 999, 1_000, 1_001, null]);
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      assert.equal(stepOfCode(secret, code, now), null);
  });

  it('recovery codes are ten different ones, in any spelling', () => {
    const codes = newRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) {
      assert.match(code, /^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/);
      assert.deepEqual(hashRecoveryCode(code.toUpperCase().replaceAll('-', ' ')), hashRecoveryCode(code));
    }
    assert.equal(hashRecoveryCode('123456'), null);
  });
});

describe('the second factor of a user', () => {
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house[Symbol.asyncDispose]());

  it('asks for a code that was not used before, at sign-in and for a set-up link', async () => {
    const { accounts, clock } = house;
    const { sessions } = accounts;
    const settings = { email: 'ann@example.com', password: PASSWORD };
    const { id, role } = made(await accounts.createUser(OPERATOR, settings));
    const actor = { userId: id, keyId: null, role, address: HERE.ip };
    const { uri, secret: text } = made(await sessions.enrolSecondFactor(actor, { password: PASSWORD }));
    assert.equal(uri, `otpauth://totp/Sluice:ann%40example.com?secret=${text}&issuer=Sluice`);
    const secret = base32Bytes(text);
    const step = Math.floor(clock.now() / STEP_MS) + 100;
    clock.moveTo(step * STEP_MS + 100);
    const signIn = async (code?: string) => {
      const result = await sessions.signIn({ ...settings, ...HERE, ...(code === undefined ? {} : { code }) });
      return result.failures === null ? 'in' : result.failures[0]?.code;
    };
    assert.equal(await signIn(), 'in', 'not confirmed yet');
    assert.deepEqual(refusalsOf(await sessions.confirmSecondFactor(actor, '000')), [
      'request.validation /code',
    ]);
    const codes = made(await sessions.confirmSecondFactor(actor, totpCode(secret, step)));
    assert.equal(codes.length, 10);
    const again = await sessions.enrolSecondFactor(actor, { password: PASSWORD });
    assert.deepEqual(refusalsOf(again), ['request.validation ']);

    assert.equal(await signIn(), 'auth.second_factor');
    assert.equal(await signIn(totpCode(secret, step)), 'auth.second_factor', 'used to confirm');
    assert.equal(await signIn(totpCode(secret, step + 2)), 'auth.second_factor', 'too early');
    assert.equal(await signIn(totpCode(secret, step + 1)), 'in');
    assert.equal(await signIn(totpCode(secret, step + 1)), 'auth.second_factor', 'used');
    assert.equal(await signIn(codes[0]), 'in');
    assert.equal(await signIn(codes[0]), 'auth.second_factor', 'used');
    assert.equal((await sessions.secondFactor(id)).recoveryCodesLeft, 9);

    const link = made(await sessions.createLink(OPERATOR, id));
    const setUp = (code?: string) =>
      sessions.setUp({
        token: link.token,
        password: PASSWORD,
        ...HERE,
        ...(code === undefined ? {} : { code }),
      });
    assert.deepEqual(refusalsOf(await setUp()), ['auth.second_factor']);
    made(await setUp(codes[1]));

    const disable = (password: string, code: string) =>
      sessions.disableSecondFactor(actor, { password, code });
    assert.deepEqual(refusalsOf(await disable('wrong horse', codes[2]!)), ['request.validation /password']);
    assert.deepEqual(refusalsOf(await disable(PASSWORD, codes[1]!)), ['request.validation /code']);
    made(await disable(PASSWORD, codes[2]!));
    assert.equal(await signIn(), 'in');
    const filter = { action: null, userId: id, targetId: null, from: null, to: null };
    const stored = await house.store.audit.list(filter, 100, null);
    assert.doesNotMatch(JSON.stringify(stored), new RegExp([text, ...codes].join('|')));
    const actions = stored.map(({ action }) => action).filter((action) => /factor|recovery/.test(action));
    const used = 'recovery_code.used';
    assert.deepEqual(actions, ['second_factor.disabled', used, used, used, 'second_factor.enabled']);
  });

  it('wrong codes are slowed down like wrong passwords', async () => {
    const { sessions } = house.accounts;
    const settings = { email: 'bob@example.com', password: PASSWORD };
    const { id, role } = made(await house.accounts.createUser(OPERATOR, settings));
    const actor = { userId: id, keyId: null, role, address: HERE.ip };
    const { secret } = made(await sessions.enrolSecondFactor(actor, { password: PASSWORD }));
    const step = Math.floor(house.clock.now() / STEP_MS);
    made(await sessions.confirmSecondFactor(actor, totpCode(base32Bytes(secret), step)));
    const from = { ip: '192.0.2.77', userAgent: null };
    for (let n = 0; n < 6; n++) {
      const missing = await sessions.signIn({ ...settings, ...from });
      assert.deepEqual(refusalsOf(missing), ['auth.second_factor'], 'a missing code does not count');
    }
    const codes: string[][] = [];
    for (let n = 0; n < 7; n++)
      codes.push(refusalsOf(await sessions.signIn({ ...settings, ...from, code: '00000' })));
    assert.deepEqual(codes.flat(), [...Array(6).fill('auth.second_factor'), 'limit.sign_in']);
  });
});

function base32Bytes(text: string): Buffer {
  const bits = [...text].map((digit) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'),
  );
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
}
