import { DEFENSES } from './defenses.ts';
import { OBSERVATIONS, OK } from './observations.ts';
import type { Population } from './population.ts';

const S = OBSERVATIONS.length;
const K = DEFENSES.length;

/** Repeated looks by one way are no independent evidence of what the target demands: they count at most so much. */
const MAX_INDEPENDENT_LOOKS = 3;
/** So many observations does the belief weigh against what the target itself showed of a way. */
const BELIEF_WEIGHT = 6;
const TOO_OLD = 0.02;
/** At so many targets a way that was refused again and again is refused always: what they look at does not change. */
const CONSTANT_SHARE = 0.5;
/** How often such a target lets it through all the same. */
const EXCEPTION = 0.05;
const MIN_SUCCESS = 0.01;

/** Decayed counts of what a target showed, at `way × signs + sign`. */
export type Evidence = Float64Array;

export const emptyEvidence = (ways: number): Evidence => new Float64Array(ways * S);

/** P(demand | evidence), written into `into`: Bayes over the tables of the population. */
export function posterior(
  population: Population,
  evidence: Evidence,
  into = new Float64Array(K),
): Float64Array {
  const { logChance, logShare } = population;
  const A = population.ways.length;
  into.set(logShare);
  for (let way = 0; way < A; way++) {
    const at = way * S;
    let total = 0;
    for (let s = at; s < at + S; s++) total += evidence[s]!;
    if (total < TOO_OLD) continue;
    const scale = Math.min(1, MAX_INDEPENDENT_LOOKS / total);
    for (let sign = 0; sign < S; sign++) {
      const weight = evidence[at + sign]! * scale;
      if (weight === 0) continue;
      for (let k = 0; k < K; k++) into[k]! += weight * logChance[(k * A + way) * S + sign]!;
    }
  }
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < K; k++) most = Math.max(most, into[k]!);
  let sum = 0;
  for (let k = 0; k < K; k++) {
    into[k] = Math.exp(into[k]! - most);
    sum += into[k]!;
  }
  for (let k = 0; k < K; k++) into[k]! /= sum;
  return into;
}

/** P(page) by a way: what targets of the believed kind give, corrected by what this one has shown. */
export function successProbability(
  population: Population,
  belief: Float64Array,
  evidence: Evidence,
  way: number,
): number {
  let p = 0;
  for (let k = 0; k < K; k++) p += belief[k]! * population.success(k, way);
  let total = 0;
  for (let s = way * S; s < way * S + S; s++) total += evidence[s]!;
  const ok = evidence[way * S + OK]!;
  const now = (BELIEF_WEIGHT * p + ok) / (BELIEF_WEIGHT + total);
  const never = neverWorks(p, ok, total - ok);
  return never * MIN_SUCCESS + (1 - never) * now;
}

/** P(a way does not work at a target at all), which has given it `ok` pages and refused it `failed` times. */
function neverWorks(p: number, ok: number, failed: number): number {
  // Once is chance.
  if (failed <= 1) return 0;
  const never = CONSTANT_SHARE * Math.min(1, failed - 1) * (1 - p) * EXCEPTION ** ok;
  const now = (1 - CONSTANT_SHARE) * p ** ok * (1 - p) ** failed;
  return never / (never + now);
}
