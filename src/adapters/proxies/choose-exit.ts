import type { Placed } from './places.ts';

/** Why none of them can be taken now. */
export type None = 'cooling' | 'full';

/**
 * The healthy exit with the least under way, of those the least used; the first of equals. Exits to avoid are taken when
 * there is no other.
 */
export function chooseExit(
  places: readonly Placed[],
  now: number,
  avoid: (place: Placed) => boolean,
): Placed | None {
  let best: Placed | null = null;
  let avoided: Placed | null = null;
  let full = false;
  for (const place of places) {
    const { exit, pool } = place;
    if (!exit.health.usable(now)) continue;
    if (pool.concurrency !== null && exit.inFlight >= pool.concurrency) full = true;
    else if (avoid(place)) avoided = better(place, avoided);
    else best = better(place, best);
  }
  return best ?? avoided ?? (full ? 'full' : 'cooling');
}

function better(one: Placed, other: Placed | null): Placed {
  if (other === null) return one;
  const [a, b] = [one.exit, other.exit];
  if (a.inFlight !== b.inFlight) return a.inFlight < b.inFlight ? one : other;
  return a.uses < b.uses ? one : other;
}

/** One that was away has missed its turns: they are not made up for. */
export function catchUp(chosen: Placed, places: readonly Placed[], now: number): void {
  let least = Number.POSITIVE_INFINITY;
  for (const { exit } of places)
    if (exit !== chosen.exit && exit.health.state(now) === 'healthy') least = Math.min(least, exit.uses);
  if (Number.isFinite(least) && chosen.exit.uses < least - 1) chosen.exit.uses = least;
}
