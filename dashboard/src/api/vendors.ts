import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import type { StatsWindow } from './stats.ts';

export type Vendor = Schema<'Vendor'>;
export type VendorKind = Schema<'VendorList'>['kinds'][number];
export type VendorCreate = Schema<'VendorCreate'>;
export type VendorPatch = Schema<'VendorPatch'>;
export type VendorTest = Schema<'VendorTest'>;
export type VendorHistory = Schema<'VendorHistory'>;

const POLL_MS = 15_000;

/** The vendors with their state; keys are `***`. For administrators and viewers. */
export const vendorsQuery = queryOptions({
  queryKey: ['vendors'],
  queryFn: ({ signal }) => responseBody(api.GET('/api/v1/vendors/', { signal })),
  refetchInterval: POLL_MS,
});

/** The vendors over time, also before the last restart. */
export const vendorHistoryQuery = (window: StatsWindow) =>
  queryOptions({
    queryKey: ['vendors', 'history', window],
    queryFn: ({ signal }) =>
      responseBody(api.GET('/api/v1/vendors/history/', { params: { query: { window } }, signal })),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });

function useInvalidateVendors() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['vendors'] });
}

/** Creates a vendor. */
export function useCreateVendor() {
  const invalidate = useInvalidateVendors();
  return useMutation({
    mutationFn: (body: VendorCreate) => responseBody(api.POST('/api/v1/vendors/', { body })),
    onSuccess: invalidate,
  });
}

/** Changes a vendor. A member that is null is removed. */
export function useChangeVendor() {
  const invalidate = useInvalidateVendors();
  return useMutation({
    mutationFn: ({ name, body }: { readonly name: string; readonly body: VendorPatch }) =>
      responseBody(api.PATCH('/api/v1/vendors/{name}/', { params: { path: { name } }, body })),
    onSuccess: invalidate,
  });
}

export function useDeleteVendor() {
  const invalidate = useInvalidateVendors();
  return useMutation({
    mutationFn: (name: string) =>
      responseBody(api.DELETE('/api/v1/vendors/{name}/', { params: { path: { name } } })),
    onSuccess: invalidate,
  });
}

/** Makes one real request through a vendor. */
export function useTestVendor(name: string) {
  const invalidate = useInvalidateVendors();
  return useMutation({
    mutationFn: (url: string) =>
      responseBody(api.POST('/api/v1/vendors/{name}/test/', { params: { path: { name } }, body: { url } })),
    onSuccess: () => void invalidate(),
  });
}
