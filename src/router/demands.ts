import { BANNED, BLOCK, CAPTCHA, CHALLENGE, NET, OK, SHELL, SIGNS, WALL } from './signs.ts';
import type { Way } from './ways.ts';

/** What a target may demand of who fetches. Which it is cannot be seen, only concluded. */
interface Demand {
  readonly name: string;
  /** For people: "it looks like a site that …". */
  readonly words: string;
  readonly js: boolean;
  /** As `Way.fingerprint` and `Way.ip`. */
  readonly fingerprint: number;
  readonly ip: number;
  /** How many of all targets are so, before anything was learned: an estimate, see docs/auto.md. */
  readonly share: number;
}

const demand = (
  name: string,
  words: string,
  js: boolean,
  fingerprint: number,
  ip: number,
  share: number,
): Demand => ({ name, words, js, fingerprint, ip, share });

export const DEMANDS: readonly Demand[] = [
  demand('open', 'asks for nothing', false, 0, 0, 0.46),
  demand('js', 'needs scripts', true, 0, 0, 0.1),
  demand('fingerprint', 'wants a connection like that of a browser', false, 1, 0, 0.12),
  demand('ip', 'refuses addresses of datacentres', false, 1, 1, 0.08),
  demand('ip+js', 'refuses addresses of datacentres and needs scripts', true, 1, 1, 0.04),
  demand('check', 'checks the browser by script', true, 2, 0, 0.1),
  demand('check+ip', 'checks browser and address', true, 2, 1, 0.05),
  demand('hardened', 'is well defended', true, 3, 1, 0.03),
  demand('closed', 'gives nothing to strangers', true, 9, 9, 0.02),
];

const LOSS = 0.96;
const BY_FINGERPRINT = [1, 0.35, 0.08, 0.03] as const;
const BY_IP = [1, 0.12, 0.05] as const;

/** P(page) of a way at a target with this demand, before anything was learned: what is lacking costs by how much. */
function successOf(demand: Demand, way: Way): number {
  if (demand.name === 'closed') return way.vendor ? 0.15 : 0.03;
  if (way.vendor) return 0.92 - 0.04 * demand.fingerprint;
  const fingerprint = Math.min(3, Math.max(0, demand.fingerprint - way.fingerprint));
  const ip = Math.min(2, Math.max(0, demand.ip - way.ip));
  const js = demand.js && !way.js ? (demand.fingerprint >= 2 ? 0.12 : 0.02) : 1;
  return Math.max(0.01, LOSS * js * BY_FINGERPRINT[fingerprint]! * BY_IP[ip]!);
}

/** How a failure shows itself there, as weights of the signs. */
function troubleOf(demand: Demand, way: Way): number[] {
  const weight = new Array<number>(SIGNS.length).fill(0);
  const add = (sign: number, by: number) => {
    weight[sign]! += by;
  };
  add(SHELL, 0.05);
  add(CHALLENGE, 0.08);
  add(CAPTCHA, 0.08);
  add(BLOCK, 0.15);
  add(BANNED, 0.03);
  add(NET, 0.15);
  add(WALL, 0.02);
  if (demand.name === 'closed') {
    add(WALL, 2);
    add(BLOCK, 0.5);
  } else if (demand.js && !way.js && demand.fingerprint < 2) add(SHELL, 2);
  else if (demand.fingerprint >= 2) {
    add(CHALLENGE, 1.4);
    add(CAPTCHA, demand.fingerprint === 3 ? 1 : 0.3);
    add(BLOCK, 0.6);
  } else if (demand.ip > way.ip) {
    add(BLOCK, 1.4);
    add(BANNED, 1.2);
    add(CAPTCHA, 0.4);
    add(NET, 0.3);
  } else if (demand.fingerprint > way.fingerprint) {
    add(BLOCK, 1.2);
    add(CHALLENGE, 0.5);
  } else add(NET, 0.6);
  return weight;
}

/** P(sign) of an attempt by a way at a target with this demand, before anything was learned. Sums to 1. */
export function expected(demand: Demand, way: Way): number[] {
  const success = successOf(demand, way);
  const trouble = troubleOf(demand, way);
  const all = trouble.reduce((sum, each) => sum + each, 0);
  return trouble.map((each, sign) => (sign === OK ? success : ((1 - success) * each) / all));
}
