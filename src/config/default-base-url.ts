import { isIPv6 } from 'node:net';

/**
 * The base URL when the operator has set none: where the service listens.
 * @param port the real one, after listening (it may have been configured as 0)
 */
export function defaultBaseUrl(host: string, port: number): string {
  // "All addresses" is nothing that a link could lead to.
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
