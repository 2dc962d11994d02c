import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, it } from 'node:test';
import { type DecodeContentOptions, decodeContent } from '../../src/content/charset/decode-content.ts';
import fc from '../helpers/fast-check.ts';

function decode(body: Uint8Array, contentType: string | null, rest: Partial<DecodeContentOptions> = {}) {
  return decodeContent({
    body,
    headers: contentType === null ? [] : [['content-type', contentType]],
    undecoded: false,
    cutAtLimit: false,
    noBody: false,
    want: 'auto',
    ...rest,
  });
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('charset', () => {
  const CASES: readonly [
    name: string,
    Buffer,
    string | null,
    charset: string,
    source: string,
    text: string,
  ][] = [
    ['ASCII', latin1('abc'), 'text/html', 'utf-8', 'utf-8', 'abc'],
    ['UTF-8', Buffer.from('aé€😀'), 'text/plain;x', 'utf-8', 'utf-8', 'aé€😀'],
    ['UTF-8 BOM', Buffer.from('\ufeffaé'), 'text/html;charset=koi8-r', 'utf-8', 'bom', 'aé'],
    ['two UTF-8 BOMs', Buffer.from('\ufeff\ufeffa'), 'text/html', 'utf-8', 'bom', '\ufeffa'],
    ['UTF-16LE BOM', utf16le('\ufeffaé'), 'text/html', 'utf-16le', 'bom', 'aé'],
    ['UTF-16BE BOM', utf16be('\ufeffaé'), 'text/html;charset=utf-8', 'utf-16be', 'bom', 'aé'],
    ['HTTP', latin1('caf\xe9'), 'text/html;charset=ISO-8859-1', 'windows-1252', 'http', 'café'],
    ['HTTP with C1 bytes', latin1('\x80\x81'), 'text/html;charset=latin1', 'windows-1252', 'http', '€\x81'],
    [
      'HTTP beats meta',
      latin1('<meta charset=koi8-r>\xe9'),
      'text/html;charset=windows-1251',
      'windows-1251',
      'http',
      '<meta charset=koi8-r>й',
    ],
    ['HTTP utf-16', utf16le('aé'), 'text/html;charset=utf-16', 'utf-16le', 'http', 'aé'],
    ['HTTP in quotes', latin1('\xe9'), 'text/html; charset="windows-1251"', 'windows-1251', 'http', 'й'],
    [
      'unknown label falls through',
      latin1('<meta charset=koi8-r>\xc1'),
      'text/html;charset=klingon',
      'koi8-r',
      'meta',
      '<meta charset=koi8-r>а',
    ],
    [
      'meta',
      latin1('<meta charset=shift_jis>\x82\xa0'),
      'text/html',
      'shift_jis',
      'meta',
      '<meta charset=shift_jis>あ',
    ],
    [
      'meta utf-16 is UTF-8',
      Buffer.from('<meta charset=utf-16>é'),
      'text/html',
      'utf-8',
      'meta',
      '<meta charset=utf-16>é',
    ],
    [
      'meta x-user-defined',
      latin1('<meta charset=x-user-defined>\xe9'),
      'text/html',
      'windows-1252',
      'meta',
      '<meta charset=x-user-defined>é',
    ],
    [
      'unknown meta',
      Buffer.from('<meta charset=klingon>é'),
      'text/html',
      'utf-8',
      'utf-8',
      '<meta charset=klingon>é',
    ],
    [
      'meta does not count in text',
      Buffer.from('<meta charset=koi8-r>é'),
      'text/plain;x',
      'utf-8',
      'utf-8',
      '<meta charset=koi8-r>é',
    ],
    [
      'late meta and UTF-8',
      Buffer.from(`<!--${'x'.repeat(2000)}--><meta charset=koi8-r>é`),
      'text/html',
      'utf-8',
      'utf-8',
      `<!--${'x'.repeat(2000)}--><meta charset=koi8-r>é`,
    ],
    [
      'late meta',
      latin1(`<script>${'x'.repeat(2000)}"<div>"</script><meta charset=koi8-r>\xc1`),
      'text/html',
      'koi8-r',
      'meta',
      `<script>${'x'.repeat(2000)}"<div>"</script><meta charset=koi8-r>а`,
    ],
    [
      'late meta in the body',
      latin1(`<!--${'x'.repeat(2000)}--><p><meta charset=koi8-r>\xe9`),
      'text/html',
      'windows-1252',
      'default',
      `<!--${'x'.repeat(2000)}--><p><meta charset=koi8-r>é`,
    ],
    [
      'XML declaration',
      latin1('<?xml version="1.0" encoding="koi8-r"?><a>\xc1</a>'),
      'application/xml',
      'koi8-r',
      'xml',
      '<?xml version="1.0" encoding="koi8-r"?><a>а</a>',
    ],
    [
      'XML declaration in HTML',
      latin1('<?xml version="1.0" encoding=\'koi8-r\'?><a>\xc1</a>'),
      'text/html',
      'koi8-r',
      'xml',
      '<?xml version="1.0" encoding=\'koi8-r\'?><a>а</a>',
    ],
    [
      'XML in UTF-16 without BOM',
      utf16be('<?xml version="1.0"?><a>é</a>'),
      'text/xml',
      'utf-16be',
      'xml',
      '<?xml version="1.0"?><a>é</a>',
    ],
    ['no label', latin1('caf\xe9'), 'text/html', 'windows-1252', 'default', 'café'],
    ['JSON', Buffer.from('{"a":"é"}'), 'application/json', 'utf-8', 'utf-8', '{"a":"é"}'],
    [
      'JSON with the right label',
      latin1('{"a":"\xe9"}'),
      'application/json;charset=ISO-8859-1',
      'windows-1252',
      'http',
      '{"a":"é"}',
    ],
    [
      'JSON with a wrong label',
      Buffer.from('{"a":"é"}'),
      'application/json;charset=ISO-8859-1',
      'utf-8',
      'utf-8',
      '{"a":"é"}',
    ],
    [
      'JSON in UTF-16',
      utf16le('{"a":1}'),
      'application/json;charset=utf-16le',
      'utf-16le',
      'http',
      '{"a":1}',
    ],
    ['JSON with BOM', Buffer.from('\ufeff{}'), 'application/json', 'utf-8', 'bom', '{}'],
    ['EUC-KR', Buffer.from([0xb0, 0xa1]), 'text/html;charset=ks_c_5601-1987', 'euc-kr', 'http', '가'],
    ['Big5', Buffer.from([0xa4, 0xa4]), 'text/html;charset=big5', 'big5', 'http', '中'],
    ['GBK', Buffer.from([0xd6, 0xd0]), 'text/html;charset=gb2312', 'gbk', 'http', '中'],
    ['script', latin1('"\xe9"'), 'text/javascript', 'windows-1252', 'default', '"é"'],
  ];
  for (const [name, body, contentType, charset, source, text] of CASES) {
    it(name, () => {
      const result = decode(body, contentType);
      assert.deepEqual(result.charset, { name: charset, source });
      assert.equal(result.content.encoding, 'utf-8');
      assert.equal(Buffer.from(result.content.bytes).toString('utf8'), text);
      assert.equal(result.replaced, 0);
    });
  }
});

describe('replaced bytes', () => {
  const CASES: readonly [string, Buffer, string, string, number][] = [
    ['UTF-8', latin1('a\xffb\xc3'), 'text/plain;charset=utf-8', 'a\ufffdb\ufffd', 2],
    [
      'UTF-8 that contains U+FFFD itself',
      Buffer.concat([Buffer.from('\ufffd'), latin1('\xff')]),
      'text/plain;charset=utf-8',
      '\ufffd\ufffd',
      1,
    ],
    ['valid U+FFFD', Buffer.from('\ufffd\ufffd'), 'text/html', '\ufffd\ufffd', 0],
    ['the beginning of a character', latin1('\xf0\x9f\x98x'), 'text/html;charset=utf-8', '\ufffdx', 1],
    ['surrogates in UTF-8', latin1('\xed\xa0\x80'), 'text/html;charset=utf-8', '\ufffd\ufffd\ufffd', 3],
    [
      'lone surrogates in UTF-16',
      utf16le('a\ud800b\ufffd'),
      'text/html;charset=utf-16le',
      'a\ufffdb\ufffd',
      1,
    ],
    [
      'an odd byte in UTF-16',
      Buffer.concat([utf16le('a'), latin1('b')]),
      'text/html;charset=utf-16le',
      'a\ufffd',
      1,
    ],
    ['windows-1253', latin1('\xaa'), 'text/html;charset=windows-1253', '\ufffd', 1],
    ['Shift_JIS', latin1('\x82'), 'text/html;charset=shift_jis', '\ufffd', 1],
    [
      'gb18030 that contains U+FFFD itself',
      latin1('\x84\x31\xa4\x37'),
      'text/html;charset=gb18030',
      '\ufffd',
      0,
    ],
    ['replacement encodings', latin1('abc'), 'text/html;charset=iso-2022-kr', '\ufffd', 1],
  ];
  for (const [name, body, contentType, text, replaced] of CASES) {
    it(name, () => {
      const result = decode(body, contentType);
      assert.equal(Buffer.from(result.content.bytes).toString('utf8'), text);
      assert.equal(result.replaced, replaced);
    });
  }
});

describe('text that was cut at the limit', () => {
  const CASES: readonly [string, Buffer, string, string][] = [
    ['2 of 3 bytes', Buffer.from('aé€').subarray(0, 5), 'text/html', 'aé'],
    ['3 of 4 bytes', Buffer.from('a😀').subarray(0, 4), 'text/html;charset=utf-8', 'a'],
    ['1 of 2 bytes', Buffer.from('aé').subarray(0, 2), 'application/json', 'a'],
    ['only part of a character', Buffer.from('😀').subarray(0, 1), 'text/html', ''],
    ['whole at the end', Buffer.from('aé'), 'text/html', 'aé'],
    ['half of UTF-16', utf16le('ab').subarray(0, 3), 'text/html;charset=utf-16le', 'a'],
    ['half of a pair', utf16be('a😀').subarray(0, 4), 'text/html;charset=utf-16be', 'a'],
    ['half of Shift_JIS', latin1('a\x82'), 'text/html;charset=shift_jis', 'a'],
    ['half of gb18030', latin1('a\x84\x31'), 'text/html;charset=gb18030', 'a'],
    ['UTF-8 with BOM', Buffer.from('\ufeffaé').subarray(0, 5), 'text/html', 'a'],
  ];
  for (const [name, body, contentType, text] of CASES) {
    it(`${name}: ends with a character`, () => {
      const result = decode(body, contentType, { cutAtLimit: true });
      assert.equal(result.replaced, 0);
      assert.equal(Buffer.from(result.content.bytes).toString('utf8'), text);
    });
  }

  it('still counts invalid bytes before the end', () => {
    const result = decode(latin1('a\xffb\xc3'), 'text/html;charset=utf-8', { cutAtLimit: true });
    assert.equal(Buffer.from(result.content.bytes).toString('utf8'), 'a\ufffdb');
    assert.equal(result.replaced, 1);
  });
});

describe('encoding of content', () => {
  it('bytes of a type that is not text', () => {
    const body = latin1('\x89PNG\r\n\x1a\n');
    const result = decode(body, 'image/png');
    assert.deepEqual(result.content, { encoding: 'base64', bytes: body });
    assert.equal(result.charset, null);
  });

  it('bytes of any type when asked for', () => {
    const body = latin1('caf\xe9');
    const result = decode(body, 'text/html;charset=latin1', { want: 'base64' });
    assert.deepEqual(result.content, { encoding: 'base64', bytes: body });
    assert.equal(result.mime.kind, 'html');
  });

  it('bytes of a body that could not be decoded', () => {
    const result = decode(Buffer.from('<html>'), 'text/html', { undecoded: true });
    assert.equal(result.content.encoding, 'base64');
  });

  it('empty text where a response has no body by definition', () => {
    for (const contentType of ['text/html', 'image/png', null]) {
      for (const want of ['auto', 'base64'] as const) {
        const result = decode(Buffer.alloc(0), contentType, { noBody: true, want });
        assert.deepEqual(result.content, { encoding: 'utf-8', bytes: new Uint8Array(0) });
      }
    }
  });

  it('UTF-8 is not copied', () => {
    const body = Buffer.from('aé');
    assert.equal(decode(body, 'text/html').content.bytes, body);
    const marked = Buffer.from('\ufeffaé');
    const { bytes } = decode(marked, 'text/html').content;
    assert.equal(bytes.buffer, marked.buffer);
    assert.equal(bytes.byteOffset, marked.byteOffset + 3);
  });

  it('any bytes of any type: text is valid UTF-8', () => {
    const types = fc.constantFrom(
      'text/html',
      'text/xml',
      'application/json',
      'text/plain',
      null,
      'text/html;charset=utf-16',
      'text/html;charset=iso-2022-jp',
      'text/css;charset=gb18030',
      'text/html;charset=big5',
      'text/html;charset=euc-jp',
    );
    const start = fc.constantFrom(
      '',
      '<meta ',
      '<?xml encoding=',
      '<!--',
      '<a b=',
      '\xef\xbb\xbf',
      '\xff\xfe',
      '<meta http-equiv=content-type content="charset',
    );
    fc.assert(
      fc.property(
        types,
        start,
        fc.uint8Array({ maxLength: 300 }),
        fc.boolean(),
        (contentType, head, rest, cutAtLimit) => {
          const { content, replaced } = decode(Buffer.concat([latin1(head), rest]), contentType, {
            cutAtLimit,
          });
          if (content.encoding === 'utf-8') assert.ok(isUtf8(content.bytes));
          assert.ok(replaced >= 0);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
