import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { extracted, reading } from './reading.ts';

const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';
const XHTML = `<?xml version="1.0"?>${DOCTYPE}<html xmlns="http://www.w3.org/1999/xhtml"><head>
<title>A&nbsp;&eacute; &amp;nbsp; &#x41;</title></head><body><p title="caf&eacute;">caf&eacute;&nbsp;x &LT;b&gt;&semi; &unheard; &notit;
<![CDATA[&eacute; <!DOCTYPE x [ ]]></p><!-- &eacute; --><a href="/x?a=1&amp;copy=2">l&uuml;nk</a></body></html>`;

describe('XML', () => {
  test('the named characters of XHTML are read, as browsers read them', () => {
    const xhtml = { kind: 'xml', essence: 'application/xhtml+xml' } as const;
    const { data } = reading(XHTML, { ...xhtml, formats: ['text', 'links', 'metadata'] });
    assert.equal(data.text, 'caf\u00e9\u00a0x <b>; &unheard; &notit; &eacute; <!DOCTYPE x [\n\nl\u00fcnk');
    assert.equal((data.metadata as { title: string }).title, 'A\u00a0\u00e9 &nbsp; A'.replace('\u00a0', ' '));
    assert.deepEqual(data.links, [
      { url: 'http://site.test/x?a=1&copy=2', text: 'l\u00fcnk', rel: [], nofollow: false },
    ]);
    assert.deepEqual(extracted(XHTML, { title: 'p@title' }, xhtml).values, { title: 'caf\u00e9' });
  });

  test('declarations of a document type are not text of the document', () => {
    const inner = `<!-- it's ]> --><?pi ' ]> ?><!ENTITY a "x ]> y"><!ELEMENT svg (a|b)>`;
    for (const subset of ['[]', `[${inner}]`, `PUBLIC "-//W3C//DTD SVG 1.1//EN" 'a>b' [ ${inner} ] `]) {
      const svg = `<?xml version="1.0"?><!DOCTYPE svg ${subset}><svg><title>T</title><text>Hello</text></svg>`;
      const { data } = reading(svg, { kind: 'xml', essence: 'image/svg+xml', formats: ['text'] });
      assert.equal(data.text, 'T\nHello', subset);
    }
  });

  test('constructs that never end take no longer than others', () => {
    const hostile = ['<!--', '<![CDATA[', '<!DOCTYPE [', '<!DOCTYPE "', '&a1;', '<!DOCTYPE a [<!--'];
    for (const piece of hostile) {
      const { failures } = reading(`<a>${piece.repeat(100_000)}`, { kind: 'xml', formats: ['text'] });
      assert.deepEqual(failures, [], piece);
    }
    const names = Array.from({ length: 100_000 }, (_, n) => `&n${n};`).join('');
    assert.deepEqual(reading(names, { kind: 'xml', formats: ['text'] }).failures, []);
  });
});

describe('SVG in HTML', () => {
  const PAGE = `<!doctype html><svg viewBox="0 0 1 1"><use xlink:href="#i"/><image xlink:href="p.png"/>
<a href="/new" xlink:href="/old" xml:lang="de">x</a></svg><math definitionURL="d"></math><p xml:lang="fr">`;

  test('attributes with a prefix are found by their whole name, links absolute', () => {
    const rules = { use: 'use@xlink:href', image: 'image@xlink:href', lang: 'a@xml:lang', p: 'p@xml:lang' };
    assert.deepEqual(extracted(PAGE, rules).values, {
      ...{ use: 'http://site.test/dir/page?q#i', image: 'http://site.test/dir/p.png' },
      ...{ lang: 'de', p: 'fr' },
    });
    assert.deepEqual(extracted(PAGE, { a: 'a@href', old: 'a@xlink:href', short: 'image@href' }).values, {
      ...{ a: 'http://site.test/new', old: 'http://site.test/old', short: 'http://site.test/dir/p.png' },
    });
  });

  test('selectors find their attributes in any letter case', () => {
    for (const css of ['svg[viewBox]', 'svg[viewbox="0 0 1 1"]', '[VIEWBOX^="0"]'])
      assert.deepEqual(extracted(PAGE, { box: `${css}@viewBox` }).values, { box: '0 0 1 1' }, css);
    assert.deepEqual(extracted(PAGE, { url: 'math[definitionURL]@definitionURL' }).values, { url: 'd' });
  });
});
