import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useIsAdmin } from '../../api/session.ts';
import { hostnameOf, type SiteLimits, siteLimitsQuery, useChangeSiteLimits } from '../../api/sites.ts';
import { useApiForm } from '../../ui/api-form.tsx';
import { formatCost } from '../../ui/format.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';

const FIELDS = ['concurrency', 'delay_ms', 'budget_day', 'budget_month'] as const;
type Field = (typeof FIELDS)[number];
/** '': no limit. */
type Values = Readonly<Record<Field, number | string>>;

const valuesOf = (limits: SiteLimits): Values =>
  Object.fromEntries(FIELDS.map((field) => [field, limits[field] ?? ''])) as Values;

const bodyOf = (values: Values): Partial<Record<Field, number | null>> =>
  Object.fromEntries(FIELDS.map((field) => [field, values[field] === '' ? null : Number(values[field])]));

/** What administrators allow at a site, for all users together. Others see it if there is a limit. */
export function LimitsPanel({ host }: { readonly host: string }) {
  const { data: limits, error } = useQuery(siteLimitsQuery(hostnameOf(host)));
  const isAdmin = useIsAdmin();
  if (limits === undefined)
    return <ErrorNotice error={error} title={t`The limits of this site cannot be shown`} />;
  if (!isAdmin && FIELDS.every((field) => limits[field] === null)) return null;
  return (
    <Panel
      title={t`Limits`}
      description={t`For the scrapes and jobs of all users together. Requests wait for their turn; what exceeds a budget is refused, and jobs wait.`}
    >
      {isAdmin ? <LimitsForm limits={limits} /> : <LimitList limits={limits} />}
    </Panel>
  );
}

function LimitsForm({ limits }: { readonly limits: SiteLimits }) {
  const { host, cost_unit: unit, spent_day: spentDay, spent_month: spentMonth } = limits;
  const change = useChangeSiteLimits(host);
  const form = useForm<Values>({ initialValues: valuesOf(limits) });
  const { formProps, error } = useApiForm({
    form,
    action: change,
    bodyOf,
    members: FIELDS,
    onSuccess: (saved) => {
      form.setValues(valuesOf(saved));
      form.resetDirty(valuesOf(saved));
      notifySuccess(t`The limits of ${host} are saved. They apply from now on.`);
    },
  });
  // Without prices nothing is known of the cost.
  const hasPrices = spentMonth !== null;
  const none = t({ message: 'None', context: 'limit' });
  const spentText = (spent: number | null) =>
    spent === null ? (
      <TextLink to="/prices">{t`Needs prices`}</TextLink>
    ) : (
      t`${formatCost(spent, unit)} spent`
    );
  const budget = (field: Field, label: string, spent: number | null) => (
    <NumberInput
      label={label}
      description={spentText(spent)}
      placeholder={none}
      min={0}
      hideControls
      disabled={!hasPrices && limits[field] === null}
      clampBehavior="none"
      {...form.getInputProps(field)}
    />
  );
  return (
    <form {...formProps}>
      <Stack>
        <ErrorNotice error={error} />
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
          {budget('budget_month', hasPrices ? t`Budget a month, in ${unit}` : t`Budget a month`, spentMonth)}
          {budget('budget_day', hasPrices ? t`Budget a day, in ${unit}` : t`Budget a day`, spentDay)}
          <NumberInput
            label={t`Requests at once`}
            description={t`The others wait.`}
            placeholder={none}
            min={1}
            allowDecimal={false}
            hideControls
            clampBehavior="none"
            {...form.getInputProps('concurrency')}
          />
          <NumberInput
            label={t`Pause between starts, in ms`}
            description={t`From one request to the next.`}
            placeholder={none}
            min={1}
            allowDecimal={false}
            hideControls
            clampBehavior="none"
            {...form.getInputProps('delay_ms')}
          />
        </SimpleGrid>
        <Group gap="xs">
          <Button type="submit" size="xs" loading={change.isPending} disabled={!form.isDirty()}>
            <Trans>Save the limits</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function LimitList({ limits }: { readonly limits: SiteLimits }) {
  const { concurrency, delay_ms: delay, budget_day: day, budget_month: month, cost_unit: unit } = limits;
  return (
    <ul>
      {month !== null && <li>{t`${formatCost(month, unit)} a month`}</li>}
      {day !== null && <li>{t`${formatCost(day, unit)} a day`}</li>}
      {concurrency !== null && <li>{t`At most ${concurrency} requests at once`}</li>}
      {delay !== null && <li>{t`At least ${delay} ms from one request to the next`}</li>}
    </ul>
  );
}
