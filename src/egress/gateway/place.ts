/** Where a request leads. */
export interface Place {
  /** As `URL.hostname`: lower-case, IDNA, addresses in their one spelling, IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
}

/** No user, no path, nothing that a URL parser would strip or take for the end of the host. */
const AUTHORITY = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:@/?#\\[\]]+)(?::(\d{1,5}))?$/;

/**
 * @param authority `host` or `host:port` as in a request line
 * @param defaultPort null: a port has to be there (RFC 9110 §9.3.6)
 * @returns null when it is none
 */
export function parsePlace(authority: string, defaultPort: number | null): Place | null {
  const match = AUTHORITY.exec(authority);
  if (match === null) return null;
  const port = match[1] === undefined ? defaultPort : Number(match[1]);
  const url = URL.parse(`http://${authority}/`);
  return url === null || port === null ? null : { host: url.hostname, port };
}
