import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CloseButton, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useVisibleKeys } from '../../api/keys.ts';
import { formatLocal } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { IconClock } from '../../ui/icons.tsx';
import { OUTCOMES } from '../../ui/outcome.tsx';
import { TypedField } from '../../ui/typed-field.tsx';
import classes from './history.module.css';
import { type HistorySearch, OUTCOME_NAMES, TIME_PRESETS, type TimePreset } from './history-search.ts';
import { MoreFilters } from './more-filters.tsx';

interface FilterBarProps {
  readonly search: HistorySearch;
  readonly userEmails: ReadonlyMap<string, string> | null;
  readonly onChange: (change: Partial<HistorySearch>) => void;
  /** Shown at the end of the row. */
  readonly children: ReactNode;
}

/** Value of a select without a filter. */
const ANY = '';

/** The most used filters, and a button for the others. */
export function FilterBar({ search, userEmails, onChange, children }: FilterBarProps) {
  const custom = search.last === undefined && (search.from !== undefined || search.to !== undefined);
  return (
    <search className={classes.filters} aria-label={t`Filter the scrapes`}>
      <HostField host={search.host} onChange={(host) => onChange({ host })} />
      <PathField path={search.path} onChange={(path) => onChange({ path })} />
      <Select
        size="xs"
        aria-label={t`Outcome`}
        className={classes.select}
        value={search.outcome ?? ANY}
        data={[
          { value: ANY, label: t`Any outcome` },
          ...OUTCOME_NAMES.map((value) => ({ value, label: OUTCOMES[value].label })),
        ]}
        onChange={(value) => onChange({ outcome: OUTCOME_NAMES.find((name) => name === value) })}
      />
      <Select
        size="xs"
        aria-label={t`Time`}
        className={classes.select}
        leftSection={<IconClock size={14} />}
        value={custom ? 'custom' : (search.last ?? ANY)}
        data={[
          { value: ANY, label: t`Any time` },
          ...TIME_PRESETS.map(([value, label]) => ({ value, label })),
          ...(custom ? [{ value: 'custom', label: t`Between times` }] : []),
        ]}
        onChange={(value) => {
          if (value === 'custom') return;
          onChange({
            last: value === ANY ? undefined : (value as TimePreset),
            from: undefined,
            to: undefined,
          });
        }}
      />
      <MoreFilters search={search} userEmails={userEmails} onChange={onChange} />
      {children}
    </search>
  );
}

interface HostFieldProps {
  readonly host: string | undefined;
  readonly onChange: (host: string | undefined) => void;
}

/** Filters by any part of the host. A whole URL filters by exactly its host. */
function HostField({ host, onChange }: HostFieldProps) {
  return (
    <TypedField
      className={classes.typed}
      label={t`Host`}
      placeholder={t`Filter by host`}
      applied={textOfFilter(host)}
      tidied={(text) => textOfFilter(filterOfText(text))}
      onApply={(text) => onChange(filterOfText(text))}
    />
  );
}

interface PathFieldProps {
  readonly path: string | undefined;
  readonly onChange: (path: string | undefined) => void;
}

/** Filters by any part of the path and the query. */
function PathField({ path, onChange }: PathFieldProps) {
  return (
    <TypedField
      className={classes.typed}
      label={t`Path`}
      placeholder={t`Search in paths`}
      applied={path ?? ''}
      tidied={(text) => text.trim()}
      onApply={(text) => onChange(text.trim() === '' ? undefined : text.trim())}
    />
  );
}

/** The text shown for a host filter of the URL: without `*`. */
const textOfFilter = (host: string | undefined): string => hostText(host?.replaceAll('*', '') ?? '');

/** The host filter for a typed text: `example` → `*example*`, a URL → its host; undefined: no filter. */
function filterOfText(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const url = URL.parse(trimmed.includes('://') ? trimmed : `http://${trimmed}`);
  const name = url === null ? trimmed.toLowerCase() : url.hostname;
  if (trimmed.includes('://')) return name;
  // A port belongs to exactly one host, so the filter gets no `*`.
  return trimmed.includes('*') || (url !== null && url.port !== '') ? trimmed : `*${name}*`;
}

interface FilterChipsProps {
  readonly search: HistorySearch;
  readonly userEmails: ReadonlyMap<string, string> | null;
  readonly onRemove: (names: readonly (keyof HistorySearch)[]) => void;
}

type Chip = readonly [name: keyof HistorySearch, text: string];

/** The active filters, each with a button to remove it. */
export function FilterChips({ search, userEmails, onRemove }: FilterChipsProps) {
  const keys = useVisibleKeys(search.key_id !== undefined);
  const key = keys?.find(({ id }) => id === search.key_id);
  const chips = chipsOf(search, key?.name, userEmails);
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t`Filters`}>
      {chips.map(([name, text]) => (
        <li key={name} className={classes.chip}>
          <span>{text}</span>
          <CloseButton
            size={22}
            iconSize={12}
            aria-label={t`Remove ${text}`}
            onClick={() => onRemove([name])}
          />
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={() => onRemove(chips.map(([name]) => name))}>
            <Trans>Clear all</Trans>
          </Button>
        </li>
      )}
    </ul>
  );
}

function chipsOf(
  search: HistorySearch,
  keyName: string | undefined,
  userEmails: ReadonlyMap<string, string> | null,
): readonly Chip[] {
  const { last, from, to, host, path, status, outcome, scraper, error_code, key_id, tag, user_id } = search;
  const preset = TIME_PRESETS.find(([name]) => name === last);
  const chips: readonly (Chip | null)[] = [
    preset === undefined ? null : ['last', preset[1]],
    from === undefined || preset !== undefined ? null : ['from', t`From ${formatLocal(from)}`],
    to === undefined ? null : ['to', t`Before ${formatLocal(to)}`],
    host === undefined ? null : ['host', t`Host ${hostText(host.replaceAll('*', ''))}`],
    path === undefined ? null : ['path', t`Path ${path}`],
    status === undefined ? null : ['status', t`Status ${status}`],
    outcome === undefined ? null : ['outcome', t`Outcome ${OUTCOMES[outcome].label}`],
    scraper === undefined ? null : ['scraper', t`Scraper ${scraper}`],
    error_code === undefined ? null : ['error_code', t`Error ${error_code}`],
    key_id === undefined ? null : ['key_id', t`Key ${keyName ?? key_id}`],
    tag === undefined ? null : ['tag', t`Tag ${tag}`],
    user_id === undefined ? null : ['user_id', t`User ${userEmails?.get(user_id) ?? user_id}`],
  ];
  return chips.filter((chip) => chip !== null);
}
