import classes from './code-text.module.css';
import type { HighlightSpan } from './highlight.ts';

interface CodeTextProps {
  readonly text: string;
  readonly spans: readonly HighlightSpan[];
  /** Number of the first line. */
  readonly line: number;
  readonly wrap: boolean;
  readonly label: string;
}

/** A part of a text with numbered lines. Only text nodes: it comes from strangers. */
export function CodeText({ text, spans, line, wrap, label }: CodeTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      {/* The direction is ours, or one character of the target could turn the page around. */}
      <pre
        className={classes.code}
        data-wrap={wrap || undefined}
        dir="ltr"
        style={{ counterReset: `line ${line - 1}` }}
      >
        <code>
          {codeLines(text, spans).map((tokens, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else
            <span key={at} className={classes.line}>
              {tokens.map(({ text: token, kind }, place) =>
                kind === '' ? (
                  token
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have nothing else
                  <span key={place} className={classes[kind]}>
                    {token}
                  </span>
                ),
              )}
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </section>
  );
}

interface CodeToken {
  readonly text: string;
  readonly kind: string;
}

/** A part of a text by lines, each in coloured tokens. A text of one line that is very long stays one line. */
function codeLines(text: string, spans: readonly HighlightSpan[]): readonly (readonly CodeToken[])[] {
  const lines: CodeToken[][] = [[]];
  for (const { from, to, kind } of spans) {
    const [first, ...more] = text.slice(from, to).split('\n');
    if (first !== '') lines.at(-1)!.push({ text: first!, kind });
    for (const line of more) lines.push(line === '' ? [] : [{ text: line, kind }]);
  }
  // The newline at the end of a part ends its last line, and begins none.
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop();
  return lines;
}
