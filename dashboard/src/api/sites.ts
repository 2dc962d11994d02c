import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';

export type Site = Schema<'Site'>;

const hostParams = (host: string) => ({ params: { path: { host } } });

/** What is known about a site; a 404 if nothing is, or if this user has no scrapes of it. @param host as in a URL */
export const siteQuery = (host: string) =>
  queryOptions({
    queryKey: ['site', host],
    queryFn: ({ signal }) => responseBody(api.GET('/api/v1/sites/{host}/', { ...hostParams(host), signal })),
  });

/** Pins the first step of `auto` for a site. For administrators. */
export function usePinSite(host: string) {
  const invalidate = useInvalidateSite();
  return useMutation({
    mutationFn: (body: Schema<'SitePin'>) =>
      responseBody(api.POST('/api/v1/sites/{host}/pin/', { ...hostParams(host), body })),
    onSuccess: invalidate,
  });
}

/** Removes the pin. For administrators. */
export function useUnpinSite(host: string) {
  const invalidate = useInvalidateSite();
  return useMutation({
    mutationFn: () => responseBody(api.DELETE('/api/v1/sites/{host}/pin/', hostParams(host))),
    onSuccess: invalidate,
  });
}

/** Forgets all that was learned about a site; its pin stays. For administrators. */
export function useForgetSite(host: string) {
  const invalidate = useInvalidateSite();
  return useMutation({
    mutationFn: () => responseBody(api.DELETE('/api/v1/sites/{host}/', hostParams(host))),
    onSuccess: invalidate,
  });
}

/** Invalidates all sites, because the same site is cached under its host with and without the port. */
function useInvalidateSite() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['site'] });
}
