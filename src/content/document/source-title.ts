import { createRequire } from 'node:module';
import type * as HtmlParser2 from 'htmlparser2';

const loadPackage = createRequire(import.meta.url);

/** The title stands near the beginning of a page. */
const MAX_SOURCE_LENGTH = 128 * 1024;
const MAX_TITLE_LENGTH = 300;

/** The text of the first `title` of an HTML document that is not a part of a drawing, with white space collapsed; null: there is none. */
export function titleInSource(source: string): string | null {
  const { Parser } = loadPackage('htmlparser2') as typeof HtmlParser2;
  let title: string | null = null;
  let isInside = false;
  let drawings = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (name === 'svg') drawings++;
      if (name === 'title' && title === null && drawings === 0) {
        isInside = true;
        title = '';
      }
    },
    ontext(text) {
      if (isInside) title += text;
    },
    onclosetag(name) {
      if (name === 'svg') drawings--;
      if (name !== 'title' || !isInside) return;
      isInside = false;
      parser.pause();
    },
  });
  parser.end(source.slice(0, MAX_SOURCE_LENGTH));
  const text = (title ?? '').replace(/\s+/g, ' ').trim();
  return text === '' ? null : text.slice(0, MAX_TITLE_LENGTH);
}
