import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, responseBody, type Schema } from './client.ts';
import { useChange } from './queries.ts';
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

/** Creates a vendor, or changes the one with this name: then, a member that is null is removed. */
export const useSaveVendor = (name: string | null) =>
  useChange(
    (body: VendorCreate | VendorPatch) =>
      name === null
        ? responseBody(api.POST('/api/v1/vendors/', { body: body as VendorCreate }))
        : responseBody(api.PATCH('/api/v1/vendors/{name}/', { params: { path: { name } }, body })),
    [['vendors']],
  );

export const useDeleteVendor = () =>
  useChange(
    (name: string) => responseBody(api.DELETE('/api/v1/vendors/{name}/', { params: { path: { name } } })),
    [['vendors']],
  );

/** Makes one real request through a vendor. */
export const useTestVendor = (name: string) =>
  useChange(
    (url: string) =>
      responseBody(api.POST('/api/v1/vendors/{name}/test/', { params: { path: { name } }, body: { url } })),
    [['vendors']],
    { later: true },
  );
