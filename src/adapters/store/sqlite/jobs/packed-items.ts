import type { NewItem } from '../../../../domain/jobs.ts';
import type { ItemToAdd } from './job-items.ts';

/**
 * Items on their way to the writer thread. `postMessage` takes 20 times as long for a list of objects as for one text, and
 * copies the whole buffer behind each view.
 */
export interface PackedItems {
  /** JSON of the items without their bytes. */
  readonly json: string;
  /** 16 bytes for each item that has a fingerprint. */
  readonly fingerprints: Uint8Array;
  /** Of the items that have one. */
  readonly requests: readonly Uint8Array[];
}

type PackedItem = Omit<ItemToAdd, 'fingerprint' | 'request'> & { readonly has: readonly [boolean, boolean] };

const FINGERPRINT_BYTES = 16;

export function packItems(items: readonly NewItem[]): PackedItems {
  const fingerprints: Uint8Array[] = [];
  const requests: Uint8Array[] = [];
  const packed = items.map(({ fingerprint, request, ...item }): PackedItem => {
    if (fingerprint !== null) fingerprints.push(fingerprint);
    if (request !== null) requests.push(Uint8Array.from(request));
    return { ...item, has: [fingerprint !== null, request !== null] };
  });
  const bytes = new Uint8Array(fingerprints.length * FINGERPRINT_BYTES);
  for (const [index, fingerprint] of fingerprints.entries())
    bytes.set(fingerprint, index * FINGERPRINT_BYTES);
  return { json: JSON.stringify(packed), fingerprints: bytes, requests };
}

export function unpackItems({ json, fingerprints, requests }: PackedItems): readonly ItemToAdd[] {
  let at = 0;
  const next = (): Uint8Array => {
    at += FINGERPRINT_BYTES;
    return fingerprints.subarray(at - FINGERPRINT_BYTES, at);
  };
  let nextRequest = 0;
  return (JSON.parse(json) as readonly PackedItem[]).map(
    ({ has: [hasFingerprint, hasRequest], ...item }) => ({
      ...item,
      fingerprint: hasFingerprint ? next() : null,
      request: hasRequest ? requests[nextRequest++]! : null,
    }),
  );
}
