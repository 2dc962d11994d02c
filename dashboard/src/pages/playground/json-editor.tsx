import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useMemo } from 'react';
import { VERBATIM } from '../../ui/input-props.ts';
import classes from './json-editor.module.css';
import type { JsonFault } from './model/json-syntax.ts';

interface JsonEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly fault: JsonFault | null;
  /** Notes by line number (from 1). */
  readonly marks: ReadonlyMap<number, string>;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/**
 * A plain text field, so that keyboard, undo and screen readers work as usual. Its text is transparent; line numbers and
 * colored text are behind it.
 */
export function JsonEditor({ text, onChange, fault, marks, ref }: JsonEditorProps) {
  const id = useId();
  const colours = useMemo(() => highlightJson(text), [text]);
  const lines = useMemo(() => text.split('\n').length, [text]);
  return (
    <div className={classes.frame} data-fault={fault !== null || undefined}>
      <div className={classes.scroll}>
        <div className={classes.numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
              key={index}
              title={marks.get(index + 1)}
              data-mark={index + 1 === fault?.line ? 'fault' : marks.has(index + 1) ? 'note' : undefined}
            >
              {index + 1}
            </span>
          ))}
        </div>
        <div className={classes.text}>
          <pre className={classes.colours} aria-hidden="true">
            {colours}
            {'\n'}
          </pre>
          <textarea
            ref={ref}
            className={classes.input}
            value={text}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            onKeyDown={keepIndent}
            aria-label={t`Request as JSON`}
            aria-invalid={fault !== null}
            aria-describedby={fault === null ? undefined : id}
            wrap="off"
            {...VERBATIM}
            autoCapitalize="off"
          />
        </div>
      </div>
      <p id={id} className={classes.fault} role="status">
        {fault !== null && (
          <>
            <b>
              <Trans>
                Line {fault.line}, column {fault.column}:
              </Trans>
            </b>{' '}
            {fault.message}
          </>
        )}
      </p>
    </div>
  );
}

/** Indents a new line like the previous one, and deeper after an opening bracket. */
function keepIndent(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.metaKey || event.ctrlKey || event.nativeEvent.isComposing) return;
  const { value, selectionStart } = event.currentTarget;
  const line = value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart);
  const deeper = /[{[]\s*$/.test(line) ? '  ' : '';
  event.preventDefault();
  // The only way of inserting text that the browser can undo.
  document.execCommand('insertText', false, `\n${/^ */.exec(line)![0]}${deeper}`);
}

/** A string (with the colon if it is a name), a number, or a keyword. Also matches invalid JSON, which is being typed. */
const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;
/** Longer texts (in characters) are not colored, because typing would become slow. */
const HIGHLIGHT_MAX = 60_000;

/** JSON with colored names, strings, numbers and keywords. */
function highlightJson(text: string): ReactNode {
  if (text.length > HIGHLIGHT_MAX) return text;
  const nodes: ReactNode[] = [];
  let end = 0;
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
    nodes.push(text.slice(end, match.index));
    const token = string ?? all;
    nodes.push(
      <span key={match.index} className={kind}>
        {token}
      </span>,
    );
    end = match.index + token.length;
  }
  nodes.push(text.slice(end));
  return nodes;
}
