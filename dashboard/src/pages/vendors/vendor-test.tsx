import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { useTestVendor, type VendorTest } from '../../api/vendors.ts';
import { DescriptionList } from '../../ui/data-table.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatCost, formatCount, formatDuration } from '../../ui/format.ts';
import { TestDialog, TestForm } from '../proxies/test-form.tsx';
import { TestPill, testErrorText } from '../proxies/test-result.tsx';

/** Tests the vendor with this name. */
export function VendorTestDialog({ dialog }: { readonly dialog: DialogState<string> }) {
  return (
    <TestDialog dialog={dialog} size="lg">
      {(name) => <VendorTestForm name={name} />}
    </TestDialog>
  );
}

function VendorTestForm({ name }: { readonly name: string }) {
  const test = useTestVendor(name);
  return (
    <TestForm
      description={t`One real request, which the vendor may charge for.`}
      error={test.error}
      onTest={(url) => test.mutate(url)}
    >
      <Group justify="flex-end">
        <Button type="submit" loading={test.isPending}>
          <Trans>Run the test</Trans>
        </Button>
      </Group>
      {test.data !== undefined && <Result result={test.data} />}
    </TestForm>
  );
}

function Result({ result }: { readonly result: VendorTest }) {
  const { ms, exit_ip: address, error, credits } = result;
  return (
    <div role="status">
      <DescriptionList
        items={[
          [t`Result`, <TestPill key="result" result={result} />],
          error !== null && [t`Error`, testErrorText(error)],
          [t`Time`, formatDuration(ms)],
          [t`Cost`, costText(result)],
          credits !== null && [t`Credits`, formatCount(credits)],
          address !== null && [t`Exit address`, address],
        ]}
      />
    </div>
  );
}

function costText({ cost, cost_unit: unit, cost_source: source }: VendorTest): string {
  if (source === null) return t`Nothing: the vendor was not asked`;
  if (cost === null) return t`Unknown`;
  const amount = formatCost(cost, unit);
  return source === 'reported' ? t`${amount}, as the vendor says` : t`${amount}, by your price`;
}
