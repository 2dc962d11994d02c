import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../api/client.ts';
import { type PoolTest, useTestPool } from '../../api/proxies.ts';
import { DataTable } from '../../ui/data-table.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatCost, formatCount, formatDuration } from '../../ui/format.ts';
import classes from './proxies.module.css';
import { TestDialog, TestForm } from './test-form.tsx';
import { TestPill, testErrorText } from './test-result.tsx';

const DEFAULT_EXITS = 5;
const MAX_EXITS = 20;
const FIELDS = ['max_exits'];

/** Tests the proxies of the pool with this name. */
export function PoolTestDialog({ dialog }: { readonly dialog: DialogState<string> }) {
  return (
    <TestDialog dialog={dialog} size="xl">
      {(name) => <PoolTestForm name={name} />}
    </TestDialog>
  );
}

function PoolTestForm({ name }: { readonly name: string }) {
  const [exits, setExits] = useState<number | ''>(DEFAULT_EXITS);
  const test = useTestPool(name);
  return (
    <TestForm
      description={t`Fetched once through each proxy. This counts and costs like any other attempt. If the response is an IP address, it is listed.`}
      error={test.error}
      otherFields={FIELDS}
      onTest={(url) => test.mutate({ url, max_exits: exits === '' ? DEFAULT_EXITS : exits })}
    >
      <Group align="flex-start" justify="flex-end">
        <NumberInput
          label={t`Proxies to test`}
          description={t`The first ones of the pool, or the first countries of its gateway.`}
          min={1}
          max={MAX_EXITS}
          allowDecimal={false}
          w="18rem"
          mr="auto"
          error={fieldErrors(test.error, FIELDS).max_exits}
          value={exits}
          onChange={(value) => setExits(typeof value === 'number' ? value : '')}
        />
        <Button type="submit" loading={test.isPending} mt={24}>
          <Trans>Run the test</Trans>
        </Button>
      </Group>
      {test.data !== undefined && <Results result={test.data} />}
    </TestForm>
  );
}

function Results({ result: { items, exits, cost, cost_unit } }: { readonly result: PoolTest }) {
  const working = items.filter(({ ok }) => ok).length;
  return (
    <div role="status">
      <p className={classes.summary}>
        <Trans>
          {formatCount(working)} of {formatCount(items.length)} tested proxies work; the pool has{' '}
          {formatCount(exits)}.
        </Trans>
        {cost_unit !== 'effort' && ' '}
        {cost_unit !== 'effort' && <Trans>Cost: {formatCost(cost, cost_unit)}.</Trans>}
      </p>
      <DataTable
        caption={t`Results of the test`}
        columns={[
          {
            label: t`Proxy`,
            className: classes.proxy,
            cell: ({ server, country }) => (
              <>
                <span className="mono">{server}</span>
                {country !== null && <span className={classes.country}>{country}</span>}
              </>
            ),
          },
          {
            label: t`Result`,
            cell: (item) => (
              <>
                <TestPill result={item} />
                {item.error !== null && <div className={classes.reason}>{testErrorText(item.error)}</div>}
              </>
            ),
          },
          { label: t`Time`, numeric: true, cell: ({ ms }) => formatDuration(ms) },
          { label: t`Exit address`, className: 'mono', cell: ({ exit_ip }) => exit_ip ?? '–' },
        ]}
        rows={items}
        // A server may be listed with several credentials.
        rowKey={({ server }, index) => `${server} ${index}`}
      />
    </div>
  );
}
