import { useSuspenseQuery } from '@tanstack/react-query';
import { descriptionQuery, scrapersQuery } from '../../api/playground.ts';
import type { Components } from './model/schema.ts';
import { Playground } from './playground.tsx';

/** The form is made of what the service says of itself, so nothing can be shown before. */
export function PlaygroundPage() {
  const { data: description } = useSuspenseQuery(descriptionQuery);
  const { data: scrapers } = useSuspenseQuery(scrapersQuery);
  const { components } = description as { readonly components?: { readonly schemas?: Components } };
  return <Playground components={components?.schemas ?? {}} scrapers={scrapers} />;
}
