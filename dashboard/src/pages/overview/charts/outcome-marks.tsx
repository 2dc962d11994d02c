import type { Outcome } from '../../../api/client.ts';
import { OUTCOMES } from '../../../ui/outcome.tsx';
import { toneStyle } from '../../../ui/pill.tsx';
import classes from './charts.module.css';

/** A dry run fetches nothing, so it does not count as a scrape. */
type ScrapeOutcome = Exclude<Outcome, 'planned'>;

/** Every outcome of a scrape, from the best to the worst: the order of stacks and legends. */
export const SCRAPE_OUTCOMES = Object.keys(OUTCOMES).filter((name) => name !== 'planned') as ScrapeOutcome[];

/** SVG paths in tiles of 6 × 6 px over the color, so that outcomes can be distinguished without it; `ok` has none. */
const PATTERNS: Readonly<Record<ScrapeOutcome, string | null>> = {
  ok: null,
  partial: 'M0 3h6',
  target_error: 'M0 4.500l3 -3l3 3',
  unaccepted: 'M-1 -1l8 8M-1 5l2 2M5 -1l2 2',
  blocked: 'M1.5 1.500h.01M4.5 4.500h.01',
  failed: 'M-1 7l8 -8M-1 1l2 -2M5 7l2 -2',
};

const patternId = (outcome: ScrapeOutcome): string => `outcome-${outcome.replace('_', '-')}`;

/** The `fill` of a mark for an outcome. */
export const patternFill = (outcome: ScrapeOutcome): string => `url(#${patternId(outcome)})`;

/** The patterns for `patternFill`. Must be rendered once on a page. */
export function OutcomePatterns() {
  return (
    <svg className={classes.patterns} width="0" height="0" aria-hidden="true" focusable="false">
      <defs>
        {SCRAPE_OUTCOMES.map((outcome) => {
          const path = PATTERNS[outcome];
          return (
            <pattern
              key={outcome}
              id={patternId(outcome)}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              className={classes.pattern}
              data-tone={OUTCOMES[outcome].tone}
              style={toneStyle(OUTCOMES[outcome].tone)}
            >
              <rect width="6" height="6" />
              {path !== null && <path d={path} />}
            </pattern>
          );
        })}
      </defs>
    </svg>
  );
}

interface SwatchProps {
  readonly fill: string;
  readonly size?: number;
}

/** A colored mark beside a name. */
export function Swatch({ fill, size = 12 }: SwatchProps) {
  return (
    <svg className={classes.swatch} width={size} height={size} aria-hidden="true" focusable="false">
      <rect width={size} height={size} rx="3" fill={fill} />
    </svg>
  );
}

export interface Share {
  readonly name: string;
  readonly count: number;
  /** `fill` of the SVG mark. */
  readonly fill: string;
}

interface ShareBarProps {
  readonly shares: readonly Share[];
  /** The count that fills the whole length. */
  readonly all: number;
}

/** A line divided into shares. It is decorative: the figures must be shown beside it. */
export function ShareBar({ shares, all }: ShareBarProps) {
  let drawn = 0;
  return (
    <svg className={classes.bar} width="100%" height="6" aria-hidden="true" focusable="false">
      <rect width="100%" height="6" className={classes.track} />
      {shares.map(({ name, count, fill }) => {
        if (count === 0 || all === 0) return null;
        const x = drawn / all;
        drawn += count;
        return <rect key={name} x={percent(x)} width={percent(count / all)} height="6" fill={fill} />;
      })}
    </svg>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;
