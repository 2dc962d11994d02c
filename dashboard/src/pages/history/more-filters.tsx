import { Button, Popover, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../api/keys.ts';
import { errorsTableQuery } from '../../api/scrapes.ts';
import { IconFilter } from '../../ui/icons.tsx';
import { AppliedField } from './applied-field.tsx';
import classes from './history.module.css';
import { type HistorySearch, SCRAPERS } from './history-search.ts';
import { isoOfLocal, localOfIso } from './local-time.ts';

interface MoreFiltersProps {
  readonly search: HistorySearch;
  readonly people: ReadonlyMap<string, string> | null;
  readonly onChange: (change: Partial<HistorySearch>) => void;
}

/** The filters that are used now and then. Each takes effect at once. */
export function MoreFilters({ search, people, onChange }: MoreFiltersProps) {
  const [opened, setOpened] = useState(false);
  const { data: keys } = useQuery({ ...keysQuery, enabled: opened });
  const { data: table } = useQuery({ ...errorsTableQuery, enabled: opened });
  const optional = { size: 'xs', clearable: true, comboboxProps: { withinPortal: false } } as const;
  const from = search.last === undefined ? search.from : undefined;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={340} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={14} />}
          onClick={() => setOpened(!opened)}
        >
          More filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="More filters">
        <div className={classes.fields}>
          <AppliedField
            label="Target status"
            placeholder="404"
            inputMode="numeric"
            value={search.status === undefined ? '' : String(search.status)}
            check={(text) => (/^[1-9]\d\d$/.test(text) ? null : 'A number from 100 to 999')}
            onApply={(text) => onChange({ status: text === '' ? undefined : Number(text) })}
          />
          <Select
            {...optional}
            label="Scraper"
            placeholder="Any"
            data={SCRAPERS}
            value={search.scraper ?? null}
            onChange={(scraper) => onChange({ scraper: scraper ?? undefined })}
          />
          <Select
            {...optional}
            label="Error code"
            placeholder="Any"
            searchable
            data={table?.errors.map(({ code }) => code) ?? []}
            value={search.error_code ?? null}
            onChange={(code) => onChange({ error_code: code ?? undefined })}
          />
          <AppliedField
            label="Tag"
            placeholder="name:value"
            value={search.tag ?? ''}
            check={(text) => (/^[^:]+:/.test(text) ? null : 'A name, a colon and a value')}
            onApply={(text) => onChange({ tag: text === '' ? undefined : text })}
          />
          <Select
            {...optional}
            label="API key"
            placeholder="Any"
            data={keys?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            value={search.key_id ?? null}
            onChange={(id) => onChange({ key_id: id ?? undefined })}
          />
          {people !== null && (
            <Select
              {...optional}
              label="User"
              placeholder="Everybody"
              searchable
              data={[...people].map(([value, label]) => ({ value, label }))}
              value={search.user_id ?? null}
              onChange={(id) => onChange({ user_id: id ?? undefined })}
            />
          )}
          <AppliedField
            label="From"
            type="datetime-local"
            value={localOfIso(from)}
            onApply={(text) => onChange({ last: undefined, from: isoOfLocal(text) })}
          />
          <AppliedField
            label="Before"
            type="datetime-local"
            value={localOfIso(search.to)}
            onApply={(text) => onChange({ to: isoOfLocal(text) })}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
