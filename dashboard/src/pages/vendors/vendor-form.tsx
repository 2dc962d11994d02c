import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Checkbox,
  Group,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSaveVendor, type Vendor, type VendorKind } from '../../api/vendors.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { type DialogState, FormDrawer } from '../../ui/dialog.tsx';
import { VERBATIM } from '../../ui/input-props.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { KIND_LABELS, keyHint, optionsHint } from './vendor-kinds.ts';
import {
  VENDOR_FIELDS,
  type VendorValues,
  vendorBody,
  vendorChange,
  vendorRules,
  vendorValues,
} from './vendor-values.ts';
import classes from './vendors.module.css';

/** What the form is opened for: a new vendor, or one that exists. */
export interface VendorSubject {
  readonly vendor: Vendor | null;
}

interface VendorDrawerProps {
  readonly dialog: DialogState<VendorSubject>;
  readonly kinds: readonly VendorKind[];
  /** Unit of prices; null: no prices are configured. */
  readonly currency: string | null;
}

export function VendorDrawer({ dialog, kinds, currency }: VendorDrawerProps) {
  const name = dialog.subject?.vendor?.name;
  return (
    <FormDrawer dialog={dialog} title={name === undefined ? t`Add a vendor` : t`Edit “${name}”`}>
      {({ vendor }) => <VendorForm vendor={vendor} kinds={kinds} currency={currency} onDone={dialog.close} />}
    </FormDrawer>
  );
}

interface VendorFormProps {
  readonly vendor: Vendor | null;
  readonly kinds: readonly VendorKind[];
  readonly currency: string | null;
  readonly onDone: () => void;
}

const PROXY_TYPES = ['datacenter', 'residential', 'mobile'] as const;

function VendorForm({ vendor, kinds, currency, onDone }: VendorFormProps) {
  const form = useForm<VendorValues>({ initialValues: vendorValues(vendor), validate: vendorRules });
  const { kind, price_of: priceOf } = form.values;
  const rules = kinds.find((one) => one.kind === kind);
  const hasKey = vendor?.key !== undefined;
  const cannotPrice = currency === null && priceOf === 'none';
  return (
    <ApiForm
      form={form}
      action={useSaveVendor(vendor?.name ?? null)}
      bodyOf={(values) => (vendor === null ? vendorBody(values) : vendorChange(vendor, values))}
      members={VENDOR_FIELDS}
      onSuccess={({ name }) => {
        notifySuccess(t`The vendor “${name}” is saved. “Test” in its menu shows whether it works.`);
        onDone();
      }}
      submitLabel={vendor === null ? t`Add the vendor` : t`Save`}
      onCancel={onDone}
      inDrawer
    >
      <Select
        label={t`Kind`}
        data={kinds.map(({ kind: value }) => ({ value, label: KIND_LABELS[value] }))}
        allowDeselect={false}
        {...form.getInputProps('kind')}
      />
      <TextInput
        label={t`Name`}
        placeholder={kind}
        description={
          vendor === null
            ? t`Lower-case letters, digits, _ and -. Requests use it as the scraper vendor:name.`
            : t`The name cannot be changed.`
        }
        disabled={vendor !== null}
        {...VERBATIM}
        {...form.getInputProps('name')}
      />
      <PasswordInput
        label={rules?.needs_key === false ? t`Key (optional)` : t`Key`}
        placeholder={hasKey ? t`Stored` : ''}
        description={hasKey ? t`Stored encrypted. Leave empty to keep it.` : keyHint(kind)}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t`Show the key` }}
        {...form.getInputProps('key')}
      />
      {hasKey && rules?.needs_key === false && (
        <Checkbox
          label={t`Remove the stored key`}
          {...form.getInputProps('removes_key', { type: 'checkbox' })}
        />
      )}
      <TextInput
        label={t`Base URL`}
        placeholder={rules?.base_url ?? 'https://scraper.internal'}
        description={
          rules?.base_url === null
            ? t`The address of the API. Required for this kind.`
            : t`Leave empty for the address of the vendor.`
        }
        {...VERBATIM}
        {...form.getInputProps('base_url')}
      />
      <Switch
        label={t`Use it for scraper: auto`}
        description={t`Otherwise only requests that name the vendor use it.`}
        {...form.getInputProps('auto', { type: 'checkbox' })}
      />
      <Select
        label={t`Price`}
        description={
          currency === null
            ? t`Needs SLUICE_PRICES, for its currency.`
            : t`What the vendor charges for. Without a price, its cost is unknown.`
        }
        disabled={cannotPrice}
        data={[
          { value: 'none', label: t`Unknown` },
          { value: 'per_request', label: t`Per request` },
          { value: 'per_success', label: t`Per successful request` },
          { value: 'per_credit', label: t`Per credit` },
        ]}
        allowDeselect={false}
        {...form.getInputProps('price_of')}
      />
      {priceOf !== 'none' && (
        <>
          <NumberInput
            label={currency === null ? t`Amount` : t`Amount in ${currency}`}
            min={0}
            {...form.getInputProps('price')}
          />
          <NumberInput
            label={currency === null ? t`Daily cap` : t`Daily cap in ${currency}`}
            description={t`The vendor is not used after this amount, until midnight UTC. Empty: no cap.`}
            min={0}
            {...form.getInputProps('daily_cap')}
          />
        </>
      )}
      <details className={classes.more} open={kind === 'http' || kind === 'brightdata' || undefined}>
        <summary>
          <Trans>More</Trans>
        </summary>
        <Stack mt="sm">
          <Textarea
            label={t`Options (JSON)`}
            description={
              <>
                {optionsHint(kind)}{' '}
                <Trans>
                  Options are shown to everybody who sees this page, so write secrets into the key.
                </Trans>
              </>
            }
            classNames={{ input: 'mono' }}
            autosize
            minRows={3}
            maxRows={16}
            spellCheck={false}
            {...form.getInputProps('options')}
          />
          <NumberInput
            label={t`Parallel requests`}
            description={t`Over all replicas; others wait. Empty: no limit.`}
            min={1}
            allowDecimal={false}
            {...form.getInputProps('concurrency')}
          />
          <Checkbox.Group
            label={t`Proxy types that the account includes`}
            description={t`None selected: ${(rules?.proxy_types ?? []).join(', ')}.`}
            {...form.getInputProps('proxy_types')}
          >
            <Group mt={6}>
              {PROXY_TYPES.map((type) => (
                <Checkbox key={type} value={type} label={type} />
              ))}
            </Group>
          </Checkbox.Group>
        </Stack>
      </details>
    </ApiForm>
  );
}
