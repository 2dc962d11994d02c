import type { Address } from './address.ts';

/** Why there are no addresses. */
export interface DnsTrouble {
  readonly code: 'dns.not_found' | 'dns.failed';
  /** Lower-case word for `details.reason`: `nxdomain`, `servfail`, `timeout`, … */
  readonly reason: string;
}

/** What a host stands for: its addresses (none: an address that cannot be read), or the trouble. */
export type Resolution =
  | {
      readonly addresses: readonly Address[];
      /**
       * Where they come from. Of a name server's answer (or a literal) every address must be allowed, else none is used;
       * this host's own word (localhost, the hosts file) is no stranger's trick: there the forbidden ones are left out.
       */
      readonly from: 'outside' | 'host';
      readonly trouble: null;
    }
  | { readonly addresses: null; readonly from: null; readonly trouble: DnsTrouble };

export function found(addresses: readonly Address[], from: 'outside' | 'host'): Resolution {
  return { addresses, from, trouble: null };
}

export function notFound(reason: string): Resolution {
  return { addresses: null, from: null, trouble: { code: 'dns.not_found', reason } };
}

export function dnsFailed(reason: string): Resolution {
  return { addresses: null, from: null, trouble: { code: 'dns.failed', reason } };
}
