import { notFound } from '@tanstack/react-router';
import type { User } from '../api/types.ts';

/** `loader` of pages for administrators: for others there is no such page. */
export function requireAdmin({ context }: { readonly context: { readonly user: User } }): void {
  if (context.user.role !== 'admin') throw notFound();
}
