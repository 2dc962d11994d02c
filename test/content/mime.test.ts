import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  computeMimeType,
  extractContentType,
  type MimeKind,
  mimeKind,
} from '../../src/content/charset/mime-type.ts';
import fc from '../helpers/fast-check.ts';

const KINDS: Record<MimeKind, readonly string[]> = {
  html: ['text/html'],
  xml: [
    'text/xml',
    'application/xml',
    'application/xhtml+xml',
    'image/svg+xml',
    'application/rss+xml',
    'application/atom+xml',
  ],
  json: [
    'application/json',
    'text/json',
    'application/ld+json',
    'application/vnd.api+json',
    'application/problem+json',
  ],
  text: [
    'text/plain',
    'text/css',
    'text/csv',
    'text/javascript',
    'application/javascript',
    'application/x-javascript',
    'application/x-www-form-urlencoded',
    'application/x-ndjson',
    'application/yaml',
    'application/graphql',
    'application/toml',
    'application/sql',
    'application/vnd.apple.mpegurl',
    'text/event-stream',
  ],
  binary: [
    'application/octet-stream',
    'image/png',
    'application/pdf',
    'application/zip',
    'font/woff2',
    'video/mp4',
    'multipart/form-data',
    'application/wasm',
    'application/x-protobuf',
    'jsonx/y',
  ],
};

describe('mimeKind', () => {
  for (const [kind, essences] of Object.entries(KINDS)) {
    for (const essence of essences) it(`${essence} is ${kind}`, () => assert.equal(mimeKind(essence), kind));
  }
});

describe('extractContentType', () => {
  const CASES: readonly [readonly string[], string | null, string | null][] = [
    [['text/html; charset=gbk'], 'text/html', 'gbk'],
    [['text/html;charset="a;b";charset=x'], 'text/html', 'a;b'],
    [['text/html', 'text/plain'], 'text/plain', null],
    [['text/html;charset=gbk', 'text/html'], 'text/html', 'gbk'],
    [['text/html;charset=gbk', 'text/plain', 'text/html'], 'text/html', null],
    [['text/html, bad'], 'text/html', null],
    [['text/html;x=","', 'bad'], 'text/html', null],
    [['*/*'], null, null],
    [['text/html, */*'], 'text/html', null],
    [[''], null, null],
    [['html'], null, null],
    [['text / html'], null, null],
    [[' TEXT/HTML '], 'text/html', null],
  ];
  for (const [lines, essence, charset] of CASES) {
    it(JSON.stringify(lines), () => {
      const result = extractContentType(lines);
      assert.deepEqual([result?.essence ?? null, result?.charset ?? null], [essence, charset]);
    });
  }

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => void extractContentType(lines)),
    );
  });
});

