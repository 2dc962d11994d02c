import type { Route } from '../../src/router/routes.ts';

const arm = (
  name: string,
  js: boolean,
  fingerprint: Route['fingerprint'],
  ip: Route['ip'],
  effort: number,
  failShare: number,
  seconds: number,
): Route => ({ name, js, fingerprint, ip, effort, failShare, seconds, byBytes: true });

/** The ways of the simulation: what a large installation would have. 1 unit: a plain fetch through a datacentre. */
export const arms = (): Route[] => [
  arm('plain/dc', false, 0, 0, 1, 0.4, 0.6),
  arm('impersonate/dc', false, 1, 0, 1.1, 0.4, 0.7),
  arm('impersonate/residential', false, 1, 1, 6, 0.4, 1.6),
  arm('impersonate/mobile', false, 1, 2, 12, 0.4, 2.2),
  arm('browser/dc', true, 1, 0, 14, 0.6, 4),
  arm('stealth/dc', true, 3, 0, 18, 0.6, 6),
  arm('browser/residential', true, 1, 1, 45, 0.6, 7),
  arm('stealth/residential', true, 3, 1, 55, 0.6, 9),
  arm('stealth/mobile', true, 3, 2, 100, 0.6, 11),
  { ...arm('vendor', true, 3, 2, 38, 0, 12), vendor: true, byBytes: false },
];

export const STEALTH_DC = 5;
