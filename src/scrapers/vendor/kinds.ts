import type { VendorKind } from '../../domain/vendors.ts';
import { ZYTE } from './kinds/zyte.ts';
import type { VendorKindSpec } from './vendor-kind.ts';

/** The APIs that the file of vendors can name. */
export const KINDS = {
  zyte: ZYTE,
} as unknown as Readonly<Record<VendorKind, VendorKindSpec>>;