describe('computeMimeType', () => {
  const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
  const CASES: readonly [Record<string, string>, string, string][] = [
    [{ 'content-type': 'text/html' }, PNG, 'text/html'],
    [{ 'content-type': 'application/octet-stream' }, '<html>', 'application/octet-stream'],
    [{}, '<!DOCTYPE html>', 'text/html'],
    [{}, ' \n\t<!doctype HTML >', 'text/html'],
    [{}, '<html>', 'text/html'],
    [{}, '<htmlx>', 'text/plain'],
    [{}, '<!-- x', 'text/html'],
    [{}, '<a href', 'text/html'],
    [{}, '<?xml version="1.0"?>', 'text/xml'],
    [{}, '%PDF-1.7', 'application/pdf'],
    [{}, '%!PS-Adobe-3.0', 'application/postscript'],
    [{}, PNG, 'image/png'],
    [{}, 'GIF89a', 'image/gif'],
    [{}, '\xff\xd8\xff\xe0', 'image/jpeg'],
    [{}, 'RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    [{}, 'RIFF\x10\0\0\0WAVE', 'audio/wave'],
    [{}, '\0\0\0\x18ftypmp42', 'video/mp4'],
    [{}, '\x1aE\xdf\xa3', 'video/webm'],
    [{}, 'OggS\0', 'application/ogg'],
    [{}, '\x1f\x8b\x08\0', 'application/x-gzip'],
    [{}, 'PK\x03\x04', 'application/zip'],
    [{}, '\0\x01\0\0', 'application/octet-stream'],
    [{}, 'just text', 'text/plain'],
    [{}, '', 'text/plain'],
    [{}, '\xff\xfea\0', 'text/plain'],
    [{}, '{"a":1}', 'text/plain'],
    [{ 'content-type': '*/*' }, '<html>', 'text/html'],
    [{ 'content-type': 'unknown/unknown' }, '<html>', 'text/html'],
    [{ 'content-type': 'application/unknown' }, PNG, 'image/png'],
    [{ 'content-type': 'nonsense' }, '<html>', 'text/html'],
    [{ 'x-content-type-options': 'nosniff' }, '<html>', 'text/plain'],
    [{ 'x-content-type-options': 'nosniff' }, PNG, 'image/png'],
    [{ 'content-type': 'text/plain' }, '<html>', 'text/plain'],
    [{ 'content-type': 'text/plain' }, 'a\0b', 'application/octet-stream'],
    [{ 'content-type': 'text/plain; charset=UTF-8' }, PNG, 'application/octet-stream'],
    [{ 'content-type': 'text/plain; charset=ISO-8859-1' }, 'a\x1bb', 'text/plain'],
    [{ 'content-type': 'text/plain;charset=UTF-8' }, PNG, 'text/plain'],
    [{ 'content-type': 'text/plain', 'x-content-type-options': 'NoSniff' }, 'a\0b', 'text/plain'],
    [{ 'content-type': 'text/plain' }, '\xfe\xff\0a', 'text/plain'],
    [{ 'content-type': 'text/html' }, '<rss version="2.0">', 'application/rss+xml'],
    [
      { 'content-type': 'text/html' },
      '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- <p> -->\n<!DOCTYPE rss [x]><rss>',
      'application/rss+xml',
    ],
    [{ 'content-type': 'text/html; charset=x' }, '<?xml?><feed xmlns="a">', 'application/atom+xml'],
    [
      { 'content-type': 'text/html' },
      '<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
      'application/rss+xml',
    ],
    [{ 'content-type': 'text/html' }, '<rdf:RDF xmlns="http://purl.org/rss/1.0/">', 'text/html'],
    [{ 'content-type': 'text/html' }, '<?xml version="1.0"?><urlset xmlns="x">', 'application/xml'],
    [{ 'content-type': 'text/html' }, '<sitemapindex>', 'application/xml'],
    [{ 'content-type': 'text/html' }, '<!-- <rss> -->', 'text/html'],
    [{ 'content-type': 'text/html' }, '<!-- > <rss>', 'text/html'],
    [{ 'content-type': 'text/html' }, 'a <rss>', 'text/html'],
    [{ 'content-type': 'text/html', 'x-content-type-options': 'nosniff' }, '<rss>', 'text/html'],
    [{ 'content-type': 'application/xml' }, '\x1f\x8b\x08\0', 'application/x-gzip'],
    [{ 'content-type': 'text/html' }, '\x1f\x8b\x08\0', 'application/x-gzip'],
    [{ 'content-type': 'image/png' }, '\x1f\x8b\x08\0', 'image/png'],
    [{ 'content-type': 'application/gzip' }, '\x1f\x8b\x08\0', 'application/gzip'],
    [{ 'content-type': 'application/gzip' }, '<?xml version="1.0"?><urlset>', 'text/xml'],
    [{ 'content-type': 'application/x-gzip' }, 'a,b\n1,2', 'text/plain'],
    [{ 'content-type': 'application/x-gzip' }, 'BZh91AY\0', 'application/octet-stream'],
  ];
  for (const [headers, body, essence] of CASES) {
    it(`${JSON.stringify(headers)} ${JSON.stringify(body)} is ${essence}`, () => {
      const result = computeMimeType(Object.entries(headers), Buffer.from(body, 'latin1'));
      assert.equal(result.essence, essence);
      assert.equal(result.kind, mimeKind(essence));
    });
  }

  it('caches parsed types, but only a few', () => {
    for (let n = 0; n < 2000; n++) {
      const result = computeMimeType([['content-type', `text/x-${n}; charset=l${n}`]], Buffer.from('a'));
      assert.deepEqual([result.essence, result.charsetLabel], [`text/x-${n}`, `l${n}`]);
    }
    const again = [['content-type', 'text/x-1; charset=l1']] as const;
    assert.equal(computeMimeType(again, Buffer.from('a')), computeMimeType(again, Buffer.from('b')));
  });
});
