import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { recentScrapesQuery } from '../../api/scrapes.ts';
import { useUser } from '../../api/session.ts';
import { formatLocal } from '../../ui/format.ts';
import { IconClock } from '../../ui/icons.tsx';
import { OutcomeBadge } from '../../ui/outcome.tsx';
import { errorText } from '../../ui/page-state.tsx';
import classes from './playground.module.css';

const playgroundRoute = getRouteApi('/signed-in/playground');

/** The user's last requests. A click fills the form with one; its secrets are masked, as in the record. */
export function RecentMenu() {
  const user = useUser();
  const navigate = playgroundRoute.useNavigate();
  const [opened, setOpened] = useState(false);
  const { data, error } = useQuery({ ...recentScrapesQuery(user), enabled: opened });
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={360} shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          className={classes.menuButton}
          aria-label={t`Recent requests`}
          leftSection={<IconClock size={16} />}
        >
          <Trans>Recent</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {error !== null
            ? errorText(error).text
            : data === undefined
              ? t`Loading…`
              : data.length === 0
                ? t`No requests yet.`
                : t`Your last requests. Secrets in them are masked.`}
        </Menu.Label>
        {data?.map(({ id, url, host, method, outcome, created_at }) => (
          <Menu.Item
            key={id}
            onClick={() => void navigate({ search: { from: id }, replace: true })}
            rightSection={<OutcomeBadge outcome={outcome} />}
          >
            <span className={classes.recent}>
              {method !== null && method !== 'GET' && <b>{method} </b>}
              {url ?? host}
            </span>
            <small className={classes.recentTime}>{formatLocal(created_at)}</small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
