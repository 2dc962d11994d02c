import { BLOCK, NET, OK, SHELL } from '../../src/router/observations.ts';
import type { Route } from '../../src/router/routes.ts';
import { STEALTH_DC } from './arms.ts';
import { type Chance, chance, logistic, logit, lot, normal } from './chance.ts';
import { LOW, MANAGED, OPEN, type SiteClass, STRICT_CHECK } from './classes.ts';
import { DECAYED, priceFactor, type SimulatedVendor, troubleOf } from './vendors.ts';

export const DAY = 86_400;

export interface Settings {
  readonly arms: readonly Route[];
  readonly classes: readonly SiteClass[];
  readonly days: number;
  readonly sites: number;
  readonly requests: number;
  /** Mean time after which a target changes its class. */
  readonly changeDays: number;
  /** Deviations (logit) of a world's tables, and of a site's, from those of the classes. */
  readonly tableNoise: number;
  readonly siteNoise: number;
  readonly netFails: number;
  /** The detector: good pages that it calls bad, sites where it always does, bad pages that pass. */
  readonly falseAlarms: number;
  readonly alarmedSites: number;
  readonly missed: number;
  readonly zipf: number;
  /** A hardened browser stops working at checked sites for two days. */
  readonly breakage: boolean;
  /** Asks for pages of one site that come together; absent: up to 400. */
  readonly maxBatch?: number;
  /** Those whose routes are the last ones of `arms`. */
  readonly vendors?: readonly SimulatedVendor[];
}

/** Signs beside the observations: the vendor said that it failed, or did not answer in time. */
export const VENDOR_FAILED = 98;
export const VENDOR_LATE = 99;

/** From an instant on (seconds) a target is of a class. */
type Timeline = readonly (readonly [from: number, siteClass: number])[];

export interface Site {
  readonly paths: readonly Timeline[];
  readonly noise: readonly number[];
  readonly size: number;
  readonly alarmed: boolean;
  readonly slow: number;
}

export interface Ask {
  readonly id: number;
  readonly site: number;
  readonly path: number;
  /** Seconds. */
  readonly deadline: number;
  readonly ceiling: number;
}

export interface World extends Settings {
  readonly seed: number;
  readonly all: Site[];
  /** P(page) by class and arm of this world. */
  readonly p: readonly (readonly number[])[];
}

export function makeWorld(seed: number, settings: Settings): World {
  const random = chance(seed);
  const { classes, arms, siteNoise } = settings;
  const p = classes.map((one) =>
    one.p.map((each) =>
      logistic(logit(Math.min(0.985, Math.max(0.004, each))) + normal(random) * settings.tableNoise),
    ),
  );
  const all: Site[] = [];
  for (let n = 0; n < settings.sites; n++) {
    const first = pick(random, classes);
    const paths = 1 + Math.floor(random() * 3);
    const main = timeline(random, settings, first);
    const times: Timeline[] = [];
    for (let k = 0; k < paths; k++)
      times.push(k > 0 && random() < 0.3 ? timeline(random, settings, pick(random, classes)) : main);
    all.push({
      paths: times,
      noise: arms.map(() => normal(random) * siteNoise),
      size: Math.exp(normal(random) * 0.5),
      alarmed: random() < settings.alarmedSites,
      slow: Math.exp(normal(random) * 0.3),
    });
  }
  return { ...settings, seed, all, p };
}

function pick(random: Chance, classes: readonly SiteClass[]): number {
  let at = random();
  let n = 0;
  while (n < classes.length - 1 && at > classes[n]!.share) at -= classes[n++]!.share;
  return n;
}

/** Classes change; two of five changes are an attack that is fended off for some hours. */
function timeline(random: Chance, { changeDays, days, classes }: Settings, first: number): Timeline {
  const line: (readonly [number, number])[] = [[0, first]];
  let now = 0;
  let current = first;
  for (;;) {
    now += -Math.log(1 - random()) * changeDays * DAY * (first === OPEN ? 2 : 1);
    if (now > days * DAY) return line;
    if (random() < 0.4) {
      const guarded = [MANAGED, STRICT_CHECK, LOW][Math.floor(random() * 3)]!;
      const until = now + (2 + 10 * random()) * 3600;
      line.push([now, guarded], [until, current]);
      now = until;
    } else {
      current = pick(random, classes);
      line.push([now, current]);
    }
  }
}

export function classAt(world: World, site: number, path: number, now: number): number {
  const line = world.all[site]!.paths[path]!;
  let current = line[0]![1];
  for (let i = 1; i < line.length && line[i]![0] <= now; i++) current = line[i]![1];
  return current;
}

/** The vendor of an arm; null: it is an own way, or the vendor has no life of its own. */
export function vendorOf({ arms, vendors = [] }: World, arm: number): SimulatedVendor | null {
  return vendors[arm - arms.length + vendors.length] ?? null;
}

