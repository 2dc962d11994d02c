import { Button } from '@mantine/core';
import { useIsAdmin } from '../../api/session.ts';
import type { Site } from '../../api/sites.ts';
import { useDialog } from '../../ui/dialog.tsx';
import { hostText } from '../../ui/host-text.ts';
import { Panel } from '../../ui/panel.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import { ForgetSite } from './forget-site.tsx';
import { PinSite } from './pin-site.tsx';
import classes from './sites.module.css';
import { UnpinSite } from './unpin-site.tsx';

interface PinPanelProps {
  readonly host: string;
  readonly pinned: Site['pinned'];
  /** Something was learned that can be forgotten. */
  readonly known: boolean;
}

/** What an administrator has decided for a site, and can. */
export function PinPanel({ host, pinned, known }: PinPanelProps) {
  const isAdmin = useIsAdmin();
  const pin = useDialog<string>();
  const unpin = useDialog<string>();
  const forget = useDialog<string>();
  return (
    <Panel
      title={hostText(host)}
      description={
        pinned === null ? (
          'No pinned method: the router decides by what it has learned.'
        ) : (
          <>
            Pinned: <RouteName scraper={pinned.scraper} proxyType={pinned.proxy_type} />. The router tries it
            first wherever the request allows it.
          </>
        )
      }
    >
      {isAdmin && (
        <div className={classes.actions}>
          <Button size="xs" variant="default" onClick={() => pin.open(host)}>
            {pinned === null ? 'Pin a method' : 'Pin another method'}
          </Button>
          {pinned !== null && (
            <Button size="xs" variant="default" onClick={() => unpin.open(host)}>
              Remove the pin
            </Button>
          )}
          {known && (
            <Button size="xs" variant="default" onClick={() => forget.open(host)}>
              Forget this site
            </Button>
          )}
        </div>
      )}
      <PinSite key={`pin ${pin.turn}`} dialog={pin} host={host} pinned={pinned} />
      <UnpinSite key={`unpin ${unpin.turn}`} dialog={unpin} host={host} />
      <ForgetSite key={`forget ${forget.turn}`} dialog={forget} host={host} />
    </Panel>
  );
}
