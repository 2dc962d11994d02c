import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SecretMask } from '../../src/domain/secret-mask.ts';

function maskOf(...secrets: readonly string[]): SecretMask {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return mask;
}

describe('masking secrets', () => {
  const SECRET = `a-"quoted"\\n<se&cret>'ü+/=%7E`;

  test('in the forms of JSON, URLs, HTML and Base64', () => {
    const mask = maskOf(SECRET);
    const json = JSON.stringify({ a: SECRET });
    for (const text of [
      SECRET,
      json,
      JSON.stringify({ body: json }),
      encodeURIComponent(SECRET),
      encodeURIComponent(SECRET).toLowerCase(),
      new URL(`http://a/?q=${encodeURI(SECRET)}`).href.replace('http://a/?q=', ''),
      String(new URLSearchParams({ a: SECRET })),
      // HTML of text and attributes as browsers write it, of PHP, of Python and Django, of Go and Jinja.
      ...[
        ['&lt;', '&gt;', '"', "'"],
        ['&lt;', '>', '"', "'"],
        ['<', '>', '&quot;', "'"],
        ['&lt;', '>', '&quot;', "'"],
        ['&lt;', '&gt;', '&quot;', '&#039;'],
        ['&lt;', '&gt;', '&quot;', '&#x27;'],
        ['&lt;', '&gt;', '&#34;', '&#39;'],
      ].map(([less, greater, quote, single]) =>
        SECRET.replaceAll('&', '&amp;')
          .replaceAll('<', less!)
          .replaceAll('>', greater!)
          .replaceAll('"', quote!)
          .replaceAll("'", single!),
      ),
    ])
      for (const part of ['quoted', 'cret']) {
        assert.ok(text.includes(part));
        assert.ok(!mask.text(`before ${text} after`).includes(part), mask.text(text));
      }
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const text = Buffer.from(`${before}${SECRET} after`).toString('base64');
      const shown = Buffer.from(mask.text(text).replace('***', ''), 'base64').toString();
      assert.ok(!shown.includes('quoted') && !shown.includes('cret'), shown);
    }
  });

  test('the longest of several, all of them, and nothing else', () => {
    const mask = maskOf('token', 'token-of-ann', 'ann', 'TOKEN');
    assert.equal(mask.text('token-of-ann Token tokens toke ann'), '*** *** ***s toke ann');
    assert.equal(mask.text('tok'), 'tok');
    assert.equal(new SecretMask().text('token'), 'token');
    assert.deepEqual(mask.json({ token: ['a token', 1, null] }), { '***': ['a ***', 1, null] });
    const bytes = new TextEncoder().encode('ü');
    assert.equal(mask.bytes(bytes), bytes);
    assert.equal(Buffer.from(maskOf('Grüße').bytes(Buffer.from('ü Grüße!'))).toString(), 'ü ***!');
  });
});
