import { EmptyState } from '../../ui/empty-state.tsx';
import { IconFile } from '../../ui/icons.tsx';
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
  if (content === '') return ['The target sent an empty body', 'There was an answer, and nothing in it.'];
  if (router.outcome === 'planned') {
    return ['Nothing was fetched', 'It was a dry run: the router only told which way it would take.'];
  }
  if (errors[0]?.code === 'request.cancelled') {
    return ['Nothing was delivered', 'The caller hung up before the answer was ready.'];
  }
  // A page came, so it had a content; only `retain` keeps one from being kept.
  if (status_code !== null || router.outcome !== 'failed') {
    return [
      'Content was not kept',
      `The request asked for it: retain ${retain ?? 'metadata or none'}. The answer itself had the content. Leave out router.retain to keep it.`,
    ];
  }
  return ['No content', 'No page came, so there is nothing to show. What went wrong is said above.'];
}
