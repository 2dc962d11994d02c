import { BANNED, BLOCK, CAPTCHA, CHALLENGE, NET, SHELL, WALL } from '../../src/router/observations.ts';

/** How attempts fail at a class: signs with their shares. */
type Showing = readonly (readonly [sign: number, share: number])[];

const LOST: Showing = [
  [NET, 0.7],
  [BLOCK, 0.2],
  [SHELL, 0.1],
];
const SHELLS: Showing = [
  [SHELL, 0.85],
  [NET, 0.1],
  [BLOCK, 0.05],
];
const BLOCKS: Showing = [
  [BLOCK, 0.75],
  [NET, 0.15],
  [CHALLENGE, 0.1],
];
const ADDRESS: Showing = [
  [BLOCK, 0.4],
  [BANNED, 0.25],
  [NET, 0.25],
  [CAPTCHA, 0.1],
];
/** They name the address where they mean the client. */
const MISLEADING: Showing = [
  [BANNED, 0.6],
  [BLOCK, 0.25],
  [NET, 0.15],
];
const CHECKS: Showing = [
  [CHALLENGE, 0.75],
  [BLOCK, 0.15],
  [CAPTCHA, 0.1],
];
const STRICT: Showing = [
  [CHALLENGE, 0.5],
  [CAPTCHA, 0.3],
  [BLOCK, 0.2],
];
const CAPTCHAS: Showing = [
  [CAPTCHA, 0.65],
  [BLOCK, 0.25],
  [CHALLENGE, 0.1],
];
const SILENT: Showing = [
  [CHALLENGE, 0.4],
  [NET, 0.3],
  [BLOCK, 0.3],
];
const WALLS: Showing = [
  [WALL, 0.7],
  [BLOCK, 0.3],
];

export interface SiteClass {
  readonly name: string;
  readonly share: number;
  /** What the vendor's price is multiplied by here. */
  readonly surcharge: number;
  /** P(page) of each arm. */
  readonly p: readonly number[];
  readonly plainFails: Showing;
  readonly browserFails: Showing;
}

const of = (
  name: string,
  share: number,
  surcharge: number,
  percents: string,
  plainFails: Showing,
  browserFails = plainFails,
): SiteClass => ({
  name,
  share,
  surcharge,
  p: percents.split(' ').map((text) => Number(text) / 100),
  plainFails,
  browserFails,
});

/**
 * The truth of the simulation, which no policy but the oracle sees: kinds of defended and of open sites, how many there
 * are, and what gets through. Estimates of ours: nobody publishes such figures. Not the tables that the router starts
 * with.
 */
export const classes = (): SiteClass[] => [
  of('open', 0.46, 1, '97 97 96 95 96 95 95 94 93 97', LOST),
  of('needs scripts', 0.09, 1, '2 2 2 2 95 94 94 93 92 95', SHELLS, LOST),
  of('tls or agent', 0.08, 1, '8 92 93 93 88 93 92 94 93 95', BLOCKS),
  of('no datacentres', 0.06, 1, '3 6 90 93 8 10 85 90 92 93', ADDRESS),
  of('no datacentres, scripts', 0.03, 1, '1 1 3 3 6 8 82 88 90 92', ADDRESS),
  of('check, low', 0.08, 1, '10 55 80 85 55 85 75 92 94 95', CHECKS),
  of('check, managed', 0.055, 1.5, '1 6 20 30 20 65 45 85 90 92', CHECKS),
  of('check, strict', 0.03, 2, '0 1 3 5 3 20 10 60 75 88', STRICT),
  of('guard A', 0.03, 2.5, '4 45 75 80 30 50 60 80 85 92', MISLEADING),
  of('guard B', 0.025, 2.5, '1 5 25 40 4 15 15 55 70 88', CAPTCHAS),
  of('guard C', 0.015, 2.5, '3 15 40 50 10 25 25 60 72 88', CAPTCHAS),
  of('guard D', 0.01, 3, '0 2 5 6 2 10 5 35 45 75', SILENT),
  of('guard E', 0.015, 1.5, '5 30 60 65 45 65 65 82 85 92', CHECKS),
  of('wall', 0.02, 1, '2 2 5 5 2 2 5 5 5 15', WALLS),
];

export const OPEN = 0;
export const LOW = 5;
export const MANAGED = 6;
export const STRICT_CHECK = 7;
