import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, formError } from '../../api/client.ts';
import { useTestVendor, type VendorTest } from '../../api/vendors.ts';
import { DescriptionList } from '../../ui/data-table.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatCost, formatCount, formatDuration } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { TestPill, testErrorText } from '../proxies/test-result.tsx';
import { useTestUrl } from '../proxies/test-url.ts';

/** Tests the vendor with this name. */
export function VendorTestDialog({ dialog }: { readonly dialog: DialogState<string> }) {
  const { subject: name, opened, close, openCount } = dialog;
  return (
    <Modal opened={opened} onClose={close} title={t`Test “${name ?? ''}”`} size="lg">
      {name !== null && <VendorTestForm key={openCount} name={name} />}
    </Modal>
  );
}

function VendorTestForm({ name }: { readonly name: string }) {
  const [url, setUrl] = useTestUrl();
  const [isMissing, setMissing] = useState(false);
  const test = useTestVendor(name);
  const known = ['url'];
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(url.trim() === '');
        if (url.trim() !== '') test.mutate(url.trim());
      }}
    >
      <Stack px="xs" pb="xs">
        <ErrorNotice error={formError(test.error, known)} />
        <TextInput
          label="URL"
          placeholder="https://example.com/"
          description={t`One real request, which the vendor may charge for.`}
          error={isMissing ? t`Enter a URL.` : fieldErrors(test.error, known).url}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={test.isPending}>
            <Trans>Run the test</Trans>
          </Button>
        </Group>
        {test.data !== undefined && <Result result={test.data} />}
      </Stack>
    </form>
  );
}

function Result({ result }: { readonly result: VendorTest }) {
  const { ms, exit_ip: address, error, credits } = result;
  return (
    <div role="status">
      <DescriptionList
        items={[
          [t`Result`, <TestPill key="result" result={result} />],
          ...(error === null ? [] : [[t`Error`, testErrorText(error)] as const]),
          [t`Time`, formatDuration(ms)],
          [t`Cost`, costText(result)],
          ...(credits === null ? [] : [[t`Credits`, formatCount(credits)] as const]),
          ...(address === null ? [] : [[t`Exit address`, address] as const]),
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
