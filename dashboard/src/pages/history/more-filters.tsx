import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Popover, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useVisibleKeys } from '../../api/keys.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { errorsTableQuery } from '../../api/scrapes.ts';
import { IconFilter } from '../../ui/icons.tsx';
import classes from './history.module.css';
import type { HistorySearch } from './history-search.ts';

interface MoreFiltersProps {
  readonly search: HistorySearch;
  readonly userEmails: ReadonlyMap<string, string> | null;
  readonly onChange: (change: Partial<HistorySearch>) => void;
}

/** The less used filters. Each takes effect at once. */
export function MoreFilters({ search, userEmails, onChange }: MoreFiltersProps) {
  const [opened, setOpened] = useState(false);
  const { data: scrapers } = useQuery({ ...scrapersQuery, enabled: opened });
  const keys = useVisibleKeys(opened);
  const { data: errorsTable } = useQuery({ ...errorsTableQuery, enabled: opened });
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
          <Trans>More filters</Trans>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`More filters`}>
        <div className={classes.fields}>
          <CommittedField
            label={t`Target status`}
            placeholder="404"
            inputMode="numeric"
            value={search.status === undefined ? '' : String(search.status)}
            check={(text) => (/^[1-9]\d\d$/.test(text) ? null : t`A number from 100 to 999`)}
            onApply={(text) => onChange({ status: text === '' ? undefined : Number(text) })}
          />
          <Select
            {...optional}
            label={t`Scraper`}
            placeholder={t`Any`}
            data={scrapers?.items.flatMap(({ name }) => (name === 'auto' ? [] : name)) ?? []}
            value={search.scraper ?? null}
            onChange={(scraper) => onChange({ scraper: scraper ?? undefined })}
          />
          <Select
            {...optional}
            label={t`Error code`}
            placeholder={t`Any`}
            searchable
            data={errorsTable?.errors.map(({ code }) => code) ?? []}
            value={search.error_code ?? null}
            onChange={(code) => onChange({ error_code: code ?? undefined })}
          />
          <CommittedField
            label={t`Tag`}
            placeholder="name:value"
            value={search.tag ?? ''}
            check={(text) => (/^[^:]+:/.test(text) ? null : t`A name, a colon and a value`)}
            onApply={(text) => onChange({ tag: text === '' ? undefined : text })}
          />
          <Select
            {...optional}
            label={t`API key`}
            placeholder={t`Any`}
            searchable
            data={
              keys?.map(({ id, name, user_email: owner }) => ({
                value: id,
                label: userEmails === null ? name : `${name} (${owner})`,
              })) ?? []
            }
            value={search.key_id ?? null}
            onChange={(id) => onChange({ key_id: id ?? undefined })}
          />
          {userEmails !== null && (
            <Select
              {...optional}
              label={t`User`}
              placeholder={t`Everybody`}
              searchable
              data={[...userEmails].map(([value, label]) => ({ value, label }))}
              value={search.user_id ?? null}
              onChange={(id) => onChange({ user_id: id ?? undefined })}
            />
          )}
          <CommittedField
            label={t`From`}
            type="datetime-local"
            value={localOfIso(from)}
            onApply={(text) => onChange({ last: undefined, from: isoOfLocal(text) })}
          />
          <CommittedField
            label={t({ message: 'Before', context: 'time' })}
            type="datetime-local"
            value={localOfIso(search.to)}
            onApply={(text) => onChange({ to: isoOfLocal(text) })}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface CommittedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onApply: (text: string) => void;
  /** Validates a text that is not empty. @returns an error message, or null */
  readonly check?: (text: string) => string | null;
  readonly placeholder?: string;
  readonly type?: 'text' | 'datetime-local';
  readonly inputMode?: 'numeric';
}

/** A text field that takes effect on Enter or blur. */
function CommittedField({ label, value, onApply, check, placeholder, type, inputMode }: CommittedFieldProps) {
  const [text, setText] = useState(value);
  const [error, setError] = useState<string | null>(null);
  const apply = () => {
    const trimmed = text.trim();
    if (trimmed === value) return setError(null);
    const message = trimmed === '' ? null : (check?.(trimmed) ?? null);
    setError(message);
    if (message === null) onApply(trimmed);
  };
  return (
    <TextInput
      size="xs"
      label={label}
      placeholder={placeholder}
      type={type}
      inputMode={inputMode}
      value={text}
      error={error}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}

/** The value for `<input type="datetime-local">`: in the local time zone, to the minute. */
function localOfIso(at: string | undefined): string {
  if (at === undefined) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The inverse; undefined if the text is empty or not a time. */
function isoOfLocal(text: string): string | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
