import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  NativeSelect,
  NumberInput,
  Pill,
  PillsInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { type GetInputPropsReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { fieldErrors, formError } from '../../api/client.ts';
import type { Scope } from '../../api/keys.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useIsAdmin, useUser } from '../../api/session.ts';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { formatLocal } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import {
  defaultExpiryDate,
  EXPIRY_PRESETS,
  type Expiry,
  expiryTime,
  KEY_FIELDS,
  type KeyValues,
  keyValidation,
} from './key-values.ts';
import classes from './keys.module.css';

interface KeyFormProps {
  readonly initial: KeyValues;
  /** Whether the key is made by the form: then it can become a test key. */
  readonly isNew?: boolean;
  /** The expiry that the key has now; null: it does not expire, or is new. */
  readonly currentExpiry: string | null;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly error: unknown;
  /** `onError` shows the messages of a refusal at the fields. */
  readonly onSubmit: (values: KeyValues, onError: (error: unknown) => void) => void;
  readonly onCancel: () => void;
}

/** All settings of a key that its user can change. */
export function KeyForm(props: KeyFormProps) {
  const { initial, isNew = false, currentExpiry, submitLabel, busy, error, onSubmit, onCancel } = props;
  const { concurrency } = useUser();
  const form = useForm({ initialValues: initial, validate: keyValidation });
  const errors = useFieldErrors(form);
  const isTest = form.values.test;
  const submit = form.onSubmit(
    (values) => onSubmit(values, (refusal) => errors.show(fieldErrors(refusal, KEY_FIELDS))),
    errors.focusFirst,
  );
  return (
    <form ref={errors.ref} onSubmit={submit} noValidate className={classes.form}>
      <Stack className={classes.fields}>
        <ErrorNotice error={formError(error, KEY_FIELDS)} />
        <TextInput
          label={t`Name`}
          placeholder={t`Production crawler`}
          description={t`A name you will recognise, e.g. where it is used.`}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        {isNew && (
          <Switch
            label={t`Test key: scrapes test hosts only`}
            description={t`For examples and test suites. Test hosts (*.sluice.test) are served by this installation and cost nothing.`}
            {...form.getInputProps('test', { type: 'checkbox' })}
          />
        )}
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
        <h3 className={classes.part}>
          <Trans>Restrictions</Trans>
        </h3>
        {!isTest && (
          <TagsField
            label={t`Target sites`}
            placeholder="example.com"
            description={t`Type a domain and press Enter. It includes subdomains; *.example.com matches only subdomains. Leave empty for any site.`}
            value={form.values.domains}
            onChange={(domains) => form.setFieldValue('domains', domains)}
            error={form.errors.domains}
          />
        )}
        <TagsField
          label={t`Callers`}
          placeholder={t`203.0.113.7 or 203.0.113.0/24`}
          description={t`IP addresses or ranges that may use the key. Leave empty for any address.`}
          value={form.values.ips}
          onChange={(ips) => form.setFieldValue('ips', ips)}
          error={form.errors.ips}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {!isTest && (
            <BudgetField
              unit={form.values.budget_unit}
              onUnitChange={(unit) => form.setFieldValue('budget_unit', unit)}
              amount={form.getInputProps('daily_budget')}
            />
          )}
          <NumberInput
            label={t`Concurrent requests`}
            placeholder={t`All ${concurrency}`}
            description={t`Part of your limit of ${concurrency}. Leave empty for the whole limit.`}
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
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

interface ScopesFieldProps {
  readonly value: Scope[];
  readonly onChange: (value: Scope[]) => void;
  readonly error?: ReactNode;
}

/** The scopes of a key, with descriptions. */
function ScopesField({ value, onChange, error }: ScopesFieldProps) {
  const isAdmin = useIsAdmin();
  const scopes: readonly (readonly [scope: Scope, label: string, meaning: string])[] = [
    ['scrape', t({ message: 'Scrape', context: 'permission' }), t`Send scrapes and delete their records.`],
    ['read', t`Read`, t`Read your scrapes, their content and the statistics.`],
    ['jobs', t`Jobs`, t`Start and steer jobs, such as batches.`],
    ['profiles', t`Profiles`, t`Use and manage your profiles: cookies and storage of sites.`],
    [
      'profiles_export',
      t`Export profiles`,
      t`Read the values of your profiles. They are as good as passwords.`,
    ],
    [
      'admin',
      t`Manage`,
      isAdmin
        ? t`Create and revoke API keys and users. Only for programs that do this.`
        : t`Create and revoke your API keys. Only for programs that do this.`,
    ],
  ];
  return (
    <Checkbox.Group
      label={t`Permissions`}
      value={value}
      onChange={(chosen) => onChange(chosen as Scope[])}
      error={error}
    >
      <Stack gap={10} mt={4}>
        {scopes.map(([scope, label, meaning]) => (
          <Checkbox key={scope} value={scope} label={label} description={meaning} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface ExpiryFieldProps {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  readonly error?: React.ReactNode;
  /** The current expiry; null: it has none. */
  readonly current: string | null;
}

/** Until when a key works. */
function ExpiryField({ value, onChange, error, current }: ExpiryFieldProps) {
  const now = Date.now();
  const isDate = value.choice === 'date';
  const time = isDate || value.choice === 'keep' ? null : expiryTime(value, now);
  const keepOption = current === null ? [] : [{ value: 'keep', label: currentExpiryLabel(current, now) }];
  const data = [
    ...keepOption,
    { value: 'never', label: t`Never` },
    ...EXPIRY_PRESETS.map(([days, label]) => ({ value: String(days), label: t`In ${label}` })),
    { value: 'date', label: t`At a custom time` },
  ];
  return (
    <Stack gap="xs">
      <Select
        label={t`Expires`}
        data={data}
        value={value.choice}
        onChange={(choice) =>
          onChange({ choice: choice ?? 'never', date: choice === 'date' ? defaultExpiryDate(now) : '' })
        }
        description={
          time ? t`Works until ${formatLocal(time)}.` : t`An expiry limits the harm if the key is leaked.`
        }
        error={isDate ? null : error}
      />
      {isDate && (
        <TextInput
          type="datetime-local"
          label={t`Works until`}
          description={t`In your time zone.`}
          value={value.date}
          onChange={({ currentTarget }) => onChange({ choice: 'date', date: currentTarget.value })}
          error={error}
        />
      )}
    </Stack>
  );
}

const currentExpiryLabel = (at: string, now: number): string =>
  `${Date.parse(at) > now ? t`As it is` : t`Expired`}: ${formatLocal(at)}`;

interface BudgetFieldProps {
  readonly unit: KeyValues['budget_unit'];
  readonly onUnitChange: (unit: KeyValues['budget_unit']) => void;
  /** Input props of the form field `daily_budget`. */
  readonly amount: GetInputPropsReturnType;
}

/** The daily budget: in scrapes, or as a cost if prices are configured. */
function BudgetField({ unit, onUnitChange, amount }: BudgetFieldProps) {
  const { data } = useQuery(scrapersQuery);
  const currency = data === undefined || data.cost_unit === 'effort' ? null : data.cost_unit;
  const inMoney = unit === 'cost';
  return (
    <Stack gap="xs">
      <NumberInput
        label={inMoney ? t`Cost per day` : t`Scrapes per day`}
        placeholder={t`No limit`}
        description={t`Resets at 00:00 UTC. Leave empty for no daily limit.`}
        min={0}
        clampBehavior="none"
        allowDecimal={inMoney}
        decimalScale={6}
        allowNegative={false}
        thousandSeparator=","
        {...amount}
      />
      {(currency !== null || inMoney) && (
        <NativeSelect
          aria-label={t`Unit of the daily budget`}
          value={unit}
          onChange={({ currentTarget: { value } }) => onUnitChange(value === 'cost' ? 'cost' : 'scrapes')}
        >
          <option value="scrapes">{t`Scrapes`}</option>
          <option value="cost">{currency === null ? t`Costs` : t`Costs in ${currency}`}</option>
        </NativeSelect>
      )}
    </Stack>
  );
}

interface TagsFieldProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly error?: ReactNode;
}

/** A list of short texts. Enter, a comma or blur adds the typed text, Backspace removes the last one. */
function TagsField(props: TagsFieldProps) {
  const { label, description, placeholder, value, onChange, error } = props;
  const [typed, setTyped] = useState('');
  const addEntries = (text: string) => {
    const entries = text.split(/[\s,;]+/).filter((entry) => entry !== '');
    if (entries.length > 0) onChange([...new Set([...value, ...entries])]);
    setTyped('');
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const endsEntry = event.key === 'Enter' || event.key === ',' || event.key === ' ';
    if (endsEntry && typed.trim() !== '' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      addEntries(typed);
    } else if (event.key === 'Backspace' && typed === '') {
      onChange(value.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[\s,;]/.test(text.trim())) return;
    event.preventDefault();
    addEntries(typed + text);
  };
  return (
    <PillsInput label={label} description={description} error={error}>
      <Pill.Group>
        {value.map((entry) => (
          <Pill
            key={entry}
            withRemoveButton
            onRemove={() => onChange(value.filter((other) => other !== entry))}
            removeButtonProps={{ 'aria-label': t`Remove ${entry}`, 'aria-hidden': false, tabIndex: 0 }}
          >
            {entry}
          </Pill>
        ))}
        <PillsInput.Field
          miw={80}
          placeholder={value.length === 0 ? placeholder : ''}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => addEntries(typed)}
        />
      </Pill.Group>
    </PillsInput>
  );
}
