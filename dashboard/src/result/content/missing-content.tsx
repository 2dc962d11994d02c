import { IconFile } from '../../ui/icons.tsx';
import { EmptyState } from '../../ui/page-state.tsx';
import type { ScrapeShape } from '../scrape-shape.ts';

interface MissingContentProps {
  readonly scrape: ScrapeShape;
  /** `router.retain` of the request; undefined: not known. */
  readonly retain: string | undefined;
}

/** Why there is nothing to see. */
export function MissingContent({ scrape, retain }: MissingContentProps) {
  const [title, text] = wordsFor(scrape, retain);
  return (
    <EmptyState icon={IconFile} title={title} level={3}>
      {text}
    </EmptyState>
  );
}

function wordsFor(
  { router, status_code, errors, content }: ScrapeShape,
  retain: string | undefined,
): readonly [title: string, text: string] {
  if (content === '') return ['Empty body', 'The site sent a response without content.'];
  if (router.outcome === 'planned') {
    return ['Nothing was fetched', 'It was a dry run: the router only planned the route.'];
  }
  if (errors[0]?.code === 'request.cancelled') {
    return ['Nothing was returned', 'The client disconnected before the response was ready.'];
  }
  // A page came, so it had a content; only `retain` keeps one from being kept.
  if (status_code !== null || router.outcome !== 'failed') {
    return [
      'Content was not stored',
      `The request set retain ${retain ?? 'metadata or none'}: only the response contained the content. Remove router.retain to store it.`,
    ];
  }
  return ['No content', 'No page was fetched. The reason is shown above.'];
}
