import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type Site = Schema<'Site'>;

const hostParams = (host: string) => ({ params: { path: { host } } });

/** What is known of a site; 404: nothing, or nobody asked for it in this user's name. @param host as in a URL */
export const siteQuery = (host: string) =>
  queryOptions({
    queryKey: ['site', host],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/sites/{host}/', { ...hostParams(host), signal })),
  });

/** What `auto` begins with there, from now on. For administrators. */
export function usePinSite(host: string) {
  const changed = useInvalidateSite();
  return useMutation({
    mutationFn: (body: Schema<'SitePin'>) =>
      responseBody(api.POST('/api/v1/sites/{host}/pin/', { ...hostParams(host), body })),
    onSuccess: changed,
  });
}

/** For administrators. */
export function useUnpinSite(host: string) {
  const changed = useInvalidateSite();
  return useMutation({
    mutationFn: () => responseBody(api.DELETE('/api/v1/sites/{host}/pin/', hostParams(host))),
    onSuccess: changed,
  });
}

/** All that attempts have shown of it; what is pinned stays. For administrators. */
export function useForgetSite(host: string) {
  const changed = useInvalidateSite();
  return useMutation({
    mutationFn: () => responseBody(api.DELETE('/api/v1/sites/{host}/', hostParams(host))),
    onSuccess: changed,
  });
}

/** One site is looked up with its port and without: whichever name is shown, it comes anew. */
function useInvalidateSite() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['site'] });
}
