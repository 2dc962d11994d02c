import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  mailBody,
  type PersonMessage,
  readableDiff,
  shortDiff,
  slackBody,
} from '../../src/webhooks/person-message.ts';

const MESSAGE: PersonMessage = {
  title: 'Changed: Prices',
  lines: ['https://example.com/', '1 line added, 1 removed.'],
  diff: '-10 €\n+12 €\n',
  picture: {
    link: 'https://sluice.example/api/v1/scrape/1/screenshot?signature=x',
    file: { name: 'screenshot.png', type: 'image/png', bytes: Buffer.from('picture') },
  },
  url: 'https://sluice.example/monitors/1?run=2',
};

interface Slack {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly image_url?: string;
    readonly text?: { readonly type: string; readonly text: string };
  }[];
}
const slack = (change: Partial<PersonMessage>, withPicture = true): Slack =>
  JSON.parse(slackBody({ ...MESSAGE, ...change }, withPicture).toString());

test('a difference is cut at the end of a line, within its bytes', () => {
  assert.equal(shortDiff('+a\n+b'), '+a\n+b');
  const lines = Array.from({ length: 400 }, (_, n) => `+line ${n} ü`);
  const short = shortDiff(lines.join('\n'));
  assert.ok(Buffer.byteLength(short) <= 2_048 + 5);
  const shown = short.split('\n');
  assert.equal(shown.at(-1), '…');
  for (const [index, line] of shown.slice(0, -1).entries()) assert.equal(line, lines[index]);
});

test('a line of ten megabytes is cut itself, without half a character', () => {
  const short = shortDiff(`+${'😀'.repeat(2_500_000)}\n-b`);
  assert.ok(Buffer.byteLength(short) <= 2_048 + 5);
  assert.ok(short.startsWith('+😀😀'));
  assert.ok(short.isWellFormed());
});

test('a person reads the lines of a difference, and where some are left out', () => {
  const parts = '@@ -1,2 +1,2 @@\n name\n-10 €\n+12 €\n@@ -30,1 +30,1 @@\n-@@ a\n+@@ b\n';
  const read = ' name\n-10 €\n+12 €\n…\n-@@ a\n+@@ b\n';
  assert.equal(readableDiff(parts), read);
  assert.equal(readableDiff(`=====\n--- before\n+++ after\n${parts}`), read, 'of an earlier version');
  assert.equal(readableDiff('-10 €\n'), '-10 €\n');
});

test('Slack reads nothing of a page as markup', () => {
  const evil = '<!channel> <https://evil.example|click> & `code` *bold*';
  const { text, blocks } = slack({ title: evil, lines: [evil], diff: `+\`\`\`\n${evil}` });
  assert.doesNotMatch(text.replaceAll(MESSAGE.url, ''), /<|>/);
  for (const { text: part } of blocks.slice(0, 2)) assert.equal(part!.type, 'plain_text');
  const code = blocks[2]!.text!.text;
  assert.match(code, /^```[^`]+```$/);
  assert.doesNotMatch(code, /<|>/);
});

test('every part keeps the limits of Slack, also when escaping makes it longer', () => {
  const { blocks } = slack({
    title: '&'.repeat(500),
    lines: Array.from({ length: 50 }, () => '<'.repeat(400)),
    diff: shortDiff('&'.repeat(5_000)),
  });
  assert.ok(blocks[0]!.text!.text.length <= 150);
  for (const { text } of blocks) assert.ok((text?.text.length ?? 0) <= 3_000);
  assert.ok(blocks.length <= 50);
});

test('the picture is left out when Slack may not have been able to load it', () => {
  const pictures = ({ blocks }: Slack) => blocks.flatMap(({ image_url: url }) => url ?? []);
  assert.deepEqual(pictures(slack({})), [MESSAGE.picture!.link]);
  assert.deepEqual(pictures(slack({}, false)), []);
  assert.deepEqual(pictures(slack({ picture: { link: null, file: null } })), []);
});

test('a mail has text and HTML, and nothing of a page is HTML', () => {
  const evil = '</pre><script>alert(1)</script>" onload="x';
  const { subject, text, html, pictures } = mailBody({
    ...MESSAGE,
    title: `Changed: ${evil}`,
    lines: [evil],
    diff: `+${evil}`,
  });
  assert.equal(subject, `[Sluice] Changed: ${evil}`);
  assert.ok(text.includes(evil) && text.includes(MESSAGE.url));
  assert.doesNotMatch(html!, /<script|<\/pre><script|" onload/);
  assert.match(html!, /<img src="cid:screenshot@sluice"/);
  assert.deepEqual(
    pictures!.map(({ cid, type }) => [cid, type]),
    [['screenshot@sluice', 'image/png']],
  );
  assert.equal(mailBody({ ...MESSAGE, picture: null }).pictures, undefined);
});
