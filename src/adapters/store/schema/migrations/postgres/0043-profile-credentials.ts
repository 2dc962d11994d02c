import { PROFILE_CREDENTIALS_COLUMNS } from '../initial/profile-credentials.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const profileCredentials: PostgresMigration = {
  version: 43,
  name: 'profile credentials',
  isCompatible: true,
  statements: PROFILE_CREDENTIALS_COLUMNS,
};
