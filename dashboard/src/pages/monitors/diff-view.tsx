import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ComparedIds, DatedHeading } from './dated-heading.tsx';
import { type DiffLine, pairLines, parseDiff } from './diff.ts';
import classes from './monitors.module.css';

export type DiffLayout = 'split' | 'unified';

/** Called with a line that should not count as a change. */
export type OnIgnore = (line: string) => void;

interface DiffViewProps {
  /** Unified. */
  readonly diff: string;
  readonly ids: ComparedIds;
  readonly layout: DiffLayout;
  /** null: lines cannot be ignored. */
  readonly onIgnore: OnIgnore | null;
}

/** A diff of lines, side by side or one below the other. Signs, not only colors, tell added from removed lines. */
export function DiffView({ diff, ids, layout, onIgnore }: DiffViewProps) {
  const hunks = parseDiff(diff);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={classes.diff} aria-label={t`Difference`} tabIndex={0}>
      {hunks.map((lines, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the hunks of a diff do not move
        <table key={index} className={classes.hunk} data-layout={layout}>
          <caption>
            <Trans>
              Difference {index + 1} of {hunks.length}
            </Trans>
          </caption>
          {layout === 'split' && (
            <colgroup>
              <col className={classes.number} />
              <col className={classes.sign} />
              <col />
              <col className={classes.number} />
              <col className={classes.sign} />
              <col />
            </colgroup>
          )}
          <thead>
            <tr>
              {layout === 'split' ? (
                <>
                  <th scope="col" colSpan={3}>
                    <DatedHeading id={ids.before}>
                      <Trans>Before</Trans>
                    </DatedHeading>
                  </th>
                  <th scope="col" colSpan={3}>
                    <DatedHeading id={ids.after}>
                      <Trans>After</Trans>
                    </DatedHeading>
                  </th>
                </>
              ) : (
                <>
                  {/* Columns of numbers are narrower than these words. */}
                  <th scope="col" className={classes.short} aria-label={t`Before`} title={t`Before`}>
                    −
                  </th>
                  <th scope="col" className={classes.short} aria-label={t`After`} title={t`After`}>
                    +
                  </th>
                  <th scope="col" colSpan={2}>
                    <Trans>Line</Trans>
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {layout === 'split' ? (
              <SplitRows lines={lines} onIgnore={onIgnore} />
            ) : (
              <UnifiedRows lines={lines} onIgnore={onIgnore} />
            )}
          </tbody>
        </table>
      ))}
    </section>
  );
}

const SIGNS = { same: '', added: '+', removed: '−' } as const;

interface RowsProps {
  readonly lines: readonly DiffLine[];
  readonly onIgnore: OnIgnore | null;
}

function UnifiedRows({ lines, onIgnore }: RowsProps) {
  return lines.map((line) => (
    <tr key={`${line.before} ${line.after}`} data-kind={line.kind}>
      <td className={classes.number}>{line.before}</td>
      <td className={classes.number}>{line.after}</td>
      <td className={classes.sign}>{SIGNS[line.kind]}</td>
      <td className={classes.line}>
        <LineText line={line} onIgnore={onIgnore} />
      </td>
    </tr>
  ));
}

function SplitRows({ lines, onIgnore }: RowsProps) {
  return pairLines(lines).map(({ before, after }) => (
    <tr key={`${before?.before} ${after?.after}`}>
      <SplitCells line={before} number={before?.before ?? null} onIgnore={onIgnore} />
      <SplitCells line={after} number={after?.after ?? null} onIgnore={onIgnore} />
    </tr>
  ));
}

interface SplitCellsProps {
  readonly line: DiffLine | null;
  readonly number: number | null;
  readonly onIgnore: OnIgnore | null;
}

function SplitCells({ line, number, onIgnore }: SplitCellsProps) {
  const kind = line?.kind ?? 'none';
  return (
    <>
      <td className={classes.number} data-kind={kind}>
        {number}
      </td>
      <td className={classes.sign} data-kind={kind}>
        {line !== null && SIGNS[line.kind]}
      </td>
      <td className={classes.line} data-kind={kind}>
        {line !== null && <LineText line={line} onIgnore={onIgnore} />}
      </td>
    </>
  );
}

interface LineTextProps {
  readonly line: DiffLine;
  readonly onIgnore: OnIgnore | null;
}

/** The line; with a button, if it has changed. */
function LineText({ line: { kind, text }, onIgnore }: LineTextProps) {
  return (
    <>
      {text}
      {kind !== 'same' && onIgnore !== null && (
        <button
          type="button"
          className={classes.ignore}
          aria-label={t`Ignore the line: ${text}`}
          onClick={() => onIgnore(text)}
        >
          <Trans>Ignore</Trans>
        </button>
      )}
    </>
  );
}
