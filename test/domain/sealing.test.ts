import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  createSealer,
  encryptionKey,
  parseEncryptionKey,
  SealError,
  sealKeyId,
} from '../../src/domain/sealing.ts';

const key = (byte: number) => encryptionKey(new Uint8Array(32).fill(byte));
const [OLD, NEW] = [key(1), key(2)];
const SECRET = Buffer.from('a secret \u{1F511}');

describe('sealed values', () => {
  const sealer = createSealer([OLD]);
  const sealed = sealer.seal('job.spec', 'anna', SECRET);

  test('come back, also with a newer key before the old one', () => {
    assert.deepEqual(sealer.open('job.spec', 'anna', sealed), SECRET);
    const later = createSealer([NEW, OLD]);
    assert.deepEqual(later.open('job.spec', 'anna', sealed), SECRET);
    assert.equal(sealKeyId(later.seal('job.spec', 'anna', SECRET)), NEW.id);
    assert.equal(sealKeyId(sealed), OLD.id);
    const empty = sealer.seal('job.spec', 'anna', new Uint8Array());
    assert.equal(sealer.open('job.spec', 'anna', empty).length, 0);
  });

  test('show nothing, and are never the same twice', () => {
    assert.equal(Buffer.from(sealed).includes(SECRET), false);
    assert.notDeepEqual(sealer.seal('job.spec', 'anna', SECRET), sealed);
  });

  test('are bound to purpose and owner', () => {
    assert.throws(() => sealer.open('job.item', 'anna', sealed), SealError);
    assert.throws(() => sealer.open('job.spec', 'bert', sealed), SealError);
  });

  test('a change of any byte is noticed', () => {
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index]! ^= 1;
      assert.throws(() => sealer.open('job.spec', 'anna', changed), SealError, `byte ${index}`);
    }
    for (const length of [0, 5, 48, sealed.length - 1])
      assert.throws(() => sealer.open('job.spec', 'anna', sealed.subarray(0, length)), SealError);
  });

  test('an unknown key is named', () => {
    assert.throws(() => createSealer([NEW]).open('job.spec', 'anna', sealed), new RegExp(OLD.id));
  });

  test('stay readable in later versions', () => {
    const stored = Buffer.from(KNOWN, 'base64');
    assert.equal(sealer.open('job.spec', 'anna', stored).toString(), 'kept');
  });
});

const KNOWN = 'AYhLYgfcwqRC51YFkVSU9ePkGd091fkqvmmNXJefk8aj2PwRvmi5hHuzBx3PvZhohOpbcVM=';

describe('encryption keys', () => {
  test('are 32 bytes in base64, base64url or hexadecimal', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, n) => 255 - n));
    const { id } = encryptionKey(bytes);
    assert.match(id, /^[0-9a-f]{8}$/);
    for (const text of [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')])
      assert.equal(parseEncryptionKey(text)?.id, id);
    for (const text of ['', 'a'.repeat(42), 'a'.repeat(45), 'ä'.repeat(43), bytes.toString('hex').slice(2)])
      assert.equal(parseEncryptionKey(text), null);
  });
});
