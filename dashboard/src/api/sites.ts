import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { Schema } from './types.ts';

export type Site = Schema<'Site'>;

const hostIn = (host: string) => ({ params: { path: { host } } });

/** What is known of a site; 404: nothing, or nobody asked for it in this user's name. @param host as in a URL */
export const siteQuery = (host: string) =>
  queryOptions({
    queryKey: ['site', host],
    queryFn: ({ signal }) => answerOf(api.GET('/api/v1/sites/{host}/', { ...hostIn(host), signal })),
  });

/** What `auto` begins with there, from now on. For administrators. */
export function usePinSite(host: string) {
  const changed = useSiteChanged();
  return useMutation({
    mutationFn: (body: Schema<'SitePin'>) =>
      answerOf(api.POST('/api/v1/sites/{host}/pin/', { ...hostIn(host), body })),
    onSuccess: changed,
  });
}

/** For administrators. */
export function useUnpinSite(host: string) {
  const changed = useSiteChanged();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/v1/sites/{host}/pin/', hostIn(host))),
    onSuccess: changed,
  });
}

/** All that attempts have shown of it; what is pinned stays. For administrators. */
export function useForgetSite(host: string) {
  const changed = useSiteChanged();
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/v1/sites/{host}/', hostIn(host))),
    onSuccess: changed,
  });
}

/** One site is looked up with its port and without: whichever name is shown, it comes anew. */
function useSiteChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['site'] });
}
