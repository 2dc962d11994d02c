import { parseConfig } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/variables.ts';

const NAMES = new Set([
  ...Object.values(VARIABLES).flatMap(({ name, ...rest }) =>
    'secret' in rest ? [name, `${name}_FILE`] : [name],
  ),
]);

/** Those of the variables that Sluice would refuse at the start, because it does not have them. */
export const unknownVariables = (names: Iterable<string>): string[] =>
  [...names].filter((name) => name.startsWith('SLUICE_') && !NAMES.has(name));

/** By variable: a value like the one that the operator would keep in a Secret. */
const SECRETS: Readonly<Record<string, string>> = {
  SLUICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  SLUICE_SECRET: 's'.repeat(64),
  SLUICE_API_KEY: 'k'.repeat(64),
  SLUICE_ADMIN_PASSWORD: 'p'.repeat(16),
  SLUICE_METRICS_TOKEN: 't'.repeat(64),
  SLUICE_DATABASE_URL: 'postgres://sluice:password@db:5432/sluice',
  SLUICE_DATABASE_DIRECT_URL: 'postgres://sluice:password@db:5432/sluice',
  SLUICE_DATABASE_READ_URL: 'postgres://sluice:password@db:5432/sluice',
  SLUICE_REDIS_URL: 'redis://redis:6379',
  SLUICE_S3_ACCESS_KEY_ID: 'id',
  SLUICE_S3_SECRET_ACCESS_KEY: 'secret',
};

/**
 * What Sluice would say at its start about these variables, as lines.
 * @param env a value that is null is in a Secret
 */
export function problemsWithVariables(env: Readonly<Record<string, string | null>>): string[] {
  const values = Object.entries(env).map(([name, value]) => [name, value ?? SECRETS[name] ?? '']);
  const { problems } = parseConfig(Object.fromEntries(values));
  return (problems ?? []).map(({ variable, message }) => `${variable} ${message}`);
}
