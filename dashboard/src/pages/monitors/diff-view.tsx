import { type DiffLine, pairLines, parseDiff } from './diff.ts';
import classes from './monitors.module.css';

export type DiffLayout = 'split' | 'unified';

interface DiffViewProps {
  /** Unified. */
  readonly diff: string;
  readonly layout: DiffLayout;
}

/** A diff of lines, side by side or one below the other. Signs, not only colors, tell added from removed lines. */
export function DiffView({ diff, layout }: DiffViewProps) {
  const hunks = parseDiff(diff);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={classes.diff} aria-label="Difference" tabIndex={0}>
      {hunks.map((lines, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the hunks of a diff do not move
        <table key={index} className={classes.hunk} data-layout={layout}>
          <caption>
            Difference {index + 1} of {hunks.length}
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
                    Before
                  </th>
                  <th scope="col" colSpan={3}>
                    After
                  </th>
                </>
              ) : (
                <>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                  <th scope="col" colSpan={2}>
                    Line
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>{layout === 'split' ? <SplitRows lines={lines} /> : <UnifiedRows lines={lines} />}</tbody>
        </table>
      ))}
    </section>
  );
}

const SIGNS = { same: '', added: '+', removed: '−' } as const;

function UnifiedRows({ lines }: { readonly lines: readonly DiffLine[] }) {
  return lines.map((line) => (
    <tr key={`${line.before} ${line.after}`} data-kind={line.kind}>
      <td className={classes.number}>{line.before}</td>
      <td className={classes.number}>{line.after}</td>
      <td className={classes.sign}>{SIGNS[line.kind]}</td>
      <td className={classes.line}>{line.text}</td>
    </tr>
  ));
}

function SplitRows({ lines }: { readonly lines: readonly DiffLine[] }) {
  return pairLines(lines).map(({ before, after }) => (
    <tr key={`${before?.before} ${after?.after}`}>
      <SplitCells line={before} number={before?.before ?? null} />
      <SplitCells line={after} number={after?.after ?? null} />
    </tr>
  ));
}

function SplitCells({ line, number }: { readonly line: DiffLine | null; readonly number: number | null }) {
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
        {line?.text}
      </td>
    </>
  );
}
