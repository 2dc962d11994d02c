import type { MailPicture } from '../ports/mail.ts';
import type { MailBody } from './messenger.ts';

/** A message that a person reads, before it gets the form of a channel. */
export interface PersonMessage {
  /** One line. */
  readonly title: string;
  readonly lines: readonly string[];
  /** A difference with `+` and `-` before its lines; null: there is none. */
  readonly diff: string | null;
  /** null: there is none. */
  readonly picture: PersonPicture | null;
  /** The page of the dashboard. */
  readonly url: string;
}

export interface PersonPicture {
  /** A link that works without a key; null: nobody else could open it. */
  readonly link: string | null;
  /** For a mail; null: it is too large. */
  readonly file: Omit<MailPicture, 'cid'> | null;
}

/** Of a difference, in bytes. */
const MAX_DIFF_BYTES = 2_048;
/** A section of Slack has at most 3,000 characters, a header 150 (https://docs.slack.dev/reference/block-kit/blocks). */
const MAX_SECTION_CHARS = 2_900;
const MAX_HEADER_CHARS = 150;
/** Subjects beyond this are not shown by any reader of mail. */
const MAX_SUBJECT_CHARS = 200;
const MAX_LINE_CHARS = 500;
const MORE = '…';

/** The beginning of a text, by whole lines, whose size is at most `max`. A first line that is longer is cut itself. */
function cutLines(text: string, max: number, sizeOf: (part: string) => number): string {
  if (sizeOf(text) <= max) return text;
  let size = 0;
  const kept: string[] = [];
  // A line may have megabytes, so that not all of the text is split.
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : Math.min(end, from + max));
    size += sizeOf(line) + 1;
    if (size > max) {
      if (kept.length > 0) break;
      kept.push(cutChars(line, max, sizeOf));
      break;
    }
    kept.push(line);
    if (end === -1) break;
    from = end + 1;
  }
  return [...kept, MORE].join('\n');
}

/** The beginning of a line, without half a character at its end. */
function cutChars(line: string, max: number, sizeOf: (part: string) => number): string {
  let end = Math.min(line.length, max);
  while (end > 0 && sizeOf(line.slice(0, end)) > max) end = Math.floor(end * 0.9);
  return line.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A difference as messages have it. */
export const shortDiff = (diff: string): string => cutLines(diff, MAX_DIFF_BYTES, bytesOf);

/** A unified difference for a person: without the numbers of lines. */
export const readableDiff = (diff: string): string =>
  diff
    // Runs of earlier versions have the names of files before the first part.
    .replace(/^[^@]*?^(?=@@ )/m, '')
    .replace(/^@@ .*\n/, '')
    .replace(/^@@ .*$/gm, MORE);

const shortLine = (line: string): string =>
  line.length > MAX_LINE_CHARS ? `${cutChars(line, MAX_LINE_CHARS, (part) => part.length)}${MORE}` : line;

/** Slack reads `&`, `<` and `>` as markup (https://docs.slack.dev/messaging/formatting-message-text). */
export const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A letter that looks like a backtick, which would end the block of code. */
const slackCode = (text: string): string => slackText(text.replaceAll('`', '\u02CB'));

/** @param withPicture false: Slack may have refused the message because it could not load the picture */
export function slackBody(message: PersonMessage, withPicture: boolean): Buffer {
  const { title, url, diff, picture } = message;
  const lines = message.lines.map(shortLine);
  const link = withPicture ? (picture?.link ?? null) : null;
  const code =
    diff === null
      ? null
      : `\`\`\`${slackCode(cutLines(diff, MAX_SECTION_CHARS, (part) => slackCode(part).length))}\`\`\``;
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const blocks = [
    {
      type: 'header',
      text: plain(cutChars(slackText(title), MAX_HEADER_CHARS, (part) => part.length) || 'Sluice'),
    },
    ...(lines.length === 0
      ? []
      : [
          {
            type: 'section',
            text: plain(cutLines(lines.map(slackText).join('\n'), MAX_SECTION_CHARS, (part) => part.length)),
          },
        ]),
    ...(code === null ? [] : [{ type: 'section', text: { type: 'mrkdwn', text: code } }]),
    ...(link === null ? [] : [{ type: 'image', image_url: link, alt_text: 'Screenshot of the page' }]),
    { type: 'section', text: { type: 'mrkdwn', text: `<${slackText(url)}|Open in Sluice>` } },
  ];
  // What Slack shows in its own notifications, and all that others which take its messages know: blocks are Slack's alone.
  const text = [...[title, ...lines].map(slackText), ...(code === null ? [] : [code]), url];
  return Buffer.from(JSON.stringify({ text: text.join('\n'), blocks }));
}

const htmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const PICTURE_ID = 'screenshot@sluice';
const PRE =
  'style="font:13px/1.4 monospace;background:#f6f7f9;color:#1c2024;padding:12px;white-space:pre-wrap;overflow-wrap:anywhere"';

function htmlDiff(diff: string): string {
  const lines = diff.split('\n').map((line) => {
    const color = line.startsWith('+') ? '#116329' : line.startsWith('-') ? '#a40e26' : null;
    return color === null ? htmlText(line) : `<span style="color:${color}">${htmlText(line)}</span>`;
  });
  return `<pre ${PRE}>${lines.join('\n')}</pre>`;
}

export function mailBody({ title, lines: all, diff, picture, url }: PersonMessage): MailBody {
  const lines = all.map(shortLine);
  const file = picture?.file ?? null;
  const text = [...lines, ...(diff === null ? [] : ['', diff]), '', url, ''].join('\n');
  const html = [
    '<!doctype html><html><body style="font:15px/1.5 sans-serif">',
    `<h1 style="font-size:18px">${htmlText(title)}</h1>`,
    ...lines.map((line) => `<p>${htmlText(line)}</p>`),
    ...(diff === null ? [] : [htmlDiff(diff)]),
    ...(file === null
      ? []
      : [`<p><img src="cid:${PICTURE_ID}" alt="Screenshot of the page" width="600"></p>`]),
    `<p><a href="${htmlText(url)}">Open in Sluice</a></p>`,
    '</body></html>',
  ].join('\n');
  return {
    subject: cutChars(`[Sluice] ${title}`, MAX_SUBJECT_CHARS, (part) => part.length),
    text,
    html,
    ...(file === null ? {} : { pictures: [{ cid: PICTURE_ID, ...file }] }),
  };
}
