import type { StoredProfile } from '../../../domain/profiles.ts';
import { columnsFor, type TableOf } from './columns.ts';

export interface ProfileTables {
  profiles: ProfileTable;
}

const column = columnsFor<StoredProfile>();
/** All but the values. */
export const PROFILE_FACTS = {
  id: column.id('id'),
  user_id: column.id('userId'),
  name: column.plain('name'),
  sites: column.json('sites'),
  identity: column.json('identity'),
  exit: column.json('exit'),
  shared: column.flag('shared'),
  state: column.plain('state'),
  cookies: column.plain('cookies'),
  bytes: column.plain('bytes'),
  created_at: column.plain('createdAt'),
  refreshed_at: column.plain('refreshedAt'),
  used_at: column.plain('usedAt'),
  expires_at: column.plain('expiresAt'),
  version: column.plain('version'),
  has_credentials: column.flag('hasCredentials'),
};
export const PROFILE_COLUMNS = {
  ...PROFILE_FACTS,
  sealed: column.bytes('sealed'),
  credentials: column.plain('sealedCredentials'),
};
export type ProfileTable = TableOf<typeof PROFILE_COLUMNS>;
