import type { ReactNode } from 'react';
import { useCanChange } from '../api/session.ts';

/** Shows its children only to users who may change something: not to viewers. */
export function ChangersOnly({ children }: { readonly children: ReactNode }) {
  return useCanChange() ? children : null;
}
