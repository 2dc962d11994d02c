import { t } from '@lingui/core/macro';
import type { Vendor } from '../../api/vendors.ts';

/** Why a vendor failed. */
export const VENDOR_REASONS: Readonly<Record<NonNullable<Vendor['left_alone']>, string>> = {
  auth: t`Key refused`,
  credits: t`No credits left`,
  throttled: t`Too many requests`,
  timeout: t`No response in time`,
  blocked: t`Blocked by sites`,
  protocol: t`Invalid response`,
  unsupported: t`Request not supported`,
};
