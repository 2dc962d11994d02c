import { IconSearch } from '../../ui/icons.tsx';
import { usePageTitle } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/page-state.tsx';
import { ButtonLink } from '../../ui/text.tsx';

/** There is no such record, or none for this user; the service does not tell which. */
export function ScrapeGone() {
  usePageTitle('No such scrape');
  return (
    <EmptyState
      icon={IconSearch}
      title="No such scrape"
      level={1}
      action={<ButtonLink to="/history">Open the history</ButtonLink>}
    >
      It was deleted, it is older than the retention time, its ID is mistyped, or it belongs to another user.
    </EmptyState>
  );
}
