import { Button, Menu } from '@mantine/core';
import { BASE_PATH } from '../../app/page-config.ts';
import { stringifySearch } from '../../app/search-params.ts';
import { IconChevronDown, IconDownload } from '../../ui/icons.tsx';
import { filterOf, type HistorySearch } from './history-search.ts';

/** What the filters leave, as a file; all pages of it. */
export function ExportMenu({ search }: { readonly search: HistorySearch }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          rightSection={<IconChevronDown size={14} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Formats search={search} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Drawn when the menu is opened: then the time of a preset begins to count. */
function Formats({ search }: { readonly search: HistorySearch }) {
  const filter = filterOf(search, Date.now());
  const href = (format: string) =>
    `${BASE_PATH}/api/v1/scrape/export/${stringifySearch({ format, ...filter })}`;
  return (
    <>
      <Menu.Label>Filtered scrapes, up to 100,000 lines</Menu.Label>
      <Menu.Item component="a" href={href('csv')} download>
        CSV, for spreadsheets
      </Menu.Item>
      <Menu.Item component="a" href={href('jsonl')} download>
        JSON Lines, for programs
      </Menu.Item>
    </>
  );
}
