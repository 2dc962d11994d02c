import type { ReactNode } from 'react';
import classes from './json-editor.module.css';

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;
/** Beyond it, colours would make typing slow. */
const LONGEST = 60_000;

/** JSON with its names, texts, numbers and words in colours. */
export function highlighted(text: string): ReactNode {
  if (text.length > LONGEST) return text;
  const parts: ReactNode[] = [];
  let read = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon, number] = match;
    const kind =
      string === undefined
        ? number === undefined
          ? classes.word
          : classes.number
        : colon === undefined
          ? classes.string
          : classes.name;
    parts.push(text.slice(read, match.index));
    const token = string ?? all;
    parts.push(
      <span key={match.index} className={kind}>
        {token}
      </span>,
    );
    read = match.index + token.length;
  }
  parts.push(text.slice(read));
  return parts;
}
