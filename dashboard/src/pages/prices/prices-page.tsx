import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NumberInput, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { scrapersQuery } from '../../api/playground.ts';
import {
  type Prices,
  type PricesView,
  pricesQuery,
  useDeletePrices,
  useSetPrices,
} from '../../api/prices.ts';
import { useIsAdmin } from '../../api/session.ts';
import { useApiForm } from '../../ui/api-form.tsx';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { VERBATIM } from '../../ui/input-props.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';

/** '': no price. */
type Price = number | string;

interface Values {
  readonly currency: string;
  readonly scrapers: Readonly<Record<string, Price>>;
  readonly direct: { readonly price_per_request: Price; readonly price_per_gb: Price };
  readonly model: {
    readonly price_per_million_tokens_in: Price;
    readonly price_per_million_tokens_out: Price;
  };
}

const DEFAULT_CURRENCY = 'EUR';

function valuesOf({ prices }: PricesView, scrapers: readonly string[]): Values {
  const known: Readonly<Record<string, number | undefined>> = prices?.scrapers ?? {};
  return {
    currency: prices?.currency ?? DEFAULT_CURRENCY,
    scrapers: Object.fromEntries(scrapers.map((name) => [name, known[name] ?? ''])),
    direct: {
      price_per_request: prices?.direct?.price_per_request || '',
      price_per_gb: prices?.direct?.price_per_gb || '',
    },
    model: {
      price_per_million_tokens_in: prices?.model?.price_per_million_tokens_in ?? '',
      price_per_million_tokens_out: prices?.model?.price_per_million_tokens_out ?? '',
    },
  };
}

/** Without the prices that are not set. */
const set = (prices: Readonly<Record<string, Price>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(prices).flatMap(([name, price]) => (price === '' ? [] : [[name, Number(price)]])),
  );

function bodyOf({ currency, scrapers, direct, model }: Values): Prices {
  const ofModel = set(model);
  return {
    currency: currency.trim(),
    scrapers: set(scrapers),
    direct: set(direct),
    // The API asks for both.
    ...(Object.keys(ofModel).length === 0 ? {} : { model: ofModel as Prices['model'] }),
  };
}

/** What attempts cost, for administrators. */
export function PricesPage() {
  const prices = useQuery(pricesQuery);
  const scrapers = useQuery(scrapersQuery);
  const names = scrapers.data?.items
    .filter(({ name }) => name !== 'auto' && !name.startsWith('vendor:'))
    // Also one that lacks here, if it has a price.
    .filter(({ available, price }) => available || price !== null)
    .map(({ name }) => name);
  const error = prices.error ?? scrapers.error;
  return (
    <>
      <PageHeader
        title={t`Prices`}
        description={t`What attempts cost you. With prices, responses, usage, budgets and alerts know costs.`}
      />
      {prices.data !== undefined && names !== undefined ? (
        <PricesForm key={names.join()} view={prices.data} scrapers={names} />
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void prices.refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

interface PricesFormProps {
  readonly view: PricesView;
  readonly scrapers: readonly string[];
}

function PricesForm({ view, scrapers }: PricesFormProps) {
  const isAdmin = useIsAdmin();
  const isInFile = view.source === 'file';
  const locked = isInFile || !isAdmin;
  const save = useSetPrices();
  const removal = useDialog<'prices'>();
  const remove = useDeletePrices();
  const form = useForm<Values>({
    initialValues: valuesOf(view, scrapers),
    validate: {
      currency: (currency) => (currency.trim() === '' ? t`Enter a currency, such as EUR.` : null),
      model: {
        price_per_million_tokens_in: (price, { model }) =>
          isHalf(price, model) ? t`Enter both prices.` : null,
        price_per_million_tokens_out: (price, { model }) =>
          isHalf(price, model) ? t`Enter both prices.` : null,
      },
    },
  });
  const members = [
    'currency',
    ...scrapers.map((name) => `scrapers.${name}`),
    'direct.price_per_request',
    'direct.price_per_gb',
    'model.price_per_million_tokens_in',
    'model.price_per_million_tokens_out',
  ];
  const { formProps, error } = useApiForm({
    form,
    action: save,
    bodyOf,
    members,
    onSuccess: (saved) => {
      form.setValues(valuesOf(saved, scrapers));
      form.resetDirty(valuesOf(saved, scrapers));
      notifySuccess(t`The prices are saved. They apply from now on.`);
    },
  });
  const currency = form.values.currency.trim() || DEFAULT_CURRENCY;
  const price = (field: string, label: string) => (
    <NumberInput
      key={field}
      label={label}
      min={0}
      decimalScale={6}
      hideControls
      clampBehavior="none"
      readOnly={locked}
      placeholder={t({ message: 'No price', context: 'placeholder' })}
      {...form.getInputProps(field)}
    />
  );
  return (
    <Panel title={t`Prices in ${currency}`}>
      <form {...formProps}>
        <Stack>
          {isInFile && (
            <Text size="sm">
              <Trans>
                The operator has set <code className="mono">SLUICE_PRICES</code>: the prices are in that file,
                and cannot be changed here.
              </Trans>
            </Text>
          )}
          <ErrorNotice error={error} />
          <TextInput
            label={t`Currency`}
            description={t`A word such as EUR or USD. What was counted in another currency keeps its cost, and counts as unpriced from then on.`}
            maw={360}
            readOnly={locked}
            {...VERBATIM}
            {...form.getInputProps('currency')}
          />
          <Part title={t`An attempt by each scraper`}>
            {scrapers.map((name) => price(`scrapers.${name}`, name))}
          </Part>
          <Part title={t`The own connection, without a proxy`}>
            {price('direct.price_per_request', t`Each attempt`)}
            {price('direct.price_per_gb', t`Each GB, both ways`)}
          </Part>
          <Part title={t`The language model`}>
            {price('model.price_per_million_tokens_in', t`A million tokens in`)}
            {price('model.price_per_million_tokens_out', t`A million tokens out`)}
          </Part>
          <Text size="sm" c="dimmed">
            <Trans>Prices of proxies and vendors are set on their pages.</Trans>
          </Text>
          {!locked && (
            <Group gap="xs">
              <Button type="submit" loading={save.isPending}>
                <Trans>Save the prices</Trans>
              </Button>
              {view.prices !== null && (
                <Button variant="default" onClick={() => removal.open('prices')}>
                  <Trans>Remove all prices</Trans>
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </form>
      <ConfirmDialog
        key={removal.openCount}
        dialog={removal}
        title={t`Remove all prices?`}
        confirmLabel={t`Remove the prices`}
        danger
        action={remove}
        input={undefined}
        done={t`The prices are removed.`}
        onDone={() => {
          form.setValues(valuesOf({ source: 'database', prices: null }, scrapers));
          removal.close();
        }}
      >
        <Trans>
          Costs are not known from then on: budgets in money stop nothing, and vendors with a price are not
          used. What was counted stays.
        </Trans>
      </ConfirmDialog>
    </Panel>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <Title order={3} fz="sm" mb={6}>
        {title}
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>{children}</SimpleGrid>
    </div>
  );
}

/** Only one of the two prices of the model is set. */
const isHalf = (price: Price, model: Values['model']): boolean =>
  price === '' && Object.values(model).some((other) => other !== '');
