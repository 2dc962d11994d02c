import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandList } from '../../../src/scrapers/impersonate/browser-headers.ts';
import fc from '../../helpers/fast-check.ts';
import { ja4, parseClientHello } from '../../helpers/fingerprint/client-hello.ts';
import { parseH2Opening } from '../../helpers/fingerprint/h2-opening.ts';

const u16 = (value: number): number[] => [value >> 8, value & 255];
const vector = (bytes: readonly number[]): number[] => [...u16(bytes.length), ...bytes];
const list = (values: readonly number[]): number[] => vector(values.flatMap(u16));

/** A ClientHello in records of at most so many bytes. */
function helloBytes(ciphers: number[], groups: number[], signatures: number[], record: number): Buffer {
  const extensions = [
    [...u16(10), ...vector(list(groups))],
    [...u16(13), ...vector(list(signatures))],
    [...u16(16), ...vector(vector([2, 0x68, 0x32]))],
    [...u16(43), ...vector([4, 3, 4, 3, 3])],
  ].flat();
  const body = [...u16(0x303), ...new Array(32).fill(7), 0, ...list(ciphers), 1, 0, ...vector(extensions)];
  const message = [1, 0, ...u16(body.length), ...body];
  const records: number[] = [];
  for (let at = 0; at < message.length; at += record)
    records.push(22, 3, 1, ...vector(message.slice(at, at + record)));
  return Buffer.from(records);
}

const words = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });

test('a ClientHello is read back, however its records are cut; half of one is none', () => {
  fc.assert(
    fc.property(
      words,
      words,
      words,
      fc.integer({ min: 1, max: 400 }),
      (ciphers, groups, signatures, record) => {
        const bytes = helloBytes(ciphers, groups, signatures, record);
        const hello = parseClientHello(bytes)!;
        assert.deepEqual([hello.ciphers, hello.groups, hello.signatures], [ciphers, groups, signatures]);
        assert.deepEqual(
          [hello.extensions, hello.alpn, hello.versions],
          [[10, 13, 16, 43], ['h2'], [0x304, 0x303]],
        );
        assert.match(ja4(hello), /^t13i\d\d04h2_[0-9a-f]{12}_[0-9a-f]{12}$/);
        assert.equal(parseClientHello(bytes.subarray(0, bytes.length - 1)), null);
      },
    ),
  );
});

test('no bytes make the parsers throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, prefixed) => {
      const noise = Buffer.from(bytes);
      parseClientHello(
        prefixed ? Buffer.concat([Buffer.from([22, 3, 1, 0, noise.length & 255, 1]), noise]) : noise,
      );
      parseH2Opening(
        prefixed ? Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), noise]) : noise,
      );
    }),
  );
});

test('an opening of HTTP/2', () => {
  const setting = (id: number, value: number) => [...u16(id), ...u16(value >>> 16), ...u16(value & 0xffff)];
  const frame = (type: number, flags: number, stream: number, load: number[]) => [
    0,
    ...u16(load.length),
    type,
    flags,
    ...u16(0),
    ...u16(stream),
    ...load,
  ];
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          words.map((l) => l.length),
          fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        ),
      ),
      (pairs) => {
        const bytes = Buffer.concat([
          Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
          Buffer.from(
            frame(
              4,
              0,
              0,
              pairs.flatMap(([id, value]) => setting(id, value)),
            ),
          ),
          Buffer.from(frame(8, 0, 0, [0, 1, 0, 0])),
          Buffer.from(frame(1, 0x25, 3, [0x80, 0, 0, 0, 255, 0x82])),
        ]);
        assert.deepEqual(parseH2Opening(bytes), {
          settings: pairs,
          windowUpdate: 65_536,
          priorities: [],
          stream: 3,
          headersPriority: '1:0:256',
        });
        assert.equal(parseH2Opening(bytes.subarray(0, -1)), null);
      },
    ),
  );
});

test('brands are those that Chromium shows', () => {
  assert.equal(
    brandList('Google Chrome', 149),
    '"Google Chrome";v="149", "Chromium";v="149", "Not)A;Brand";v="24"',
  );
  assert.equal(
    brandList('Microsoft Edge', 148),
    '"Chromium";v="148", "Microsoft Edge";v="148", "Not/A)Brand";v="99"',
  );
});
