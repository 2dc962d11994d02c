import { VARIABLES } from '../../src/config/variables.ts';

/** Variables of contract §15 that are still being built. */
const COMING = [
  'SLUICE_DATABASE_URL',
  'SLUICE_DATABASE_DIRECT_URL',
  'SLUICE_DATABASE_READ_URL',
  'SLUICE_REDIS_URL',
  'SLUICE_ROLE',
  'SLUICE_S3_ENDPOINT',
  'SLUICE_S3_BUCKET',
  'SLUICE_S3_REGION',
  'SLUICE_S3_ACCESS_KEY_ID',
  'SLUICE_S3_SECRET_ACCESS_KEY',
  'SLUICE_S3_PREFIX',
  'SLUICE_S3_FORCE_PATH_STYLE',
];

const NAMES = new Set([
  ...COMING,
  ...Object.values(VARIABLES).flatMap(({ name, ...rest }) =>
    'secret' in rest ? [name, `${name}_FILE`] : [name],
  ),
]);

/** Those of the variables that Sluice would refuse at the start, because it does not have them. */
export const unknownVariables = (names: Iterable<string>): string[] =>
  [...names].filter((name) => name.startsWith('SLUICE_') && !NAMES.has(name));
