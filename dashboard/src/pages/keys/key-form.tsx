import { Button, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors, formError } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { BudgetField } from './budget-field.tsx';
import { EntriesField } from './entries-field.tsx';
import { ExpiryField } from './expiry-field.tsx';
import { KEY_FIELDS, type KeyValues, keyRules } from './key-values.ts';
import classes from './keys.module.css';
import { ScopesField } from './scopes-field.tsx';

interface KeyFormProps {
  readonly initial: KeyValues;
  /** The expiry that the key has now. */
  readonly currentExpiry: string | null;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly error: unknown;
  /** `onError`: what the service refused comes to its fields. */
  readonly onSubmit: (values: KeyValues, onError: (error: unknown) => void) => void;
  readonly onCancel: () => void;
}

/** Every member of a key that its holder may set. */
export function KeyForm(props: KeyFormProps) {
  const { initial, currentExpiry, submitLabel, busy, error, onSubmit, onCancel } = props;
  const { concurrency } = useUser();
  const form = useForm({ initialValues: initial, validate: keyRules });
  const submit = form.onSubmit((values) =>
    onSubmit(values, (refusal) => form.setErrors(fieldErrors(refusal, KEY_FIELDS))),
  );
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack className={classes.fields}>
        <ErrorNotice error={formError(error, KEY_FIELDS)} />
        <TextInput
          label="Name"
          placeholder="Production crawler"
          description="A name you will recognise, e.g. where it is used."
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ExpiryField
          value={form.values.expires_at}
          onChange={(expiry) => form.setFieldValue('expires_at', expiry)}
          error={form.errors.expires_at}
          current={currentExpiry}
        />
        <ScopesField
          value={form.values.scopes}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
          error={form.errors.scopes}
        />
        <h3 className={classes.part}>Restrictions</h3>
        <EntriesField
          label="Target sites"
          placeholder="example.com"
          description="Type a domain and press Enter. It includes subdomains; *.example.com matches only subdomains. Leave empty for any site."
          value={form.values.domains}
          onChange={(domains) => form.setFieldValue('domains', domains)}
          error={form.errors.domains}
        />
        <EntriesField
          label="Callers"
          placeholder="203.0.113.7 or 203.0.113.0/24"
          description="IP addresses or ranges that may use the key. Leave empty for any address."
          value={form.values.ips}
          onChange={(ips) => form.setFieldValue('ips', ips)}
          error={form.errors.ips}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <BudgetField
            unit={form.values.budget_unit}
            onUnitChange={(unit) => form.setFieldValue('budget_unit', unit)}
            amount={form.getInputProps('daily_budget')}
          />
          <NumberInput
            label="Concurrent requests"
            placeholder={`All ${concurrency}`}
            description={`Part of your limit of ${concurrency}. Leave empty for the whole limit.`}
            min={1}
            clampBehavior="none"
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('concurrency')}
          />
        </SimpleGrid>
      </Stack>
      <div className={classes.foot}>
        <Button variant="default" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
