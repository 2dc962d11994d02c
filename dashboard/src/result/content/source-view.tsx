import type { Tree } from '@lezer/common';
import { Switch } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { CodeText } from './code-text.tsx';
import type { Language } from './content-kind.ts';
import classes from './content-panel.module.css';
import { parseText, stretchesOf } from './highlight.ts';
import { indentJson } from './indent-json.ts';
import { PartPager } from './part-pager.tsx';
import { textParts } from './text-parts.ts';

/** Beyond these a text stays as it is: colours and order would cost more time and memory than they are worth. */
const COLOURED_MOST = 1_500_000;
const INDENTED_MOST = 6_000_000;

interface SourceViewProps {
  readonly text: string;
  readonly language: Language | null;
  /** What it is, for the label of the region and of its button. */
  readonly label?: string;
}

/** A text as it came: numbered lines, coloured, and in parts when it is long. */
export function SourceView({ text, language, label = 'Source' }: SourceViewProps) {
  const [wrap, setWrap] = useState(true);
  const [indented, setIndented] = useState(language === 'json' && text.length <= COLOURED_MOST);
  const [part, setPart] = useState(0);
  const shown = useMemo(() => (indented ? indentJson(text) : text), [text, indented]);
  const parts = useMemo(() => textParts(shown), [shown]);
  const coloured = language !== null && shown.length <= COLOURED_MOST;
  const tree = useTree(shown, coloured ? language : null);
  const { from, to, line } = parts[Math.min(part, parts.length - 1)]!;
  const stretches = useMemo(
    () => (tree === null ? [{ from, to, kind: '' }] : stretchesOf(tree, from, to)),
    [tree, from, to],
  );
  return (
    <>
      <div className={classes.tools}>
        <Switch
          size="xs"
          label="Wrap"
          checked={wrap}
          onChange={(event) => setWrap(event.currentTarget.checked)}
        />
        {language === 'json' && (
          <Switch
            size="xs"
            label="Indent"
            checked={indented}
            disabled={text.length > INDENTED_MOST}
            onChange={(event) => {
              setIndented(event.currentTarget.checked);
              setPart(0);
            }}
          />
        )}
        <span className={classes.gap} />
        <PartPager part={part} parts={parts.length} onPart={setPart}>
          from line {formatCount(line)}
        </PartPager>
        <CopyButton value={shown} label={label === 'Source' ? 'Copy the content' : `Copy ${label}`} />
      </div>
      {language !== null && !coloured && (
        <p className={classes.note}>Too long for syntax highlighting; shown as plain text.</p>
      )}
      <CodeText
        key={`${part} ${indented}`}
        text={shown}
        stretches={stretches}
        line={line}
        wrap={wrap}
        label={label}
      />
    </>
  );
}

/** What the text is made of, as soon as it is known; null until then, and without a language. */
function useTree(text: string, language: Language | null): Tree | null {
  const [known, setKnown] = useState<{ readonly text: string; readonly tree: Tree } | null>(null);
  useEffect(() => {
    if (language === null) return;
    const stop = new AbortController();
    void parseText(text, language, stop.signal).then((tree) => {
      if (tree !== null && !stop.signal.aborted) setKnown({ text, tree });
    });
    return () => stop.abort();
  }, [text, language]);
  return known !== null && known.text === text && language !== null ? known.tree : null;
}
