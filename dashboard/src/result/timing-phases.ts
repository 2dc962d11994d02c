import type { RouterShape } from './scrape-shape.ts';

type Timing = NonNullable<RouterShape['timing']>;

interface Phase {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly ms: number;
}

const PHASES: readonly (readonly [name: keyof Timing, label: string, hint: string])[] = [
  ['queue', 'Waiting for a slot', 'From the request to the begin of the first attempt'],
  ['dns', 'DNS', 'Until the name of the host had an address'],
  ['connect', 'Connect', 'Until the TCP connection stood'],
  ['tls', 'TLS', 'Until the connection was encrypted'],
  ['ttfb', 'Waiting for the answer', 'From the request to the first byte of the answer'],
  ['download', 'Download', 'From the first byte of the answer to the last'],
  ['load', 'Load', 'Until the browser had loaded the page'],
  ['wait', 'Waits', 'Waits that the request asked for'],
  ['actions', 'Actions', 'The page actions that the request asked for, one after the other'],
];

/** The phases that are known, in their order; what the total has beyond them is the last one. */
export function phasesOf(timing: Timing): readonly Phase[] {
  const phases: Phase[] = [];
  let known = 0;
  for (const [name, label, hint] of PHASES) {
    const ms = timing[name];
    if (ms === null) continue;
    known += ms;
    phases.push({ name, label, hint, ms });
  }
  const rest = (timing.total ?? 0) - known;
  if (rest > 0) {
    const hint =
      'Earlier attempts and redirects, pauses between them, reading the page, its screenshot, storing the record';
    phases.push({ name: 'other', label: 'Other', hint, ms: rest });
  }
  return phases;
}
