import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCanChange } from '../../api/session.ts';
import { useDeleteVendor, vendorHistoryQuery, vendorsQuery } from '../../api/vendors.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { IconInfo, IconVendors } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { WindowControl } from '../overview/charts/window-control.tsx';
import { VendorCharts } from './vendor-charts.tsx';
import { VendorDrawer, type VendorSubject } from './vendor-form.tsx';
import { VendorTable } from './vendor-table.tsx';
import { VendorTestDialog } from './vendor-test.tsx';

const vendorsRoute = getRouteApi('/signed-in/vendors');

/** Other scraping services: settings, tests, health and cost over time. Viewers cannot change them. */
export function VendorsPage() {
  const { window = '24h' } = vendorsRoute.useSearch();
  const navigate = vendorsRoute.useNavigate();
  const { data, error, refetch } = useQuery(vendorsQuery);
  const { data: history } = useQuery(vendorHistoryQuery(window));
  const { data: day } = useQuery(vendorHistoryQuery('24h'));
  const form = useDialog<VendorSubject>();
  const test = useDialog<string>();
  const removal = useDialog<string>();
  const isFile = data?.source === 'file';
  return (
    <>
      <PageHeader
        title={t`Vendors`}
        description={t`Other scraping services that Sluice can use, each as the scraper vendor:name.`}
        actions={
          <>
            <WindowControl
              value={window}
              onChange={(next) =>
                void navigate({ search: (old) => ({ ...old, window: next }), replace: true })
              }
            />
            {data?.source === 'database' && (
              <ChangersOnly>
                <Button onClick={() => form.open({ vendor: null })}>
                  <Trans>Add a vendor</Trans>
                </Button>
              </ChangersOnly>
            )}
          </>
        }
      />
      {data === undefined ? (
        error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Stack gap="md">
          <ErrorNotice error={error} title={t`These figures are out of date`} />
          {isFile && (
            <Notice tone="slate" icon={IconInfo} title={t`Vendors are set in the file of SLUICE_VENDORS`}>
              <p>
                <Trans>They can be tested here, but not changed. To change them, edit the file.</Trans>
              </p>
            </Notice>
          )}
          {data.items.length === 0 ? (
            <NoVendors isFile={isFile} />
          ) : (
            <Panel flush>
              <VendorTable
                vendors={data.items}
                isFile={isFile}
                day={day}
                form={form}
                test={test}
                removal={removal}
              />
            </Panel>
          )}
          {history !== undefined && <VendorCharts history={history} />}
        </Stack>
      )}
      <VendorDrawer
        dialog={form}
        kinds={data?.kinds ?? []}
        currency={day === undefined || day.cost_unit === 'effort' ? null : day.cost_unit}
      />
      <VendorTestDialog dialog={test} />
      {removal.subject !== null && <RemovalDialog dialog={removal} name={removal.subject} />}
    </>
  );
}

function NoVendors({ isFile }: { readonly isFile: boolean }) {
  const canChange = useCanChange();
  return (
    <Panel>
      <EmptyState icon={IconVendors} title={t`No vendors yet`}>
        <p>
          <Trans>
            A vendor fetches pages for Sluice: a paid API such as Zyte or ScrapingBee, a FlareSolverr, a
            second Sluice, or an API of your own.
          </Trans>
        </p>
        {!isFile && canChange && (
          <p>
            <Trans>
              For example: the kind Zyte API, the name zyte, the key of your account, and the price per
              successful request.
            </Trans>
          </p>
        )}
      </EmptyState>
    </Panel>
  );
}

interface RemovalDialogProps {
  readonly dialog: DialogState<string>;
  readonly name: string;
}

function RemovalDialog({ dialog, name }: RemovalDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete the vendor “${name}”?`}
      confirmLabel={t`Delete the vendor`}
      danger
      action={useDeleteVendor()}
      input={name}
    >
      <Trans>New scrapes no longer use it. Its key is deleted and cannot be restored.</Trans>
    </ConfirmDialog>
  );
}
