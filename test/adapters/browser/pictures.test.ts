import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createUserAgentOverride } from '../../../src/browser/engine/user-agent.ts';
import { capturedBody } from '../../../src/browser/page/network-capture.ts';
import { clampSize } from '../../../src/browser/page/screenshot.ts';
import { imageSize } from '../../../src/content/charset/image-size.ts';
import { PICTURE_TYPES } from '../../../src/domain/captures.ts';
import fc from '../../helpers/fast-check.ts';

describe('the size of a picture', () => {
  test('whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...PICTURE_TYPES), (bytes, type) => {
        const size = imageSize(bytes, type);
        return size === null || (size.width > 0 && size.height > 0);
      }),
    );
    const starts = [
      [0xff, 0xd8, 0xff],
      [...Buffer.from('RIFF....WEBPVP8L')],
      [...Buffer.from('RIFF....WEBPVP8X')],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        for (const type of PICTURE_TYPES) imageSize(Uint8Array.from([...start, ...rest]), type);
      }),
    );
  });
});

describe('what of a page fits into a picture', () => {
  test('never more than allowed, all of it where it fits', () => {
    const side = fc.double({ min: 0.5, max: 200_000, noNaN: true });
    const scale = fc.double({ min: 0.1, max: 10, noNaN: true });
    fc.assert(
      fc.property(side, side, scale, fc.constantFrom(...PICTURE_TYPES), (width, height, factor, type) => {
        const { size, requested, pixels } = clampSize({ width, height }, factor, type);
        const [w, h] = [Math.ceil(size.width * factor), Math.ceil(size.height * factor)];
        const most = type === 'image/webp' ? 16_383 : 16_384;
        assert.ok(w <= most && h <= most && w * h <= 50_000_000 && pixels <= 50_000_000, `${w} × ${h}`);
        assert.equal(requested === null, size.width === width && size.height === height);
      }),
    );
    assert.deepEqual(clampSize({ width: 1280, height: 16_384 }, 1, 'image/png').requested, null);
    assert.deepEqual(clampSize({ width: 10_000, height: 10_000 }, 1, 'image/png').size, {
      width: 10_000,
      height: 5_000,
    });
  });
});

describe('the body of an exchange', () => {
  const TEXT = [['content-type', 'text/plain; charset=utf-8']] as const;

  test('one that is cut is the beginning of it, in whole characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, most) => {
        const { body, length, truncated } = capturedBody(Buffer.from(text), TEXT, most);
        assert.ok(text.startsWith(body.text!));
        assert.ok(length <= Math.max(0, most) && length === Buffer.byteLength(body.text!));
        assert.equal(truncated, Buffer.byteLength(text) > most);
        assert.ok(!truncated || most - length < 4);
      }),
    );
    const { body, truncated } = capturedBody(Buffer.from([1, 2, 3]), [['content-type', 'image/png']], 2);
    assert.deepEqual([[...body.bytes!], truncated], [[1, 2], true]);
  });

  test('a text is decoded, whether the browser has done so or not', () => {
    const rows: readonly [type: string, whole: Buffer, text: string][] = [
      ['iso-8859-1', Buffer.from('caf\xe9', 'latin1'), 'café'],
      ['iso-8859-1', Buffer.from('café'), 'café'],
      ['utf-16le', Buffer.from('café', 'utf16le'), 'café'],
      ['utf-16le', Buffer.from('cafe', 'utf16le'), 'cafe'],
      ['utf-16le', Buffer.from('café'), 'café'],
      ['iso-2022-jp', Buffer.from('\x1b$B$"\x1b(B'), 'あ'],
      ['iso-2022-jp', Buffer.from('あ'), 'あ'],
      ['utf-8', Buffer.from('café'), 'café'],
    ];
    for (const [charset, whole, text] of rows) {
      const { body } = capturedBody(whole, [['content-type', `application/json; charset=${charset}`]], 99);
      assert.equal(body.text, text, charset);
    }
  });
});

describe('what fits a user agent', () => {
  test('whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (agent, locale) => {
        assert.equal(createUserAgentOverride(agent, { languages: locale }).userAgent, agent);
      }),
    );
  });

  const cases = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      ['Win32', 'Windows', 'Microsoft Edge', '131', false, ''],
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
      ['Linux armv81', 'Android', 'Google Chrome', '130', true, 'K'],
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      ['Linux x86_64', 'Linux', 'Google Chrome', '130', false, ''],
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      ['iPhone', '', undefined, undefined, true, ''],
    ],
    ['curl/8', [undefined, '', undefined, undefined, false, '']],
  ] as const;
  for (const [agent, expected] of cases) {
    test(agent, () => {
      const { platform, userAgentMetadata: hints } = createUserAgentOverride(agent);
      const brand = hints.brands.find((one) => one.brand !== 'Chromium' && !one.brand.startsWith('Not'));
      assert.deepEqual(
        [platform, hints.platform, brand?.brand, brand?.version, hints.mobile, hints.model],
        expected,
      );
    });
  }
});
