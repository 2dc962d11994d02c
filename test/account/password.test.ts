import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { createPasswordHasher } from '../../src/account/passwords.ts';

const passwords = createPasswordHasher(15);

describe('passwords', () => {
  it('fit their hash and no other', async () => {
    const hash = await passwords.hash('correct horse');
    assert.match(hash, /^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(hash, await passwords.hash('correct horse'));
    assert.deepEqual(await passwords.verify('correct horse', hash), { matches: true, needsRehash: false });
    assert.deepEqual(await passwords.verify('Correct horse', hash), { matches: false, needsRehash: false });
  });

  it('are the same composed and decomposed', async () => {
    const hash = await passwords.hash('Z\u00fcrich 2030');
    assert.equal((await passwords.verify('Zu\u0308rich 2030', hash)).matches, true);
  });

  it('of older parameters fit, with a hint', async () => {
    const salt = Buffer.alloc(16, 7);
    const old = scryptSync('correct horse', salt, 32, { N: 1024, r: 8, p: 1 });
    const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const stored = `$scrypt$ln=10,r=8,p=1$${text(salt)}$${text(old)}`;
    assert.deepEqual(await passwords.verify('correct horse', stored), { matches: true, needsRehash: true });
    assert.deepEqual(await passwords.verify('wrong horse', stored), { matches: false, needsRehash: true });
  });

  const bad = [
    '',
    'plain',
    '$argon2id$v=19$m=1,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=31,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=0,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=15,r=8,p=3$AAAAAAAAAAAAAAAAAAAAAA$',
  ];
  for (const stored of bad) {
    it(`fit nothing like ${stored.slice(0, 30)}`, async () =>
      assert.equal((await passwords.verify('', stored)).matches, false));
  }
});
