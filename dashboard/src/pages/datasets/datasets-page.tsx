import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Dataset, datasetsQuery } from '../../api/datasets.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { useDialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconPlus, IconTable } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { useLinkedForm } from '../../ui/use-linked-form.ts';
import { NewDatasetDrawer } from './new-dataset.tsx';

/** The user's datasets, newest first. */
export function DatasetsPage() {
  const navigate = useNavigate();
  const query = useInfiniteQuery(datasetsQuery);
  const creating = useDialog<true>();
  useLinkedForm('new', () => creating.open(true));
  const isEmpty = query.data?.pages.every(({ items }) => items.length === 0) === true;
  const newDataset = (
    <ChangersOnly>
      <Button leftSection={<IconPlus size={16} />} onClick={() => creating.open(true)}>
        <Trans>New dataset</Trans>
      </Button>
    </ChangersOnly>
  );
  return (
    <>
      <PageHeader
        title={t`Datasets`}
        description={t`Tables of what jobs extracted, over their runs.`}
        actions={isEmpty ? undefined : newDataset}
      />
      {query.data !== undefined && <ErrorNotice error={query.error} title={t`This list is out of date`} />}
      <Panel flush>
        <PagedList
          query={query}
          empty={
            <EmptyState icon={IconTable} title={t`No datasets yet`} action={newDataset}>
              <Trans>
                A dataset collects the extracted fields of each run of a schedule: sort, filter, compare runs,
                and open it in Excel.
              </Trans>
            </EmptyState>
          }
          more={t`Show older datasets`}
        >
          {(datasets) => <DatasetsTable datasets={datasets} />}
        </PagedList>
      </Panel>
      <NewDatasetDrawer
        dialog={creating}
        onCreated={({ id }) => void navigate({ to: '/datasets/$id', params: { id } })}
      />
    </>
  );
}

function DatasetsTable({ datasets }: { readonly datasets: readonly Dataset[] | null }) {
  return (
    <DataTable
      caption={t`Datasets, newest first`}
      columns={[
        {
          label: t`Dataset`,
          lead: true,
          minWidth: '10rem',
          cell: ({ id, name }) => (
            <TextLink to="/datasets/$id" params={{ id }} size="sm">
              {name}
            </TextLink>
          ),
        },
        { label: t`Rows`, numeric: true, cell: ({ rows }) => formatCount(rows) },
        { label: t`Columns`, wide: true, numeric: true, cell: ({ columns }) => formatCount(columns.length) },
        {
          label: t`Created`,
          wide: true,
          numeric: true,
          cell: ({ created_at }) => <DateTime at={created_at} as="relative" />,
        },
      ]}
      rows={datasets}
      rowKey={({ id }) => id}
      skeletonRows={4}
    />
  );
}
