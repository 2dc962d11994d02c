/** The domain whose hosts this process serves itself, for examples and tests. `.test` is reserved (RFC 6761 §6.2). */
export const TEST_DOMAIN = 'sluice.test';

/** @param host as in `URL.hostname` */
export function isTestHost(host: string): boolean {
  if (!host.endsWith(TEST_DOMAIN) && !host.endsWith(`${TEST_DOMAIN}.`)) return false;
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return name.length === TEST_DOMAIN.length || name[name.length - TEST_DOMAIN.length - 1] === '.';
}
