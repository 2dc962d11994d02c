import { useUser } from '../../api/session.ts';
import { DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';

export function ProfilePanel() {
  const { email, role, concurrency, created_at } = useUser();
  return (
    <Panel title="Profile">
      <DescriptionList
        items={[
          ['E-mail', email],
          ['Role', role === 'admin' ? 'Administrator' : 'User'],
          ['Limit', `${formatCount(concurrency)} concurrent requests, all your keys together`],
          ['Member since', <DateTime key="since" at={created_at} as="day" />],
        ]}
      />
    </Panel>
  );
}
