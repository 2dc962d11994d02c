import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { detectCharset, lateMetaCharset, prescanHtml } from '../../../src/content/charset/charset.ts';
import { decodeContent, toUtf8 } from '../../../src/content/charset/decode-content.ts';

const root = process.env.CONFORMANCE_DATA;
const folder = join(root ?? '', 'encoding');
const skip = root === undefined ? 'CONFORMANCE_DATA is not set' : false;

function page(body: Buffer, contentType: string | null) {
  return decodeContent({
    body,
    headers: contentType === null ? [] : [['content-type', contentType]],
    undecoded: false,
    cutAtLimit: false,
    noBody: false,
    want: 'auto',
  });
}

const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => Buffer.from(bytes).toString('utf8');

function headersOf(file: string): string | null {
  if (!existsSync(`${file}.headers`)) return null;
  return /^content-type:\s*(.*?)\s*$/im.exec(readFileSync(`${file}.headers`, 'latin1'))?.[1] ?? null;
}

describe('WPT legacy charset pages', { skip }, () => {
  it('decode as they say of themselves', (t) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'wpt-chars-manifest.json'), 'utf8'));
    let right = 0;
    let all = 0;
    const wrong: string[] = [];
    for (const { file, spans, encoding } of manifest) {
      const path = join(folder, 'wpt', file);
      const body = readFileSync(path);
      const byHttp = page(body, headersOf(path) ?? 'text/html');
      const byMeta = page(body, 'text/html');
      assert.equal(byHttp.charset?.name, encoding, file);
      assert.equal(byMeta.charset?.name, encoding, file);
      assert.equal(byMeta.charset?.source, 'meta', file);
      assert.equal(textOf(byMeta.content), textOf(byHttp.content), file);
      let seen = 0;
      for (const [, points, text] of textOf(byHttp.content).matchAll(
        /<span data-cp="([0-9A-Fa-f ]+)" data-bytes="[^"]*">([^<]*)<\/span>/g,
      )) {
        seen++;
        const wanted = String.fromCodePoint(
          ...points!
            .trim()
            .split(/\s+/)
            .map((hex) => Number.parseInt(hex, 16)),
        );
        if (text === wanted) right++;
        else wrong.push(`${encoding} U+${points}`);
      }
      assert.equal(seen, spans, file);
      all += seen;
    }
    t.diagnostic(
      `${right} of ${all} code points right on ${manifest.length} pages; wrong: ${[...new Set(wrong)]}`,
    );
    assert.equal(all, 360_386);
    assert.ok(right >= 360_351, `${right} right`);
  });
});

describe('WPT byte order marks and ends', { skip }, () => {
  const wpt = (name: string) => readFileSync(join(folder, 'wpt', name));

  it('a BOM beats Content-Type and meta', () => {
    const made = page(wpt('bom-handling.html'), headersOf(join(folder, 'wpt', 'bom-handling.html')));
    assert.deepEqual(made.charset, { name: 'utf-8', source: 'bom' });
    assert.ok(textOf(made.content).startsWith('<!-- starts'));
  });

  for (const [name, charset] of [
    ['two-boms-utf-8.html', 'utf-8'],
    ['two-boms-utf-16be.html', 'utf-16be'],
    ['two-boms-utf-16le.html', 'utf-16le'],
  ] as const) {
    it(`${name}: only one BOM is taken off`, () => {
      const made = page(wpt(`resources/${name}`), 'text/html');
      assert.equal(made.charset?.name, charset);
      assert.equal(textOf(made.content).codePointAt(0), 0xfeff);
    });
  }

  for (const name of ['eof-shift_jis', 'eof-utf-8-one', 'eof-utf-8-two', 'eof-utf-8-three']) {
    it(`${name}: a cut character at the end is one U+FFFD`, () => {
      const made = page(wpt(`${name}.html`), 'text/html');
      assert.ok(textOf(made.content).endsWith(':\ufffd'), JSON.stringify(textOf(made.content).slice(-10)));
      assert.equal(made.replaced, 1);
    });
  }

  it('single-byte indexes of single-byte-decoder.window.js', (t) => {
    const source = wpt('single-byte-decoder.window.js').toString('utf8');
    const indexes: Record<string, (number | null)[]> = {};
    for (const [, name, index] of source.matchAll(/^\s*"([\w-]+)":(\[[^\]]*\])/gm)) {
      indexes[name!] = JSON.parse(index!);
    }
    const upper = Uint8Array.from({ length: 128 }, (_, n) => n + 128);
    let all = 0;
    for (const [name, index] of Object.entries(indexes)) {
      const wanted = index.map((point) => String.fromCodePoint(point ?? 0xfffd)).join('');
      const got = toUtf8(upper, name.toLowerCase(), false);
      assert.equal(textOf(got), wanted, name);
      assert.equal(got.replaced, index.filter((point) => point === null).length, name);
      all += index.length;
    }
    t.diagnostic(`${all} bytes right in ${Object.keys(indexes).length} encodings`);
    assert.ok(all >= 27 * 128);
  });
});

describe('encoding_rs indexes', { skip }, () => {
  const names: Record<string, string> = {
    big5: 'big5',
    euc_kr: 'euc-kr',
    gb18030: 'gb18030',
    iso_2022_jp: 'iso-2022-jp',
    jis0208: 'euc-jp',
    jis0212: 'euc-jp',
    shift_jis: 'shift_jis',
  };
  for (const [file, encoding] of Object.entries(names)) {
    it(`${file}: every pointer, as ${encoding}`, (t) => {
      const bytes = readFileSync(join(folder, 'encoding_rs', `${file}_in.txt`));
      const wanted = readFileSync(join(folder, 'encoding_rs', `${file}_in_ref.txt`), 'utf8').split('\n');
      const got = textOf(toUtf8(bytes, encoding, false)).split('\n');
      assert.equal(got.length, wanted.length);
      const right = got.filter((line, n) => line === wanted[n]).length;
      t.diagnostic(`${right} of ${wanted.length} lines right`);
      assert.equal(right, wanted.length);
    });
  }
});

describe('html5lib encoding tests', { skip }, () => {
  it('name the charset that they should', (t) => {
    let right = 0;
    const wrong: string[] = [];
    for (const file of readdirSync(join(folder, 'html5lib')).filter((name) => name.endsWith('.dat'))) {
      const text = readFileSync(join(folder, 'html5lib', file), 'latin1');
      for (const part of text.split(/^#data\n/m).slice(1)) {
        const [data, wanted] = part.split(/^#encoding\n/m) as [string, string];
        const body = Buffer.from(data.replace(/\n$/, ''), 'latin1');
        // The tests know no "valid UTF-8", which here stands before a late <meta>: so ask for that one too.
        const declared = detectCharset(body, 'html', null, false);
        const name =
          declared.source === 'bom'
            ? declared.name
            : (prescanHtml(body)?.name ?? lateMetaCharset(body) ?? 'windows-1252');
        if (name === wanted.trim().toLowerCase()) right++;
        else wrong.push(`${file}: ${JSON.stringify(data.slice(0, 60))} ${name} ${wanted}`);
      }
    }
    t.diagnostic(`${right} of ${right + wrong.length} right`);
    assert.deepEqual(wrong, []);
    assert.equal(right, 82);
  });
});
