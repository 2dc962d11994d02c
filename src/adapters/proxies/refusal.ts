import { type Failure, type FailureCode, failure } from '../../domain/failure.ts';
import type { ProxyType } from '../../domain/job.ts';
import type { Pools } from '../../domain/pools.ts';
import type { ProxyAsk } from '../../domain/proxy-ask.ts';
import { type Placed, serves, servesCountry } from './places.ts';

export interface Exits {
  readonly places: readonly Placed[];
  readonly pools: Pools;
  readonly allowDirect: boolean;
}

/** Why this can never be had here (422); null: it can. What is out of order or busy now is no reason. */
export function refusalOf(type: ProxyType, proxy: ProxyAsk, exits: Exits): Failure | null {
  const { places, pools, allowDirect } = exits;
  if (proxy.bypass.length > 0 && !allowDirect)
    return refused('proxy.forbidden', 'The operator does not allow connections without a proxy.', 'bypass');
  if (type === 'custom') return null;
  if (type === 'none')
    return pools.allowNone && allowDirect
      ? null
      : refused('proxy.forbidden', 'The operator does not allow the proxy type "none" here.');
  if (proxy.pool !== null) {
    const named = pools.pools.find(({ name }) => name === proxy.pool);
    if (named === undefined)
      return refused('proxy.pool_unconfigured', 'There is no pool of this name.', 'pool');
    if (named.type !== type)
      return refused(
        'proxy.pool_unconfigured',
        `The pool is of the type "${named.type}", not "${type}".`,
        'pool',
      );
  }
  const ofType = places.filter(
    ({ pool }) => pool.type === type && (proxy.pool === null || pool.name === proxy.pool),
  );
  if (ofType.length === 0 && (type !== 'datacenter' || !allowDirect))
    return refused('proxy.pool_unconfigured', `No pool of the proxy type "${type}" is configured.`);
  return placeRefusal(type, proxy, ofType);
}

function placeRefusal(type: ProxyType, proxy: ProxyAsk, ofType: readonly Placed[]): Failure | null {
  const { country, region, city } = proxy;
  if (country === null && region === null && city === null) return null;
  if (ofType.some((place) => serves(place, proxy))) return null;
  const there = ofType.filter((place) => servesCountry(place, country));
  const what = there.length === 0 && country !== null ? 'country' : region !== null ? 'region' : 'city';
  return refused(
    'proxy.country_unavailable',
    `No pool of the proxy type "${type}" serves this ${what}.`,
    what,
  );
}

function refused(code: FailureCode, message: string, member?: string): Failure {
  return failure(code, message, { pointer: member === undefined ? '/proxy' : `/proxy/${member}` });
}
