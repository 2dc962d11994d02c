import { getRouteApi } from '@tanstack/react-router';
import { useUserEmails } from '../../api/users.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FilterChips } from './filter-chips.tsx';
import { HistoryPages } from './history-pages.tsx';
import { type HistorySearch, withFilter } from './history-search.ts';
import { LiveSwitch } from './live-switch.tsx';

const historyRoute = getRouteApi('/signed-in/history');

export function HistoryPage() {
  const search = historyRoute.useSearch();
  const navigate = historyRoute.useNavigate();
  const people = useUserEmails();
  const change = (part: Partial<HistorySearch>) => void navigate({ search: (old) => withFilter(old, part) });
  const clear = (names: readonly (keyof HistorySearch)[]) =>
    change(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <>
      <PageHeader
        title="History"
        description={
          people === null
            ? 'Your scrapes, newest first, as long as they are stored.'
            : 'The scrapes of all users, newest first, as long as they are stored.'
        }
        actions={<ExportMenu search={search} />}
      />
      <FilterBar search={search} people={people} onChange={change}>
        {search.cursor === undefined && (
          <LiveSwitch
            on={search.live === undefined}
            onChange={(on) =>
              void navigate({ search: (old) => ({ ...old, live: on ? undefined : 'off' }), replace: true })
            }
          />
        )}
      </FilterBar>
      <FilterChips search={search} people={people} onRemove={clear} />
      <HistoryPages search={search} people={people} />
    </>
  );
}
