import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DefaultPanel } from './default-panel.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { SecretPanel } from './secret-panel.tsx';

/** Messages about jobs and monitors that the service sends to other programs. */
export function WebhooksPage() {
  return (
    <>
      <PageHeader
        title={t`Webhooks`}
        description={t`Messages about jobs and monitors that Sluice sends to your programs.`}
      />
      <Stack gap="md">
        <DeliveriesPanel />
        <ChangersOnly>
          <DefaultPanel />
          <SecretPanel />
        </ChangersOnly>
      </Stack>
    </>
  );
}
