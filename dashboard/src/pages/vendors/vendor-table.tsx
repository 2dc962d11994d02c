import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Vendor, VendorHistory } from '../../api/vendors.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatCost } from '../../ui/format.ts';
import { IconAlert, IconCircleCheck, IconClock, IconPause } from '../../ui/icons.tsx';
import { type Look, StatePill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import type { VendorSubject } from './vendor-form.tsx';
import { KIND_LABELS } from './vendor-kinds.ts';
import { VENDOR_REASONS } from './vendor-reasons.ts';

interface VendorTableProps {
  readonly vendors: readonly Vendor[];
  readonly isFile: boolean;
  /** The last 24 hours; undefined: loading. */
  readonly day: VendorHistory | undefined;
  readonly form: DialogState<VendorSubject>;
  readonly test: DialogState<string>;
  readonly removal: DialogState<string>;
}

/** The vendors with their state, price and spend. */
export function VendorTable({ vendors, isFile, day, form, test, removal }: VendorTableProps) {
  const unit = day?.cost_unit ?? '';
  return (
    <DataTable
      caption={t`Vendors`}
      columns={[
        { label: t`Vendor`, lead: true, minWidth: '8rem', cell: (vendor) => <VendorName vendor={vendor} /> },
        {
          label: t`State`,
          lead: true,
          minWidth: '8rem',
          cell: (vendor) => <VendorState vendor={vendor} spentText={spentOf(vendor, day)} />,
        },
        { label: t`Price`, wide: true, cell: (vendor) => priceText(vendor, unit) },
        { label: t`Spent today (UTC)`, wide: true, numeric: true, cell: (vendor) => spentOf(vendor, day) },
        {
          label: t`Actions`,
          hidden: true,
          width: '1%',
          cell: (vendor) => (
            <ChangersOnly>
              <VendorMenu vendor={vendor} isFile={isFile} form={form} test={test} removal={removal} />
            </ChangersOnly>
          ),
        },
      ]}
      rows={vendors}
      rowKey={({ name }) => name}
    />
  );
}

function VendorName({ vendor: { name, kind, auto, problems } }: { readonly vendor: Vendor }) {
  return (
    <>
      <span className="mono">{name}</span>
      <small>{auto === true ? t`${KIND_LABELS[kind]} · used by auto` : KIND_LABELS[kind]}</small>
      {problems.map((problem) => (
        <small key={problem}>{problem}</small>
      ))}
    </>
  );
}

function VendorState({ vendor, spentText }: { readonly vendor: Vendor; readonly spentText: string }) {
  return (
    <>
      <StatePill look={STATES[vendor.state]} />
      {vendor.left_alone !== null && (
        <small>
          {VENDOR_REASONS[vendor.left_alone]}
          <br />
          <Trans>
            Since <DateTime at={vendor.left_alone_since} as="minute" />, tried again at{' '}
            <DateTime at={vendor.left_alone_until} as="minute" />
          </Trans>
        </small>
      )}
      <small data-narrow>
        <Trans>Spent today: {spentText}</Trans>
      </small>
    </>
  );
}

type VendorMenuProps = Omit<VendorTableProps, 'vendors' | 'day'> & { readonly vendor: Vendor };

function VendorMenu({ vendor, isFile, form, test, removal }: VendorMenuProps) {
  const { name, state } = vendor;
  return (
    <RowMenu
      label={t`Actions for ${name}`}
      actions={[
        { label: t`Test`, disabled: state === 'unused', onClick: () => test.open(name) },
        !isFile && { label: t`Edit`, onClick: () => form.open({ vendor }) },
        !isFile && { label: t`Delete`, color: 'red', onClick: () => removal.open(name) },
      ]}
    />
  );
}

function spentOf({ name, daily_cap: cap }: Vendor, day: VendorHistory | undefined): string {
  const unit = day?.cost_unit ?? '';
  const spent = day === undefined ? null : spentToday(name, day);
  return cap === undefined
    ? formatCost(spent, unit)
    : t`${formatCost(spent ?? 0, '').trim()} of ${formatCost(cap, unit)}`;
}

/** The known costs since midnight UTC; null: none is known. */
function spentToday(name: string, day: VendorHistory): number | null {
  const midnight = `${day.to.slice(0, 10)}T00:00:00`;
  const costs = (day.vendors.find((vendor) => vendor.name === name)?.points ?? []).flatMap(({ at, cost }) =>
    at >= midnight && cost !== null ? [cost] : [],
  );
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

function priceText({ price }: Vendor, unit: string): string {
  const { per_request: request, per_success: success, per_credit: credit } = price ?? {};
  if (request !== undefined) return t`${formatCost(request, unit)} per request`;
  if (success !== undefined) return t`${formatCost(success, unit)} per successful request`;
  if (credit !== undefined) return t`${formatCost(credit, unit)} per credit`;
  return t`Unknown`;
}

const STATES: Readonly<Record<Vendor['state'], Look>> = {
  ready: [t`Ready`, 'green', IconCircleCheck, t`Can be used`],
  left_alone: [
    t`Paused`,
    'amber',
    IconClock,
    t`Failed recently; not used for a while unless a request names it`,
  ],
  spent: [t`Daily cap reached`, 'amber', IconPause, t`Not used until midnight UTC`],
  unused: [t`Not used`, 'red', IconAlert, t`Its settings have a problem`],
};
