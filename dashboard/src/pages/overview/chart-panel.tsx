import { ActionIcon, Tooltip } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconOverview, IconTable } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './chart-panel.module.css';

const overviewRoute = getRouteApi('/signed-in/');

interface ChartPanelProps {
  /** Of the chart, in the URL. */
  readonly name: string;
  readonly title: string;
  readonly legend: ReactNode;
  /** The same figures to be read one by one. */
  readonly table: ReactNode;
  readonly children: ReactNode;
}

/** A chart that can be read as a table as well. */
export function ChartPanel({ name, title, legend, table, children }: ChartPanelProps) {
  const { table: tables = [] } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  const asTable = tables.includes(name);
  const toggle = () => {
    const others = tables.filter((one) => one !== name);
    const next = asTable ? others : [...others, name];
    void navigate({
      search: (old) => ({ ...old, table: next.length === 0 ? undefined : next }),
      replace: true,
    });
  };
  const words = asTable ? `${title}: show as a chart` : `${title}: show as a table`;
  const Mark = asTable ? IconOverview : IconTable;
  return (
    <Panel
      title={title}
      flush={asTable}
      actions={
        <Tooltip label={asTable ? 'Show as a chart' : 'Show as a table'}>
          <ActionIcon size={26} onClick={toggle} aria-label={words}>
            <Mark size={16} />
          </ActionIcon>
        </Tooltip>
      }
    >
      {asTable ? (
        <div className={classes.table}>{table}</div>
      ) : (
        <>
          {legend}
          <div className={classes.chart}>{children}</div>
        </>
      )}
    </Panel>
  );
}
