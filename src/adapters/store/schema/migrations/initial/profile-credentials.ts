export const PROFILE_CREDENTIALS_COLUMNS: readonly string[] = [
  'ALTER TABLE profiles ADD COLUMN has_credentials SMALLINT NOT NULL DEFAULT 0',
  'ALTER TABLE profiles ADD COLUMN credentials BYTEA',
];
