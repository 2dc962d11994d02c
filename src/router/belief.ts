import { DEFENSES } from './defenses.ts';
import { OBSERVATIONS, OK } from './observations.ts';
import type { Population } from './population.ts';

// P(x) is the probability of x; P(page) is that of an attempt that returns the page.

const OBSERVATION_COUNT = OBSERVATIONS.length;
const DEFENSE_COUNT = DEFENSES.length;

/** Repeated attempts by one route are not independent evidence. Together they count at most as so many attempts. */
const MAX_INDEPENDENT_ATTEMPTS = 3;
/** The belief about the defense counts as much as so many observations of the route at the site itself. */
const BELIEF_WEIGHT = 6;
/** Evidence with less weight is ignored. */
const FORGOTTEN = 0.02;
/** Of the sites that have refused a route repeatedly, the share that always refuses it. */
const ALWAYS_REFUSING_SHARE = 0.5;
/** P(page) by a route at a site that always refuses it: sites make exceptions. */
const EXCEPTION = 0.05;
/** P(page) that is assumed of a route that never works at the site. */
const MIN_SUCCESS = 0.01;

/** Decayed counts of observations at a site, at `route × OBSERVATION_COUNT + observation`. */
export type Evidence = Float64Array;

export const emptyEvidence = (routeCount: number): Evidence =>
  new Float64Array(routeCount * OBSERVATION_COUNT);

/** The same array with nothing counted in it, if it has the size; else a new one. */
export const cleared = (evidence: Evidence, routeCount: number): Evidence =>
  evidence.length === routeCount * OBSERVATION_COUNT ? evidence.fill(0) : emptyEvidence(routeCount);

/** How many attempts by a route the evidence contains. */
export function attemptsBy(route: number, evidence: Evidence): number {
  const row = route * OBSERVATION_COUNT;
  let total = 0;
  for (let cell = row; cell < row + OBSERVATION_COUNT; cell++) total += evidence[cell]!;
  return total;
}

/** P(defense | evidence): Bayes over the tables of the population. */
export function posterior(population: Population, evidence: Evidence): Float64Array {
  const { logChance, logShare } = population;
  const routeCount = population.routes.length;
  const belief = new Float64Array(logShare);
  for (let route = 0; route < routeCount; route++) {
    const total = attemptsBy(route, evidence);
    if (total < FORGOTTEN) continue;
    const scale = Math.min(1, MAX_INDEPENDENT_ATTEMPTS / total);
    for (let observation = 0; observation < OBSERVATION_COUNT; observation++) {
      const weight = evidence[route * OBSERVATION_COUNT + observation]! * scale;
      if (weight === 0) continue;
      for (let defense = 0; defense < DEFENSE_COUNT; defense++)
        belief[defense]! += weight * logChance[population.row(defense, route) + observation]!;
    }
  }
  return normalize(belief);
}

/** Turns logarithms into probabilities that sum to 1, in place. */
function normalize(belief: Float64Array): Float64Array {
  let largest = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let defense = 0; defense < belief.length; defense++) largest = Math.max(largest, belief[defense]!);
  for (let defense = 0; defense < belief.length; defense++) {
    belief[defense] = Math.exp(belief[defense]! - largest);
    sum += belief[defense]!;
  }
  for (let defense = 0; defense < belief.length; defense++) belief[defense]! /= sum;
  return belief;
}

/** P(page) by a route: P(page) at sites with the believed defenses, corrected by the observations at this site. */
export function successProbability(
  population: Population,
  belief: Float64Array,
  evidence: Evidence,
  route: number,
): number {
  let expected = 0;
  for (let defense = 0; defense < DEFENSE_COUNT; defense++)
    expected += belief[defense]! * population.success(defense, route);
  const total = attemptsBy(route, evidence);
  const pages = evidence[route * OBSERVATION_COUNT + OK]!;
  const successIfItWorks = (BELIEF_WEIGHT * expected + pages) / (BELIEF_WEIGHT + total);
  const never = neverWorks(expected, pages, total - pages);
  return never * MIN_SUCCESS + (1 - never) * successIfItWorks;
}

/** P(a route never works at a site), after it has returned `pages` pages and failed `failed` times. */
function neverWorks(expected: number, pages: number, failed: number): number {
  // Compares two explanations of the failures (Bayes): the site always refuses this route, or each one was chance.
  // In both, the first failure was chance: P = 1 - expected. So a single failure never speaks for "always".
  if (failed <= 1) return 0;
  // `failed` is a decayed count, not a whole number: between 1 and 2 this explanation gains weight gradually.
  const weight = ALWAYS_REFUSING_SHARE * Math.min(1, failed - 1);
  const never = weight * (1 - expected) * EXCEPTION ** pages;
  const sometimes = (1 - ALWAYS_REFUSING_SHARE) * expected ** pages * (1 - expected) ** failed;
  return never / (never + sometimes);
}
