import { initial } from './0001-initial.ts';
import { sessions } from './0002-sessions.ts';
import { stats } from './0003-stats.ts';
import { pictures } from './0004-pictures.ts';
import { costs } from './0005-costs.ts';
import { experience } from './0006-experience.ts';
import type { Migration } from './migration.ts';

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [initial, sessions, stats, pictures, costs, experience];
