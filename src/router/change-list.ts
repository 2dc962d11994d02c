import type { ExperienceChange } from './experience.ts';
import { OBSERVATIONS } from './observations.ts';
import { ROUTES, type Route } from './routes.ts';
import { parsePin, serializePin, TABLES_VERSION } from './site-memory.ts';

/** Each change is a list that begins with a letter for its kind. Routes of vendors are written by name. */
type SerializedChange =
  | readonly [
      'a',
      site: string,
      pattern: string,
      at: number,
      route: number | string,
      observation: number,
      effort: number | null,
    ]
  | readonly ['e', site: string, pattern: string, at: number, route: number | string, units: number]
  | readonly ['v', site: string, pattern: string, at: number, route: number | string]
  | readonly ['f', site: string]
  | readonly ['p', site: string, step: string | null];

/** Changes of the experience as text, for other replicas. @param routes those of the experience */
export function serializeChanges(
  changes: readonly ExperienceChange[],
  routes: readonly Route[] = ROUTES,
): string {
  const list = changes.map((change) => serializeChange(change, routes));
  return JSON.stringify({ tables: TABLES_VERSION, changes: list });
}

function serializeChange(change: ExperienceChange, routes: readonly Route[]): SerializedChange {
  const written = (route: number) => (route < ROUTES.length ? route : routes[route]!.name);
  switch (change.kind) {
    case 'attempt': {
      const { key, at, shown, effort } = change;
      return ['a', key.site, key.pattern, at, written(shown.route), shown.observation, effort];
    }
    case 'effort_exceeded':
      return ['e', change.key.site, change.key.pattern, change.at, written(change.route), change.units];
    case 'vendor_failure':
      return ['v', change.key.site, change.key.pattern, change.at, written(change.route)];
    case 'forget':
      return ['f', change.site];
    case 'pin':
      return ['p', change.site, change.step === null ? null : serializePin(change.step)];
  }
}

/** Parses the result of `serializeChanges`. Changes by routes that are not known here are left out. */
export function parseChanges(text: string, routes: readonly Route[] = ROUTES): readonly ExperienceChange[] {
  const { tables, changes } = JSON.parse(text) as { tables: string; changes: readonly SerializedChange[] };
  return changes.flatMap((change) => parseChange(change, tables === TABLES_VERSION, routes) ?? []);
}

function parseChange(
  change: SerializedChange,
  sameTables: boolean,
  routes: readonly Route[],
): ExperienceChange | null {
  const [kind, site] = change;
  if (kind === 'f') return { kind: 'forget', site };
  if (kind === 'p') {
    const step = change[2] === null ? null : parsePin(change[2]);
    return change[2] !== null && step === null ? null : { kind: 'pin', site, step };
  }
  const [, , pattern, at, written] = change;
  const route = typeof written === 'number' ? written : routes.findIndex(({ name }) => name === written);
  if (!sameTables || routes[route] === undefined) return null;
  const key = { site, pattern };
  if (kind === 'v') return { kind: 'vendor_failure', key, at, route };
  if (kind === 'e') return { kind: 'effort_exceeded', key, at, route, units: change[5] };
  const [, , , , , observation, effort] = change;
  if (OBSERVATIONS[observation] === undefined) return null;
  return { kind: 'attempt', key, at, shown: { route, observation }, effort };
}
