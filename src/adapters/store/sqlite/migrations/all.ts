import { initial } from './0001-initial.ts';
import type { Migration } from './migration.ts';

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [initial];
