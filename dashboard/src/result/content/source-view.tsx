import type { Tree } from '@lezer/common';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Switch } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { CodeText } from './code-text.tsx';
import type { Language } from './content-kind.ts';
import classes from './content-panel.module.css';
import { PartPager } from './hex-view.tsx';
import { highlightSpans, parseText } from './highlight.ts';

/** Lengths in characters. Longer texts are not colored, or not indented, because that would take too much time and memory. */
const HIGHLIGHT_MAX = 1_500_000;
const INDENT_MAX = 6_000_000;

interface SourceViewProps {
  readonly text: string;
  readonly language: Language | null;
  /** Names the text in the labels of its region and button; by default it is the content. */
  readonly label?: string;
}

/** A text with line numbers and colors. A long text is shown in parts. */
export function SourceView({ text, language, label }: SourceViewProps) {
  const [wrap, setWrap] = useState(true);
  const [indented, setIndented] = useState(language === 'json' && text.length <= HIGHLIGHT_MAX);
  const [part, setPart] = useState(0);
  const shown = useMemo(() => (indented ? indentJson(text) : text), [text, indented]);
  const parts = useMemo(() => textParts(shown), [shown]);
  const isColored = language !== null && shown.length <= HIGHLIGHT_MAX;
  const tree = useTree(shown, isColored ? language : null);
  const { from, to, line } = parts[Math.min(part, parts.length - 1)]!;
  const spans = useMemo(
    () => (tree === null ? [{ from, to, kind: '' }] : highlightSpans(tree, from, to)),
    [tree, from, to],
  );
  return (
    <>
      <div className={classes.tools}>
        <Switch
          size="xs"
          label={t`Wrap`}
          checked={wrap}
          onChange={(event) => setWrap(event.currentTarget.checked)}
        />
        {language === 'json' && (
          <Switch
            size="xs"
            label={t`Indent`}
            checked={indented}
            disabled={text.length > INDENT_MAX}
            onChange={(event) => {
              setIndented(event.currentTarget.checked);
              setPart(0);
            }}
          />
        )}
        <span className={classes.gap} />
        <PartPager part={part} parts={parts.length} onPart={setPart}>
          <Trans>from line {formatCount(line)}</Trans>
        </PartPager>
        <CopyButton value={shown} label={label === undefined ? t`Copy the content` : t`Copy ${label}`} />
      </div>
      {language !== null && !isColored && (
        <p className={classes.note}>
          <Trans>Too long for syntax highlighting; shown as plain text.</Trans>
        </p>
      )}
      <CodeText
        key={`${part} ${indented}`}
        text={shown}
        spans={spans}
        line={line}
        wrap={wrap}
        label={label ?? t`Source`}
      />
    </>
  );
}

/** The syntax tree of the text; null while it is being parsed, and without a language. */
function useTree(text: string, language: Language | null): Tree | null {
  const [parsed, setParsed] = useState<{ readonly text: string; readonly tree: Tree } | null>(null);
  useEffect(() => {
    if (language === null) return;
    const stop = new AbortController();
    void parseText(text, language, stop.signal).then((tree) => {
      if (tree !== null && !stop.signal.aborted) setParsed({ text, tree });
    });
    return () => stop.abort();
  }, [text, language]);
  return parsed !== null && parsed.text === text && language !== null ? parsed.tree : null;
}

/** The indentation does not grow beyond this depth. */
const MAX_DEPTH = 40;
/** A text is not indented if it would grow by more than this factor: nested brackets could fill the memory. */
const MAX_GROWTH = 8;

/** A string, perhaps unterminated; a punctuation mark; anything else. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs;

/**
 * Formats JSON with one member on each line. It works on the text, so that numbers and repeated members stay as the target sent
 * them. Of invalid JSON, only the white space changes.
 */
function indentJson(text: string): string {
  const tokens: string[] = [];
  let depth = 0;
  let addedLength = 0;
  const newline = () => {
    const text = `\n${'  '.repeat(Math.min(depth, MAX_DEPTH))}`;
    addedLength += text.length;
    return text;
  };
  for (const [token] of text.matchAll(TOKENS)) {
    if (addedLength > text.length * MAX_GROWTH + 100_000) return text;
    const last = tokens.at(-1);
    if (token === '{' || token === '[') {
      depth++;
      tokens.push(token, newline());
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      // An empty object or array stays on one line.
      const isEmpty = tokens.at(-2) === (token === '}' ? '{' : '[') && last?.startsWith('\n') === true;
      if (isEmpty) tokens.pop();
      else tokens.push(newline());
      tokens.push(token);
    } else if (token === ',') tokens.push(',', newline());
    else tokens.push(token === ':' ? ': ' : token);
  }
  return tokens.join('');
}

/** Length of a part in characters: a few screens, because more would make browsers slow. */
const PART_LENGTH = 64 * 1024;
/** Limit of the lines of a part, because each line is an element. */
const PART_LINES = 2_000;

interface TextPart {
  readonly from: number;
  readonly to: number;
  /** Number of its first line, from 1. */
  readonly line: number;
}

/**
 * Splits a text into parts that are shown one at a time. A part ends at the end of a line if there is one in its second half.
 * It never ends inside a character.
 */
function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  let line = 1;
  while (from < text.length) {
    const { to, lines } = linesIn(text, from, partEnd(text, from));
    parts.push({ from, to, line });
    line += lines;
    from = to;
  }
  return parts.length === 0 ? [{ from: 0, to: 0, line: 1 }] : parts;
}

/** The end of the part by its length alone. */
function partEnd(text: string, from: number): number {
  if (text.length - from <= PART_LENGTH) return text.length;
  const end = from + PART_LENGTH;
  const half = from + PART_LENGTH / 2;
  // Sliced first: without line breaks, `lastIndexOf` would search the whole text for each part.
  const newline = text.slice(half, end).lastIndexOf('\n');
  if (newline !== -1) return half + newline + 1;
  // Not between the two units of a surrogate pair.
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}

/** Counts the lines of a part. `to` is moved forward if there would be more than `PART_LINES`. */
function linesIn(text: string, from: number, to: number): { readonly to: number; readonly lines: number } {
  const part = text.slice(from, to);
  let lines = 0;
  for (let newline = part.indexOf('\n'); newline !== -1; newline = part.indexOf('\n', newline + 1)) {
    if (++lines === PART_LINES) return { to: from + newline + 1, lines };
  }
  return { to, lines };
}
