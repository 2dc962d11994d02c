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

/** A part of a text with line numbers. The text is not trusted, so only text nodes are created. */
export function CodeText({ text, spans, line, wrap, label }: CodeTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      {/* A fixed direction, because a right-to-left character of the target could reverse the layout. */}
      <pre
        className={classes.code}
        data-wrap={wrap || undefined}
        dir="ltr"
        style={{ counterReset: `line ${line - 1}` }}
      >
        <code>
          {codeLines(text, spans).map((tokens, lineIndex) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
            <span key={lineIndex} className={classes.line}>
              {tokens.map(({ text: token, kind }, index) =>
                kind === '' ? (
                  token
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other key
                  <span key={index} className={classes[kind]}>
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

/** Splits a part of a text into lines of colored tokens. A very long line stays one line. */
function codeLines(text: string, spans: readonly HighlightSpan[]): readonly (readonly CodeToken[])[] {
  const lines: CodeToken[][] = [[]];
  for (const { from, to, kind } of spans) {
    const [first, ...others] = text.slice(from, to).split('\n');
    if (first !== '') lines.at(-1)!.push({ text: first!, kind });
    for (const line of others) lines.push(line === '' ? [] : [{ text: line, kind }]);
  }
  // A newline at the end of a part does not begin another line.
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop();
  return lines;
}
