import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Drawer,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors, formError } from '../../api/client.ts';
import { type PoolSettings, useChangePool, useCreatePool } from '../../api/proxies.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
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
  const { subject, opened, close, openCount } = dialog;
  const name = subject?.pool?.name;
  return (
    <Drawer
      opened={opened}
      onClose={close}
      title={name === undefined ? t`Add a proxy pool` : t`Edit “${name}”`}
      position="right"
      size="md"
    >
      {subject !== null && (
        <PoolForm key={openCount} pool={subject.pool} currency={currency} onDone={close} />
      )}
    </Drawer>
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
  const create = useCreatePool();
  const change = useChangePool();
  const form = useForm<PoolValues>({ initialValues: poolValues(pool), validate: poolRules });
  const errors = useFieldErrors(form);
  const { source } = form.values;
  const submit = form.onSubmit((values) => {
    const callbacks = {
      onSuccess: ({ name }: PoolSettings) => {
        notifySuccess(t`The pool “${name}” is saved. “Test” in its menu shows whether its proxies work.`);
        onDone();
      },
      onError: (error: unknown) => errors.show(fieldErrors(error, POOL_FIELDS)),
    };
    if (pool === null) create.mutate(poolBody(values), callbacks);
    else change.mutate({ name: pool.name, body: poolChange(pool, values) }, callbacks);
  }, errors.focusFirst);
  const priceProps = (value: number | '') => ({
    min: 0,
    disabled: currency === null && value === '',
    description: currency === null ? t`Needs SLUICE_PRICES, for its currency.` : t`In ${currency}.`,
  });
  return (
    <form ref={errors.ref} onSubmit={submit} noValidate>
      <Stack>
        <ErrorNotice error={formError(create.error ?? change.error, POOL_FIELDS)} />
        <TextInput
          label={t`Name`}
          placeholder="own"
          description={pool === null ? t`Letters, digits, _, . and -` : t`The name cannot be changed.`}
          disabled={pool !== null}
          autoComplete="off"
          spellCheck={false}
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
            label={t`Proxies`}
            description={t`One on each line: ${PROXY_URL}, also https, socks5 and socks5h; or ${PROXY_LINE}. After a space, the country of this proxy can follow: “DE”, or “DE, Bavaria, Munich”. *** means the stored credentials.`}
            placeholder={'http://user:password@192.0.2.10:3128\nsocks5h://192.0.2.11:1080'}
            classNames={{ input: 'mono' }}
            autosize
            minRows={4}
            maxRows={16}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('proxies')}
          />
        ) : (
          <Textarea
            label={t`Gateway URL`}
            description={t`Placeholders: ${PLACEHOLDERS}. A part in [brackets] is left out if the request does not set its placeholder. *** means the stored credentials.`}
            placeholder="http://customer-me-cc-{country}-sessid-{session}:password@gate.example:7777"
            classNames={{ input: 'mono' }}
            autosize
            minRows={2}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('template')}
          />
        )}
        <TextInput
          label={t`Countries`}
          placeholder={COUNTRIES_EXAMPLE}
          description={t`Two-letter codes. Empty: unknown. If there are several, each proxy of a list needs its own.`}
          autoComplete="off"
          spellCheck={false}
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
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={create.isPending || change.isPending}>
            {pool === null ? t`Add the pool` : t`Save`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
