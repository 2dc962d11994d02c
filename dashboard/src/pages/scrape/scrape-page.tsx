import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { scrapeQuery, scrapeRequestQuery } from '../../api/scrapes.ts';
import { ScrapeResult } from '../../result/scrape-result.tsx';
import { ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { askedOf } from './asked.ts';
import { RequestPanel } from './request-panel.tsx';
import { ScrapeGone } from './scrape-gone.tsx';
import { ScrapeHeader } from './scrape-header.tsx';

const scrapeRoute = getRouteApi('/signed-in/history/$id');

/** All that is kept of one scrape. */
export function ScrapePage() {
  const { id } = scrapeRoute.useParams();
  const { data: scrape, error, refetch } = useQuery(scrapeQuery(id));
  const request = useQuery({ ...scrapeRequestQuery(id), enabled: scrape !== undefined });
  if (isNotFound(error)) return <ScrapeGone />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (scrape === undefined || request.isPending) return <PageSkeleton />;
  // A 404 alone means that it was not kept.
  if (request.error !== null && !isNotFound(request.error))
    return <ErrorState error={request.error} onRetry={() => void request.refetch()} />;
  const asked = askedOf(request.data);
  // Without its request it was kept with `retain: none`.
  const retain = request.data === undefined ? 'none' : asked.retain;
  return (
    <>
      <ScrapeHeader scrape={scrape} asked={asked} request={request.data} />
      <ScrapeResult
        scrape={scrape}
        stored
        request={request.data}
        retain={retain}
        more={<RequestPanel request={request.data} tags={asked.tags} />}
      />
    </>
  );
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
