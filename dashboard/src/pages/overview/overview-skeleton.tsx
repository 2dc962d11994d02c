import { Skeleton } from '@mantine/core';
import figures from '../../ui/figure.module.css';
import { Panel } from '../../ui/panel.tsx';
import { LATENCY_HEIGHT, OUTCOMES_HEIGHT } from './charts/heights.ts';
import classes from './overview.module.css';

const BARS = [82, 64, 51, 38, 30];

/** The outline of the page: each part as high as it is going to be. */
export function OverviewSkeleton() {
  return (
    <div className={classes.figures} role="status" aria-label="Loading the figures">
      <div className={figures.grid}>
        {['In flight', 'Scrapes', 'Latency', 'Content'].map((name) => (
          <div key={name} className={figures.card}>
            <span className={figures.label}>{name}</span>
            <Skeleton height={24} width="55%" my={7} />
            <Skeleton height={12} width="75%" mt={14} />
          </div>
        ))}
      </div>
      <Panel title="Outcomes over time">
        <Skeleton height={16} width="50%" mb={19} />
        <Skeleton height={OUTCOMES_HEIGHT} className={classes.faint} />
      </Panel>
      <Panel title="Latency over time">
        <Skeleton height={16} width="30%" mb={19} />
        <Skeleton height={LATENCY_HEIGHT} className={classes.faint} />
      </Panel>
      <div className={classes.pair}>
        {['Top hosts', 'Errors'].map((name) => (
          <Panel key={name} title={name}>
            {BARS.map((width) => (
              <Skeleton key={width} height={14} width={`${width}%`} my={18} />
            ))}
          </Panel>
        ))}
      </div>
    </div>
  );
}
