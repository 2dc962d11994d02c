import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Job, type JobFolder, jobFoldersQuery } from '../../api/jobs.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconChevronDown, IconChevronRight } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './jobs.module.css';

const jobRoute = getRouteApi('/signed-in/jobs/$id');

const COLUMNS = 5;

/** The URLs of a job as a tree of hosts and folders, with counts. A click on a folder shows its items. */
export function JobFolders({ job }: { readonly job: Job }) {
  return (
    <Panel
      title={t`Folders`}
      description={t`Where the pages are. Choose a folder to see its items below.`}
      flush
    >
      <div className={classes.folders}>
        <DataTable
          caption={t`Folders of the job`}
          columns={[
            t`Folder`,
            { label: t`Fetched`, numeric: true },
            { label: t`Failed`, numeric: true },
            { label: t`Skipped`, numeric: true },
            { label: t`Waiting`, wide: true, numeric: true },
          ]}
        >
          <FolderRows job={job} parent="" level={0} />
        </DataTable>
      </div>
    </Panel>
  );
}

const hasVisits = ({ counts }: JobFolder): boolean => counts.found > counts.skipped;

interface FolderRowsProps {
  readonly job: Job;
  /** '': the hosts. */
  readonly parent: string;
  readonly level: number;
}

/** The rows of the folders in `parent`. */
function FolderRows({ job, parent, level }: FolderRowsProps) {
  const query = useInfiniteQuery(jobFoldersQuery(job, parent));
  const folders = query.data?.pages.flatMap(({ items }) => items) ?? null;
  if (folders === null)
    return query.error === null ? (
      <SkeletonRows rows={level === 0 ? 3 : 1} columns={COLUMNS} />
    ) : (
      <tr>
        <td colSpan={COLUMNS}>
          <ErrorNotice error={query.error} />
        </td>
      </tr>
    );
  // Links lead to many hosts that the job does not visit.
  const sorted =
    level === 0 ? [...folders.filter(hasVisits), ...folders.filter((host) => !hasVisits(host))] : folders;
  const isOnlySite = level === 0 && folders.filter(hasVisits).length === 1;
  return (
    <>
      {sorted.map((folder, index) => (
        <FolderRow
          key={folder.folder}
          job={job}
          folder={folder}
          parent={parent}
          level={level}
          initiallyOpen={isOnlySite && index === 0}
        />
      ))}
      {query.hasNextPage && (
        <tr>
          <td colSpan={COLUMNS}>
            <Button
              variant="default"
              size="xs"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {parent === '' ? <Trans>Show more hosts</Trans> : <Trans>Show more of {parent}</Trans>}
            </Button>
          </td>
        </tr>
      )}
    </>
  );
}

interface FolderRowProps extends FolderRowsProps {
  /** `parent` itself stands for the items directly in it. */
  readonly folder: JobFolder;
  readonly initiallyOpen: boolean;
}

function FolderRow({ job, folder: { folder, counts }, parent, level, initiallyOpen }: FolderRowProps) {
  const [open, setOpen] = useState(initiallyOpen);
  const search = jobRoute.useSearch();
  const isParent = folder === parent;
  return (
    <>
      <tr data-selected={(!isParent && folder === search.folder) || undefined}>
        <td className={classes.folder} style={{ paddingInlineStart: `${16 + level * 20}px` }}>
          {isParent ? (
            <span className={classes.direct}>
              <Trans>Directly in this folder</Trans>
            </span>
          ) : (
            <span className={classes.name}>
              <ActionIcon
                variant="subtle"
                size="sm"
                aria-expanded={open}
                aria-label={t`Folders in ${folder}`}
                onClick={() => setOpen(!open)}
              >
                {open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
              </ActionIcon>
              <TextLink
                to="/jobs/$id"
                params={{ id: job.id }}
                search={{ ...search, folder }}
                replace
                resetScroll={false}
                size="sm"
                aria-label={folder}
              >
                {folder.slice(parent.length)}
              </TextLink>
            </span>
          )}
        </td>
        <td data-numeric>{formatCount(counts.ok)}</td>
        <td data-numeric>{formatCount(counts.failed)}</td>
        <td data-numeric>{formatCount(counts.skipped)}</td>
        <td data-wide data-numeric>
          {formatCount(counts.queued + counts.running)}
        </td>
      </tr>
      {open && !isParent && <FolderRows job={job} parent={folder} level={level + 1} />}
    </>
  );
}
