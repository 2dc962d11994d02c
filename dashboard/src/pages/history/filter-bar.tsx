import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconClock } from '../../ui/icons.tsx';
import { OUTCOMES } from '../../ui/outcome.tsx';
import classes from './history.module.css';
import { type HistorySearch, OUTCOME_NAMES, PRESETS, type Preset } from './history-search.ts';
import { HostField } from './host-field.tsx';
import { MoreFilters } from './more-filters.tsx';

interface FilterBarProps {
  readonly search: HistorySearch;
  readonly people: ReadonlyMap<string, string> | null;
  readonly onChange: (change: Partial<HistorySearch>) => void;
  /** At the end of the row. */
  readonly children: ReactNode;
}

const ANY = '';

/** The filters that are used most, and a door to the others. */
export function FilterBar({ search, people, onChange, children }: FilterBarProps) {
  const custom = search.last === undefined && (search.from !== undefined || search.to !== undefined);
  return (
    <search className={classes.filters} aria-label="Filter the scrapes">
      <HostField host={search.host} onChange={(host) => onChange({ host })} />
      <Select
        size="xs"
        aria-label="Outcome"
        className={classes.select}
        value={search.outcome ?? ANY}
        data={[
          { value: ANY, label: 'Any outcome' },
          ...OUTCOME_NAMES.map((value) => ({ value, label: OUTCOMES[value].label })),
        ]}
        onChange={(value) => onChange({ outcome: OUTCOME_NAMES.find((name) => name === value) })}
      />
      <Select
        size="xs"
        aria-label="Time"
        className={classes.select}
        leftSection={<IconClock size={14} />}
        value={custom ? 'custom' : (search.last ?? ANY)}
        data={[
          { value: ANY, label: 'Any time' },
          ...PRESETS.map(([value, label]) => ({ value, label })),
          ...(custom ? [{ value: 'custom', label: 'Between times' }] : []),
        ]}
        onChange={(value) => {
          if (value === 'custom') return;
          onChange({ last: value === ANY ? undefined : (value as Preset), from: undefined, to: undefined });
        }}
      />
      <MoreFilters search={search} people={people} onChange={onChange} />
      {children}
    </search>
  );
}