/** The truth: P(page) of an arm at a target now. */
export function pageChance(world: World, ask: Ask, arm: number, now: number): number {
  const vendor = vendorOf(world, arm);
  const trouble = vendor === null ? null : troubleOf(vendor, now);
  if (trouble === null) return untroubledChance(world, ask, arm, now);
  return trouble.how === 'decays' ? DECAYED * untroubledChance(world, ask, arm, now) : 0;
}

function untroubledChance(world: World, ask: Ask, arm: number, now: number): number {
  const kind = classAt(world, ask.site, ask.path, now);
  const noise = world.all[ask.site]!.noise[arm]! * (kind === OPEN ? 0.3 : 1);
  let p = logistic(logit(world.p[kind]![arm]!) + noise);
  const broken = world.breakage && now >= 5 * DAY && now < 7 * DAY && arm === STEALTH_DC;
  if (broken && (kind === LOW || kind === MANAGED || kind === STRICT_CHECK)) p *= 0.15;
  return Math.min(0.99, Math.max(0.002, p));
}

/** Units that a page by an arm costs there now. */
export function price(world: World, ask: Ask, arm: number, now: number): number {
  const { effort, vendor: isVendor } = world.arms[arm]!;
  const vendor = vendorOf(world, arm);
  if (vendor !== null && vendor.charges !== 'credits') return effort * priceFactor(vendor, now);
  if (vendor !== null)
    return (
      effort * priceFactor(vendor, now) * world.classes[classAt(world, ask.site, ask.path, now)]!.surcharge
    );
  if (isVendor) return effort * world.classes[classAt(world, ask.site, ask.path, now)]!.surcharge;
  return effort * world.all[ask.site]!.size;
}

/** The share of the price that an attempt costs that brings no page. */
export function failShareOf(world: World, arm: number, now: number): number {
  const vendor = vendorOf(world, arm);
  if (vendor === null) return world.arms[arm]!.failShare;
  if (vendor.charges === 'request') return 1;
  const how = troubleOf(vendor, now)?.how;
  if (how === undefined) return SHARE_CHARGED;
  return how === 'decays' ? 1 : 0;
}

/** Of attempts that bring no page, those that a vendor that is paid by success takes for pages. */
const SHARE_CHARGED = 0.1;

export interface Came {
  readonly good: boolean;
  /** What the detector says, and what it should say. */
  readonly seen: number;
  readonly sign: number;
  readonly seconds: number;
  readonly cost: number;
  readonly full: number;
  /** It does not end by itself. */
  readonly hangs?: boolean;
}

/** One attempt. The `n`th by this arm for this ask meets the same luck whoever makes it. */
export function attempt(world: World, ask: Ask, arm: number, n: number, now: number): Came {
  const { seed, arms, netFails } = world;
  const site = world.all[ask.site]!;
  const { js } = arms[arm]!;
  const vendor = vendorOf(world, arm);
  const usual = vendor?.seconds ?? arms[arm]!.seconds;
  const failShare = failShareOf(world, arm, now);
  const trouble = vendor === null ? null : troubleOf(vendor, now);
  if (trouble !== null && trouble.how !== 'decays') {
    const full = price(world, ask, arm, now);
    const hangs = trouble.how === 'hangs';
    const sign = hangs ? VENDOR_LATE : VENDOR_FAILED;
    const failed = { good: false, seen: sign, sign, cost: full * failShare, full };
    return { ...failed, seconds: hangs ? Number.POSITIVE_INFINITY : 1, hangs };
  }
  const roll = (what: number) => lot(seed, ask.id, arm, n, what);
  const lost = roll(7) < netFails;
  const good = !lost && roll(1) < pageChance(world, ask, arm, now);
  const swing = Math.sqrt(-2 * Math.log(roll(2) + 1e-9)) * Math.cos(2 * Math.PI * roll(3));
  let seconds = usual * site.slow * Math.exp(0.45 * swing);
  let sign: number = OK;
  if (!good) {
    const kind = world.classes[classAt(world, ask.site, ask.path, now)]!;
    if (trouble !== null) sign = roll(4) < 0.6 ? BLOCK : SHELL;
    else sign = lost ? NET : shown(js ? kind.browserFails : kind.plainFails, roll(4));
    seconds *= js ? 1.5 : sign === NET ? 2.5 : 0.7;
  }
  let seen = sign;
  if (good && roll(5) < (site.alarmed ? 0.9 : world.falseAlarms)) seen = 3;
  if (!good && sign !== NET && roll(6) < world.missed) seen = OK;
  const full = price(world, ask, arm, now);
  return { good, seen, sign, seconds, cost: good ? full : full * failShare, full };
}

function shown(signs: readonly (readonly [number, number])[], roll: number): number {
  let left = roll;
  for (const [sign, share] of signs) {
    if (left < share) return sign;
    left -= share;
  }
  return signs[0]![0];
}
