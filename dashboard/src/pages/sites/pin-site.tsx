import { NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { scrapersQuery } from '../../api/playground.ts';
import { type Site, usePinSite } from '../../api/sites.ts';
import type { Schema } from '../../api/types.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone } from '../../ui/notify.ts';
import type { DialogState } from '../../ui/use-dialog.ts';

interface PinSiteProps {
  readonly dialog: DialogState<string>;
  readonly host: string;
  readonly pinned: Site['pinned'];
}

type Pin = Required<Schema<'SitePin'>>;

const EXITS: readonly Pin['proxy_type'][] = ['datacenter', 'residential', 'mobile'];

/** Decides what the router begins with at a site. */
export function PinSite({ dialog, host, pinned }: PinSiteProps) {
  const { data } = useQuery({ ...scrapersQuery, enabled: dialog.opened });
  const [scraper, setScraper] = useState<string>(pinned?.scraper ?? 'http');
  const [exit, setExit] = useState<string>(pinned?.proxy_type ?? 'datacenter');
  const pin = usePinSite(host);
  const names = data?.items
    .filter(({ available, name }) => available && name !== 'auto')
    .map(({ name }) => name);
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title="Pin a way"
      confirmLabel="Pin it"
      busy={pin.isPending}
      error={pin.error}
      onConfirm={() =>
        pin.mutate({ scraper, proxy_type: exit } as Pin, {
          onSuccess: () => {
            notifyDone(`${scraper} over ${exit} is pinned for ${host}.`);
            dialog.close();
          },
        })
      }
    >
      <Stack>
        <span>
          The router begins with it at <b>{host}</b>, for all users, where a request allows it and names no
          order of its own. If it does not bring the page, the router goes on as ever.
        </span>
        <NativeSelect
          label="Scraper"
          data={[...new Set([...(names ?? []), scraper])]}
          value={scraper}
          onChange={(event) => setScraper(event.currentTarget.value)}
        />
        <NativeSelect
          label="Proxy type"
          data={[...EXITS]}
          value={exit}
          onChange={(event) => setExit(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}
