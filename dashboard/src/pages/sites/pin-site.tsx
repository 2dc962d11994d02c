import { NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { type Site, usePinSite } from '../../api/sites.ts';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';

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
      title="Pin a method"
      confirmLabel="Pin it"
      busy={pin.isPending}
      error={pin.error}
      onConfirm={() =>
        pin.mutate({ scraper, proxy_type: exit } as Pin, {
          onSuccess: () => {
            notifySuccess(`${scraper} · ${exit} is pinned for ${host}.`);
            dialog.close();
          },
        })
      }
    >
      <Stack>
        <span>
          The router tries it first on <b>{host}</b>, for all users, unless the request excludes it or sets
          its own order. If it fails, the router continues as usual.
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
