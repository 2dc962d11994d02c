import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NumberInput, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type PoolSettings, useSavePool } from '../../api/proxies.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { type DialogState, FormDrawer } from '../../ui/dialog.tsx';
import { CODE_AREA, VERBATIM } from '../../ui/input-props.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { POOL_FIELDS, type PoolValues, poolBody, poolChange, poolRules, poolValues } from './pool-values.ts';
import classes from './proxies.module.css';

/** What the form is opened for: a new pool, or one that exists. */
export interface PoolSubject {
  readonly pool: PoolSettings | null;
}

interface PoolDrawerProps {
  readonly dialog: DialogState<PoolSubject>;
  /** Unit of prices; null: no prices are configured. */
  readonly currency: string | null;
}

export function PoolDrawer({ dialog, currency }: PoolDrawerProps) {
  const name = dialog.subject?.pool?.name;
  return (
    <FormDrawer dialog={dialog} title={name === undefined ? t`Add a proxy pool` : t`Edit “${name}”`}>
      {({ pool }) => <PoolForm pool={pool} currency={currency} onDone={dialog.close} />}
    </FormDrawer>
  );
}

/** In constants, because they are not translated, and braces in texts would be placeholders. */
const PROXY_URL = 'http://user:password@host:port';
const PROXY_LINE = 'host:port:user:password';
const COUNTRIES_EXAMPLE = 'DE, FR, US';
const PLACEHOLDERS = '{country}, {COUNTRY}, {region}, {city}, {session}';

interface PoolFormProps {
  readonly pool: PoolSettings | null;
  readonly currency: string | null;
  readonly onDone: () => void;
}

function PoolForm({ pool, currency, onDone }: PoolFormProps) {
  const form = useForm<PoolValues>({ initialValues: poolValues(pool), validate: poolRules });
  const { source } = form.values;
  const priceProps = (value: number | '') => ({
    min: 0,
    disabled: currency === null && value === '',
    description: currency === null ? t`Needs SLUICE_PRICES, for its currency.` : t`In ${currency}.`,
  });
  return (
    <ApiForm
      form={form}
      action={useSavePool(pool?.name ?? null)}
      bodyOf={(values) => (pool === null ? poolBody(values) : poolChange(pool, values))}
      members={POOL_FIELDS}
      onSuccess={({ name }) => {
        notifySuccess(t`The pool “${name}” is saved. “Test” in its menu shows whether its proxies work.`);
        onDone();
      }}
      submitLabel={pool === null ? t`Add the pool` : t`Save`}
      onCancel={onDone}
      inDrawer
    >
      <TextInput
        label={t`Name`}
        placeholder="own"
        description={pool === null ? t`Letters, digits, _, . and -` : t`The name cannot be changed.`}
        disabled={pool !== null}
        {...VERBATIM}
        {...form.getInputProps('name')}
      />
      <Select
        label={t`Type`}
        description={t`Requests choose a pool by this type.`}
        data={[
          { value: 'datacenter', label: t`Datacenter` },
          { value: 'residential', label: t`Residential` },
          { value: 'mobile', label: t`Mobile` },
        ]}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
      <SegmentedControl
        aria-label={t`What the pool consists of`}
        fullWidth
        data={[
          { value: 'list', label: t`List of proxies` },
          { value: 'gateway', label: t`Gateway of a provider` },
        ]}
        {...form.getInputProps('source')}
      />
      {source === 'list' ? (
        <Textarea
          {...CODE_AREA}
          label={t`Proxies`}
          description={t`One on each line: ${PROXY_URL}, also https, socks5 and socks5h; or ${PROXY_LINE}. After a space, the country of this proxy can follow: “DE”, or “DE, Bavaria, Munich”. *** means the stored credentials.`}
          placeholder={'http://user:password@192.0.2.10:3128\nsocks5h://192.0.2.11:1080'}
          minRows={4}
          maxRows={16}
          {...form.getInputProps('proxies')}
        />
      ) : (
        <Textarea
          {...CODE_AREA}
          label={t`Gateway URL`}
          description={t`Placeholders: ${PLACEHOLDERS}. A part in [brackets] is left out if the request does not set its placeholder. *** means the stored credentials.`}
          placeholder="http://customer-me-cc-{country}-sessid-{session}:password@gate.example:7777"
          minRows={2}
          {...form.getInputProps('template')}
        />
      )}
      <TextInput
        label={t`Countries`}
        placeholder={COUNTRIES_EXAMPLE}
        description={t`Two-letter codes. Empty: unknown. If there are several, each proxy of a list needs its own.`}
        {...VERBATIM}
        {...form.getInputProps('countries')}
      />
      <NumberInput
        label={t`Price per GB`}
        {...priceProps(form.values.price_per_gb)}
        {...form.getInputProps('price_per_gb')}
      />
      <details className={classes.more}>
        <summary>
          <Trans>More</Trans>
        </summary>
        <Stack mt="sm">
          <NumberInput
            label={t`Price per request`}
            {...priceProps(form.values.price_per_request)}
            {...form.getInputProps('price_per_request')}
          />
          <NumberInput
            label={t`Parallel requests per proxy`}
            description={t`Others wait. Empty: no limit.`}
            min={1}
            allowDecimal={false}
            {...form.getInputProps('concurrency_per_proxy')}
          />
        </Stack>
      </details>
    </ApiForm>
  );
}
