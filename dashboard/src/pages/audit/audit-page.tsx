import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Select, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type AuditAction, type AuditEntry, auditExportUrl, auditQuery } from '../../api/audit.ts';
import { usersQuery } from '../../api/users.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconDownload, IconHistory } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './audit.module.css';
import { ACTION_TEXTS, actorText, subjectText, wayText } from './audit-texts.ts';

const auditRoute = getRouteApi('/signed-in/audit');

/** Who signed in, and who changed users, keys and settings. For administrators and viewers. */
export function AuditPage() {
  const filter = auditRoute.useSearch();
  const query = useInfiniteQuery(auditQuery(filter));
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? null;
  return (
    <>
      <PageHeader
        title={t`Audit`}
        description={t`Sign-ins, and changes of users, keys and settings. Kept for 400 days.`}
        actions={(['csv', 'jsonl'] as const).map((format) => (
          <Button
            key={format}
            component="a"
            href={auditExportUrl(filter, format)}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
          >
            {format === 'csv' ? t`Export CSV` : t`Export JSON Lines`}
          </Button>
        ))}
      />
      <Stack gap="md">
        <Filters entries={entries} />
        <Panel flush>
          <PagedList
            query={query}
            empty={
              <EmptyState icon={IconHistory} title={t`No such entries`}>
                <Trans>Nothing in the audit log matches these filters.</Trans>
              </EmptyState>
            }
            more={t`Show older entries`}
          >
            {(entries) => <AuditTable entries={entries} />}
          </PagedList>
        </Panel>
      </Stack>
    </>
  );
}

function Filters({ entries }: { readonly entries: readonly AuditEntry[] | null }) {
  const filter = auditRoute.useSearch();
  const navigate = auditRoute.useNavigate();
  const users = useQuery(usersQuery).data?.items ?? [];
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={t`Action`}
        placeholder={t`All actions`}
        data={Object.entries(ACTION_TEXTS).map(([value, label]) => ({ value, label }))}
        value={filter.action ?? null}
        onChange={(action) =>
          void navigate({ search: { ...filter, action: (action ?? undefined) as AuditAction | undefined } })
        }
        clearable
        searchable
      />
      <Select
        label={t`User`}
        placeholder={t`All users`}
        data={users.map(({ id, email }) => ({ value: id, label: email }))}
        value={filter.user_id ?? null}
        onChange={(id) => void navigate({ search: { ...filter, user_id: id ?? undefined } })}
        clearable
        searchable
      />
      {filter.target_id !== undefined && (
        <Group gap="sm" className={classes.only}>
          <span>{aboutText(filter.target_id, entries)}</span>
          <Button
            variant="default"
            onClick={() => void navigate({ search: { ...filter, target_id: undefined } })}
          >
            <Trans>Show all entries</Trans>
          </Button>
        </Group>
      )}
    </Group>
  );
}

/** To what the list is limited. @param id of a target */
function aboutText(id: string, entries: readonly AuditEntry[] | null): string {
  const target = entries?.find(({ target }) => target?.id === id)?.target;
  const name = target?.name ?? id;
  return target?.type === 'key' ? t`Only entries about the key “${name}”` : t`Only entries about “${name}”`;
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] | null }) {
  return (
    <DataTable
      caption={t`Audit log, newest first`}
      columns={[
        {
          label: t`Action`,
          className: classes.text,
          cell: (entry) => (
            <>
              {ACTION_TEXTS[entry.action]}
              <div data-narrow className={classes.narrow}>
                {subjectText(entry)}
                <div>
                  <Trans>
                    By <Actor entry={entry} />
                  </Trans>
                </div>
              </div>
            </>
          ),
        },
        { label: t`By`, wide: true, className: classes.actor, cell: (entry) => <Actor entry={entry} /> },
        { label: t`What`, wide: true, className: classes.text, cell: subjectText },
        { label: t`IP address`, wide: true, cell: ({ address }) => address ?? '–' },
        { label: t`Time`, nowrap: true, cell: ({ at }) => <DateTime at={at} /> },
      ]}
      rows={entries}
      rowKey={({ id }) => id}
    />
  );
}

function Actor({ entry }: { readonly entry: AuditEntry }) {
  return (
    <>
      {actorText(entry)} <small className={classes.way}>{wayText(entry)}</small>
    </>
  );
}
