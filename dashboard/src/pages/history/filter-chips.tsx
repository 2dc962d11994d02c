import { Button, CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../api/keys.ts';
import { formatLocal } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { OUTCOMES } from '../../ui/outcome.tsx';
import classes from './history.module.css';
import { type HistorySearch, PRESETS } from './history-search.ts';

interface FilterChipsProps {
  readonly search: HistorySearch;
  readonly people: ReadonlyMap<string, string> | null;
  readonly onRemove: (names: readonly (keyof HistorySearch)[]) => void;
}

type Chip = readonly [name: keyof HistorySearch, text: string];

/** Every filter that is on, each with a way off. */
export function FilterChips({ search, people, onRemove }: FilterChipsProps) {
  const { data: keys } = useQuery({ ...keysQuery, enabled: search.key_id !== undefined });
  const key = keys?.items.find(({ id }) => id === search.key_id);
  const chips = chipsOf(search, key?.name, people);
  if (chips.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label="Filters">
      {chips.map(([name, text]) => (
        <li key={name} className={classes.chip}>
          <span>{text}</span>
          <CloseButton
            size={22}
            iconSize={12}
            aria-label={`Remove ${text}`}
            onClick={() => onRemove([name])}
          />
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button variant="subtle" size="compact-xs" onClick={() => onRemove(chips.map(([name]) => name))}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  );
}

function chipsOf(
  search: HistorySearch,
  keyName: string | undefined,
  people: ReadonlyMap<string, string> | null,
): readonly Chip[] {
  const { last, from, to, host, status, outcome, scraper, error_code, key_id, tag, user_id } = search;
  const preset = PRESETS.find(([name]) => name === last);
  const chips: readonly (Chip | null)[] = [
    preset === undefined ? null : ['last', preset[1]],
    from === undefined || preset !== undefined ? null : ['from', `From ${formatLocal(from)}`],
    to === undefined ? null : ['to', `Before ${formatLocal(to)}`],
    host === undefined ? null : ['host', `Host ${hostText(host.replaceAll('*', ''))}`],
    status === undefined ? null : ['status', `Status ${status}`],
    outcome === undefined ? null : ['outcome', `Outcome ${OUTCOMES[outcome].label}`],
    scraper === undefined ? null : ['scraper', `Scraper ${scraper}`],
    error_code === undefined ? null : ['error_code', `Error ${error_code}`],
    key_id === undefined ? null : ['key_id', `Key ${keyName ?? key_id}`],
    tag === undefined ? null : ['tag', `Tag ${tag}`],
    user_id === undefined ? null : ['user_id', `User ${people?.get(user_id) ?? user_id}`],
  ];
  return chips.filter((chip) => chip !== null);
}
