import classes from './charts.module.css';

export interface Share {
  readonly name: string;
  readonly count: number;
  /** Of an SVG mark. */
  readonly fill: string;
}

interface ShareBarProps {
  readonly shares: readonly Share[];
  /** What the whole length stands for. */
  readonly all: number;
}

/** A line divided into shares. An ornament: the figures must stand beside it. */
export function ShareBar({ shares, all }: ShareBarProps) {
  let before = 0;
  return (
    <svg className={classes.bar} width="100%" height="6" aria-hidden="true" focusable="false">
      <rect width="100%" height="6" className={classes.rest} />
      {shares.map(({ name, count, fill }) => {
        if (count === 0 || all === 0) return null;
        const x = before / all;
        before += count;
        return <rect key={name} x={percent(x)} width={percent(count / all)} height="6" fill={fill} />;
      })}
    </svg>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;
