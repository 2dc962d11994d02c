import { BANNED, BLOCK, CAPTCHA, CHALLENGE, NET, OBSERVATIONS, OK, SHELL, WALL } from './observations.ts';
import type { Route } from './routes.ts';

/** What a site may demand of a visitor. It cannot be observed, only inferred. All numbers are initial estimates. */
interface Defense {
  readonly name: string;
  /** Completes a sentence that begins with "the site". */
  readonly words: string;
  /** The share of all sites. */
  readonly share: number;
  /** The page needs scripts. */
  readonly js: boolean;
  /** Log odds of a page for a plain HTTP client at a datacenter address. */
  readonly base: number;
  /** What each `Route.fingerprint` (0 to 3) adds to the log odds. */
  readonly fingerprint: readonly [number, number, number, number];
  /** What each `Route.ip` (0 to 2) adds to the log odds. */
  readonly ip: readonly [number, number, number];
  /** What a refusal looks like: weights of the observations. */
  readonly refuses: readonly (readonly [observation: number, weight: number])[];
}

const ANY_FINGERPRINT = [0, 0, 0, 0] as const;
const ANY_ADDRESS = [0, 0, 0] as const;

/**
 * Learning starts from these estimates, because no such figures are published. Stored statistics depend on the order.
 * Defenses that refuse in the same manner must be one entry.
 */
export const DEFENSES: readonly Defense[] = [
  {
    name: 'open',
    words: 'shows no protection',
    share: 0.46,
    js: false,
    base: 3.2,
    fingerprint: ANY_FINGERPRINT,
    ip: ANY_ADDRESS,
    refuses: [
      [NET, 0.8],
      [BLOCK, 0.2],
    ],
  },
  {
    name: 'js',
    words: 'needs JavaScript',
    share: 0.1,
    js: true,
    base: 3,
    fingerprint: ANY_FINGERPRINT,
    ip: ANY_ADDRESS,
    refuses: [
      [NET, 0.8],
      [BLOCK, 0.2],
    ],
  },
  {
    name: 'fingerprint',
    words: 'expects the TLS and HTTP/2 fingerprint of a browser',
    share: 0.1,
    js: false,
    base: -2.2,
    fingerprint: [0, 4.8, 4.8, 4.8],
    ip: [0, 0.2, 0.2],
    refuses: [
      [BLOCK, 1.4],
      [CHALLENGE, 0.2],
      [NET, 0.3],
    ],
  },
  {
    name: 'ip',
    words: 'blocks datacenter IP addresses',
    share: 0.07,
    js: false,
    base: -3,
    fingerprint: [0, 0.3, 0.3, 0.5],
    ip: [0, 5, 5.3],
    refuses: [
      [BLOCK, 1.4],
      [BANNED, 1.2],
      [CAPTCHA, 0.2],
      [NET, 0.5],
    ],
  },
  {
    name: 'ip+js',
    words: 'blocks datacenter IP addresses and needs JavaScript',
    share: 0.03,
    js: true,
    base: -3,
    fingerprint: [0, 0.3, 0.3, 0.5],
    ip: [0, 4.8, 5],
    refuses: [
      [BLOCK, 1.4],
      [BANNED, 1.2],
      [CAPTCHA, 0.2],
      [NET, 0.5],
    ],
  },
  {
    name: 'light check',
    words: 'runs light bot checks',
    share: 0.09,
    js: false,
    base: -2.5,
    fingerprint: [0, 2.2, 2.8, 4],
    ip: [0, 1.2, 1.6],
    refuses: [
      [CHALLENGE, 1.5],
      [CAPTCHA, 0.2],
      [BLOCK, 0.3],
    ],
  },
  {
    name: 'check',
    words: 'runs bot checks with JavaScript',
    share: 0.05,
    js: false,
    base: -4.5,
    fingerprint: [0, 1.8, 3.4, 5],
    ip: [0, 1.3, 1.7],
    refuses: [
      [CHALLENGE, 1.5],
      [CAPTCHA, 0.2],
      [BLOCK, 0.3],
    ],
  },
  {
    name: 'strict check',
    words: 'runs strict bot checks of browser and IP address',
    share: 0.03,
    js: false,
    base: -6,
    fingerprint: [0, 1.2, 2.5, 4.5],
    ip: [0, 1.7, 2.4],
    refuses: [
      [CHALLENGE, 1],
      [CAPTCHA, 0.5],
      [BLOCK, 0.5],
    ],
  },
  {
    name: 'reputation',
    words: 'rates browser and IP address together',
    share: 0.03,
    js: false,
    base: -3,
    fingerprint: [0, 2.6, 2.6, 3],
    ip: [0, 1.3, 1.7],
    refuses: [
      [BLOCK, 1.5],
      [NET, 0.3],
      [CHALLENGE, 0.2],
    ],
  },
  {
    name: 'captcha',
    words: 'shows most visitors a captcha',
    share: 0.04,
    js: false,
    base: -4.2,
    fingerprint: [0, 1.4, 1.4, 2.7],
    ip: [0, 1.6, 2.2],
    refuses: [
      [CAPTCHA, 1.4],
      [BLOCK, 0.4],
      [CHALLENGE, 0.2],
    ],
  },
  {
    name: 'closed',
    words: 'requires a login or is closed to the public',
    share: 0.02,
    js: false,
    base: -3.7,
    fingerprint: ANY_FINGERPRINT,
    ip: [0, 0.4, 0.4],
    refuses: [
      [WALL, 2],
      [BLOCK, 0.6],
    ],
  },
];

/** Weight of each kind of refusal at each defense, so that none is impossible. */
const BASE_WEIGHT = 0.05;
/** Factor on the success of a route without scripts at a site that needs them. */
const WITHOUT_SCRIPTS = 0.02;

/** P(page) by a route at a site with this defense, before anything was learned. */
function successOf(defense: Defense, route: Route): number {
  if (route.vendor) return defense.name === 'closed' ? 0.15 : 0.9;
  const logOdds = defense.base + defense.fingerprint[route.fingerprint] + defense.ip[route.ip];
  // Between 0.5 % and 97 %: no route is certain to fail or to succeed.
  const p = 0.97 / (1 + Math.exp(-logOdds));
  return Math.max(0.005, defense.js && !route.js ? p * WITHOUT_SCRIPTS : p);
}

/** P(observation) of an attempt by a route at a site with this defense, before anything was learned. Sums to 1. */
export function expectedObservations(defense: Defense, route: Route): number[] {
  const success = successOf(defense, route);
  const weights: number[] = OBSERVATIONS.map((_, observation) => (observation === OK ? 0 : BASE_WEIGHT));
  // Such a route gets the page, but not its content.
  const lacksOnlyJs = defense.js && !route.js && defense.base + defense.ip[route.ip] > 0;
  for (const [observation, weight] of lacksOnlyJs ? [[SHELL, 2] as const] : defense.refuses)
    weights[observation]! += weight;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, observation) =>
    observation === OK ? success : ((1 - success) * weight) / total,
  );
}
