/**
 * Whether a host is to be reached without the proxy. A pattern is `*` (all), a host name (that host alone), `.name` or
 * `*.name` (what lies under it), or any of them with `:port`. Capitals do not matter.
 * @param host as in `URL.hostname`
 */
export function bypasses(patterns: readonly string[], host: string, port: number): boolean {
  return patterns.some((pattern) => matches(pattern.toLowerCase(), host.toLowerCase(), port));
}

function matches(pattern: string, host: string, port: number): boolean {
  const [, name = '', wantedPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(pattern) ?? [];
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false;
  if (name === '*') return true;
  const suffix = name.startsWith('*.') ? name.slice(1) : name;
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix;
}
