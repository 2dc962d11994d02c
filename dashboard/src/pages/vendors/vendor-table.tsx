import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import type { Vendor, VendorHistory } from '../../api/vendors.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatCost } from '../../ui/format.ts';
import { type Icon, IconAlert, IconCircleCheck, IconClock, IconPause } from '../../ui/icons.tsx';
import { Pill, type Tone } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import type { VendorSubject } from './vendor-form.tsx';
import { KIND_LABELS } from './vendor-kinds.ts';
import { VENDOR_REASONS } from './vendor-reasons.ts';
import classes from './vendors.module.css';

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
export function VendorTable({ vendors, ...rest }: VendorTableProps) {
  return (
    <DataTable
      caption={t`Vendors`}
      head={
        <>
          <th scope="col">
            <Trans>Vendor</Trans>
          </th>
          <th scope="col">
            <Trans>State</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Price</Trans>
          </th>
          <th scope="col" data-numeric data-wide>
            <Trans>Spent today (UTC)</Trans>
          </th>
          <th scope="col">
            <Trans>Actions</Trans>
          </th>
        </>
      }
    >
      {vendors.map((vendor) => (
        <VendorRow key={vendor.name} vendor={vendor} {...rest} />
      ))}
    </DataTable>
  );
}

interface VendorRowProps extends Omit<VendorTableProps, 'vendors'> {
  readonly vendor: Vendor;
}

function VendorRow({ vendor, isFile, day, form, test, removal }: VendorRowProps) {
  const { name, kind, auto, state, problems, daily_cap: cap } = vendor;
  const unit = day?.cost_unit ?? '';
  const spent = day === undefined ? null : spentToday(name, day);
  const spentText =
    cap === undefined
      ? formatCost(spent, unit)
      : t`${formatCost(spent ?? 0, '').trim()} of ${formatCost(cap, unit)}`;
  return (
    <tr>
      <td className={classes.name}>
        <span className="mono">{name}</span>
        <small>{auto === true ? t`${KIND_LABELS[kind]} · used by auto` : KIND_LABELS[kind]}</small>
        {problems.map((problem) => (
          <small key={problem}>{problem}</small>
        ))}
      </td>
      <td className={classes.name}>
        <StatePill state={state} />
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
        <small className={classes.narrow}>
          <Trans>Spent today: {spentText}</Trans>
        </small>
      </td>
      <td data-wide>{priceText(vendor, unit)}</td>
      <td data-numeric data-wide>
        {spentText}
      </td>
      <td>
        <ChangersOnly>
          <RowMenu label={t`Actions for ${name}`}>
            <Menu.Item disabled={state === 'unused'} onClick={() => test.open(name)}>
              <Trans>Test</Trans>
            </Menu.Item>
            {!isFile && (
              <Menu.Item onClick={() => form.open({ vendor })}>
                <Trans>Edit</Trans>
              </Menu.Item>
            )}
            {!isFile && (
              <Menu.Item color="red" onClick={() => removal.open(name)}>
                <Trans>Delete</Trans>
              </Menu.Item>
            )}
          </RowMenu>
        </ChangersOnly>
      </td>
    </tr>
  );
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

const STATES: Readonly<
  Record<
    Vendor['state'],
    { readonly tone: Tone; readonly icon: Icon; readonly label: string; readonly title: string }
  >
> = {
  ready: { tone: 'green', icon: IconCircleCheck, label: t`Ready`, title: t`Can be used` },
  left_alone: {
    tone: 'amber',
    icon: IconClock,
    label: t`Paused`,
    title: t`Failed recently; not used for a while unless a request names it`,
  },
  spent: {
    tone: 'amber',
    icon: IconPause,
    label: t`Daily cap reached`,
    title: t`Not used until midnight UTC`,
  },
  unused: { tone: 'red', icon: IconAlert, label: t`Not used`, title: t`Its settings have a problem` },
};

function StatePill({ state }: { readonly state: Vendor['state'] }) {
  const { tone, icon, label, title } = STATES[state];
  return (
    <Pill tone={tone} icon={icon} title={title}>
      {label}
    </Pill>
  );
}
