import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useIsAdmin } from '../../api/session.ts';
import { type Site, useForgetSite, usePinSite, useUnpinSite } from '../../api/sites.ts';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { hostText } from '../../ui/host-text.ts';
import { Panel } from '../../ui/panel.tsx';
import { DirectContext, proxyTypeText, RouteName, routeText } from '../../ui/route-name.tsx';

interface PinPanelProps {
  readonly host: string;
  readonly pinned: Site['pinned'];
  /** The router has learned something about the site. */
  readonly hasLearned: boolean;
}

/** The pin of a site, and the actions of administrators. */
export function PinPanel({ host, pinned, hasLearned }: PinPanelProps) {
  const isAdmin = useIsAdmin();
  const pin = useDialog<string>();
  const unpin = useDialog<string>();
  const forget = useDialog<string>();
  return (
    <Panel
      title={hostText(host)}
      description={
        pinned === null ? (
          t`No pinned method: the router decides by what it has learned.`
        ) : (
          <Trans>
            Pinned: <RouteName scraper={pinned.scraper} proxyType={pinned.proxy_type} />. The router tries it
            first wherever the request allows it.
          </Trans>
        )
      }
    >
      {isAdmin && (
        <Group gap={8}>
          <Button size="xs" variant="default" onClick={() => pin.open(host)}>
            {pinned === null ? t`Pin a method` : t`Pin another method`}
          </Button>
          {pinned !== null && (
            <Button size="xs" variant="default" onClick={() => unpin.open(host)}>
              <Trans>Remove the pin</Trans>
            </Button>
          )}
          {hasLearned && (
            <Button size="xs" variant="default" onClick={() => forget.open(host)}>
              <Trans>Forget this site</Trans>
            </Button>
          )}
        </Group>
      )}
      <PinSite key={`pin ${pin.openCount}`} dialog={pin} host={host} first={pinned} />
      <UnpinSite key={`unpin ${unpin.openCount}`} dialog={unpin} host={host} />
      <ForgetSite key={`forget ${forget.openCount}`} dialog={forget} host={host} />
    </Panel>
  );
}

interface PinSiteProps extends SiteDialogProps {
  /** The method that is chosen first; null: plain HTTP. */
  readonly first: Site['pinned'];
}

type Pin = Required<Schema<'SitePin'>>;

const PROXY_TYPES: readonly Pin['proxy_type'][] = ['datacenter', 'residential', 'mobile'];

type Method = NonNullable<Site['pinned']>;

/** The method as one that can be pinned; null: its proxy type cannot be. */
function pinnable(method: { readonly scraper: string; readonly proxy_type: string }): Method | null {
  const proxyType = PROXY_TYPES.find((type) => type === method.proxy_type);
  return proxyType === undefined ? null : ({ scraper: method.scraper, proxy_type: proxyType } as Method);
}

interface PinMethodProps {
  readonly host: string;
  readonly method: { readonly scraper: string; readonly proxy_type: string };
  readonly pinned: Site['pinned'];
}

/** Pins a method that was advised, for administrators; tells others what they can do. */
export function PinMethod({ host, method, pinned }: PinMethodProps) {
  const isAdmin = useIsAdmin();
  const dialog = useDialog<string>();
  const first = pinnable(method);
  const name = routeText(method.scraper, method.proxy_type, use(DirectContext));
  const { scraper, proxy_type: proxyType } = method;
  if (first !== null && pinned?.scraper === scraper && pinned.proxy_type === proxyType)
    return (
      <p>
        <Trans>This method is pinned: the router tries it first.</Trans>
      </p>
    );
  if (!isAdmin || first === null)
    return (
      <p>
        <Trans>
          To use it, choose the scraper <b>{scraper}</b> in your requests.
        </Trans>{' '}
        {first !== null && <Trans>An administrator can pin it for all requests to this site.</Trans>}
      </p>
    );
  return (
    <>
      <Button size="xs" variant="default" onClick={() => dialog.open(host)}>
        {t`Pin ${name}`}
      </Button>
      <p>
        <Trans>
          A pin changes requests with the scraper auto that allow this proxy type. Requests that name another
          scraper or proxy type keep it.
        </Trans>
      </p>
      <PinSite key={dialog.openCount} dialog={dialog} host={host} first={first} />
    </>
  );
}

/** Pins the first step of `auto` for a site. */
function PinSite({ dialog, host, first }: PinSiteProps) {
  const { data } = useQuery({ ...scrapersQuery, enabled: dialog.opened });
  const [scraper, setScraper] = useState<string>(first?.scraper ?? 'http');
  const [proxyType, setProxyType] = useState<string>(first?.proxy_type ?? 'datacenter');
  const isDirect = use(DirectContext);
  const name = routeText(scraper, proxyType, isDirect);
  const names = data?.items
    .filter(({ available, name }) => available && name !== 'auto')
    .map(({ name }) => name);
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Pin a method`}
      confirmLabel={t`Pin it`}
      action={usePinSite(host)}
      input={{ scraper, proxy_type: proxyType } as Pin}
      done={t`${name} is pinned for ${host}.`}
    >
      <Stack>
        <span>
          <Trans>
            The router tries it first on <b>{host}</b>, for all users, unless the request excludes it or sets
            its own order. If it fails, the router continues as usual.
          </Trans>
        </span>
        <NativeSelect
          label={t`Scraper`}
          data={[...new Set([...(names ?? []), scraper])]}
          value={scraper}
          onChange={(event) => setScraper(event.currentTarget.value)}
        />
        <NativeSelect
          label={t`Proxy type`}
          data={PROXY_TYPES.map((value) => ({ value, label: proxyTypeText(value, isDirect) }))}
          value={proxyType}
          onChange={(event) => setProxyType(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
}

interface SiteDialogProps {
  readonly dialog: DialogState<string>;
  readonly host: string;
}

function UnpinSite({ dialog, host }: SiteDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Remove the pin?`}
      confirmLabel={t`Remove it`}
      action={useUnpinSite(host)}
      input={undefined}
      done={t`The pin for ${host} was removed.`}
    >
      <Trans>
        For <b>{host}</b> the router decides again by what it has learned.
      </Trans>
    </ConfirmDialog>
  );
}

function ForgetSite({ dialog, host }: SiteDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Forget this site?`}
      confirmLabel={t`Forget it`}
      danger
      action={useForgetSite(host)}
      input={undefined}
      done={t`${host} was forgotten.`}
    >
      <Trans>
        The next scrapes learn again what works on <b>{host}</b>, which may cost a few attempts. This cannot
        be undone; the records and the pin stay.
      </Trans>
    </ConfirmDialog>
  );
}
