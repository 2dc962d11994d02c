import { codeLines } from './code-lines.ts';
import classes from './code-text.module.css';
import type { Stretch } from './highlight.ts';

interface CodeTextProps {
  readonly text: string;
  readonly stretches: readonly Stretch[];
  /** Number of the first line. */
  readonly line: number;
  readonly wrap: boolean;
  readonly label: string;
}

/** A part of a text with numbered lines. Only text nodes: it comes from strangers. */
export function CodeText({ text, stretches, line, wrap, label }: CodeTextProps) {
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
          {codeLines(text, stretches).map((pieces, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else
            <span key={at} className={classes.line}>
              {pieces.map(({ text: piece, kind }, place) =>
                kind === '' ? (
                  piece
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: pieces have nothing else
                  <span key={place} className={classes[kind]}>
                    {piece}
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
