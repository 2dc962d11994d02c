import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type AttentionEntry, attentionQuery, FEW } from '../../api/attention.ts';
import { useCanChange, useUser } from '../../api/session.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { VENDOR_REASONS } from '../vendors/vendor-reasons.ts';
import classes from './needs-attention.module.css';

const MANY = 50;
/** The shorter of the two windows in which the service looks at a site. */
const HOUR_S = 3_600;

/** What does not work, the worst first. Each entry links to the page on which one can act. */
export function NeedsAttention() {
  const [limit, setLimit] = useState(FEW);
  const { data } = useQuery(attentionQuery(limit));
  if (data === undefined) return null;
  const { items, total } = data;
  const more = total - items.length;
  return (
    <Box mb="md">
      <Panel title={t`Needs attention`}>
        <ul className={classes.list}>
          {items.map((entry) => (
            <Entry key={`${entry.kind} ${entry.subject}`} entry={entry} />
          ))}
        </ul>
        {more > 0 && limit < MANY && (
          <Button variant="subtle" size="compact-sm" mt={8} onClick={() => setLimit(MANY)}>
            {t`Show ${formatCount(more)} more`}
          </Button>
        )}
        {more > 0 && limit === MANY && (
          <p className={classes.rest}>
            {t`The worst ${formatCount(items.length)} of ${formatCount(total)} are shown.`}
          </p>
        )}
      </Panel>
    </Box>
  );
}

function Entry({ entry }: { readonly entry: AttentionEntry }) {
  const { since, alert } = entry;
  return (
    <li className={classes.entry}>
      <IconAlert size={16} />
      <div className={classes.text}>
        <PageLink entry={entry}>{textOf(entry)}</PageLink>
        {alert !== null && (
          <TextLink to="/alerts" size="xs" c="dimmed">
            {t`Alert: ${alert.name}`}
          </TextLink>
        )}
      </div>
      {since !== null && (
        <span className={classes.since}>
          <Trans>
            Since <DateTime at={since} as="minute" />
          </Trans>
        </span>
      )}
    </li>
  );
}

interface PageLinkProps {
  readonly entry: AttentionEntry;
  readonly children: ReactNode;
}

/** A link to the page on which one can act. */
function PageLink({ entry: { kind, subject, user_id: owner }, children }: PageLinkProps) {
  const user = useUser();
  const canChange = useCanChange();
  switch (kind) {
    case 'pool':
      return <TextLink to="/proxies">{children}</TextLink>;
    case 'vendor':
      return (
        <TextLink to="/vendors" search={{ vendor: subject }}>
          {children}
        </TextLink>
      );
    case 'site_success':
      return (
        <TextLink to="/sites" search={{ host: subject }}>
          {children}
        </TextLink>
      );
    case 'monitor':
      return (
        <TextLink to="/monitors/$id" params={{ id: subject }}>
          {children}
        </TextLink>
      );
    case 'budget':
      // The page of keys has only those of the user.
      return canChange && owner === user.id ? (
        <TextLink to="/keys">{children}</TextLink>
      ) : (
        <TextLink to="/usage" search={{ key_id: subject }}>
          {children}
        </TextLink>
      );
    case 'metric':
      return <TextLink to="/alerts">{children}</TextLink>;
    case 'disk':
    case 'memory':
      return <TextLink to="/system">{children}</TextLink>;
  }
}

function textOf({ kind, subject, name, value, reason, site, summary }: AttentionEntry): string {
  const share = formatShare(value, 1);
  switch (kind) {
    case 'metric':
      return summary;
    case 'pool':
      return value >= 1
        ? t`Proxy pool ${name}: no proxy works`
        : t`Proxy pool ${name}: ${share} of the proxies do not work`;
    case 'vendor':
      return reason === null
        ? t`Vendor ${name} returns no pages`
        : t`Vendor ${name} returns no pages: ${VENDOR_REASONS[reason]}`;
    case 'site_success': {
      const host = hostText(name);
      if (site === null) return t`${host}: fewer scrapes are OK than before`;
      const now = formatShare(site.ok_share, 1);
      const before = formatShare(site.usual_ok_share, 1);
      return site.window_s > HOUR_S
        ? t`${host}: ${now} of the scrapes of the last 24 hours are OK; in the 7 days before, ${before}`
        : t`${host}: ${now} of the scrapes of the last hour are OK; in the 7 days before, ${before}`;
    }
    case 'monitor':
      return plural(value, {
        one: `Monitor ${name}: the last run failed`,
        other: `Monitor ${name}: the last # runs failed`,
      });
    case 'budget':
      return t`API key ${name}: ${share} of the daily budget is used`;
    case 'disk':
      return t`The disk is ${share} full`;
    case 'memory':
      return subject === 'contents'
        ? t`${share} of the memory for page contents is in use`
        : t`${share} of the memory of the machine is in use`;
  }
}
