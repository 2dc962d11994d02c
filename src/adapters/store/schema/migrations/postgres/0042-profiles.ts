import { PROFILE_TABLES } from '../initial/profiles.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const profiles: PostgresMigration = {
  version: 42,
  name: 'profiles',
  isCompatible: true,
  statements: PROFILE_TABLES,
};
