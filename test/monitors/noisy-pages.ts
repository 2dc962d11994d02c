/** Makes pages that change at each visit without meaning, for the tests of monitors. */

/** Numbers from a seed (mulberry32), so that a failure can be repeated. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS =
  'river stone market window garden paper silver morning engine harbour letter bridge winter summer doctor village'.split(
    ' ',
  );

const sentence = (random: () => number, words: number): string =>
  Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');

/** Lines that are new at each visit. */
const NOISE: readonly ((random: () => number, visit: number) => string)[] = [
  (_, visit) =>
    `Last updated: ${String(visit % 24).padStart(2, '0')}:${String((visit * 7) % 60).padStart(2, '0')}`,
  (random) => `${Math.floor(random() * 9_000)} people are looking at this`,
  (random) =>
    `Request id ${Math.floor(random() * 2 ** 32).toString(16)}-${Math.floor(random() * 2 ** 32).toString(16)}`,
  (random) => sentence(random, 6),
  (_, visit) => `Published ${visit + 2} minutes ago`,
  (random) => `You saved ${Math.floor(random() * 100)} minutes with offer ${Math.floor(random() * 1_000)}`,
  // The date stays while the page is watched for the first time, and not for long after.
  (_, visit) => `Today is ${dayOf(visit)}, ${clock(visit)}`,
  (_, visit) => dayOf(visit).replace(',', ` ${clock(visit)},`),
  (_, visit) => `Stand: ${germanDay(visit)}, ${clock(visit)} Uhr`,
  (random, visit) => `Page made on ${isoDay(visit)} by server ${hex(random)}`,
  (random) => `Buy now: ${sentence(random, 4)}`,
  (random) => `![Advertisement](/ads/${hex(random)}.png?w=300)`,
  (random) => `[Sponsored: ${sentence(random, 3)}](https://ads.test/click/${hex(random)}?to=${hex(random)})`,
  (random) => `[More offers](/offers?sid=${hex(random)}&v=${Math.floor(random() * 90)})`,
  (random) => {
    const comments = Math.floor(random() * 3);
    return `${comments} ${comments === 1 ? 'comment' : 'comments'} · ${Math.floor(random() * 9_000)} views`;
  },
  (random) => `${Math.floor(random() * 90)},${100 + Math.floor(random() * 900)}`,
  (random) => `${Math.floor(random() * 30)} °C, wind ${Math.floor(random() * 90)} km/h`,
  (random) => `— ${sentence(random, 9)} —`,
  (random) => `Session ${hex(random)}${hex(random)}, node web-${Math.floor(random() * 9)}`,
  (_, visit) => ['Free delivery this week', 'Two for one on all boots', 'New in: gloves'][visit % 3]!,
  // Advertisements of one to three lines.
  (random, visit) => Array.from({ length: 1 + (visit % 3) }, () => sentence(random, 5)).join('\n\n'),
  (_, visit) => `vor ${visit + 2} Stunden von ${visit + 3} Leuten gelesen`,
  (_, visit) => `${visit + 2} 小时前 · ${visit * 31} 次观看`,
];

const hex = (random: () => number): string =>
  Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
const clock = (visit: number): string => `${10 + (visit % 9)}:${String((visit * 7) % 60).padStart(2, '0')}`;
/** The first visits are on one day. */
const dateOf = (visit: number): Date => new Date(Date.UTC(2026, 10, 29 + Math.max(0, visit - 2)));
const isoDay = (visit: number): string => dateOf(visit).toISOString().slice(0, 10);
const inWords = (visit: number, language: string): string =>
  dateOf(visit).toLocaleDateString(language, { dateStyle: 'full', timeZone: 'UTC' });
const dayOf = (visit: number): string => inWords(visit, 'en-US');
const germanDay = (visit: number): string => inWords(visit, 'de-DE');

export interface NoisyPage {
  /** The text at a visit. @param changed lines of the page that differ from the usual ones; null: they are gone */
  text(visit: number, changed?: ReadonlyMap<number, string | null>): string;
  line(n: number): string;
  readonly lines: number;
}

/** A page with headings and paragraphs that stay, and between them some lines that do not. */
export function noisyPage(seed: number): NoisyPage {
  const random = randomOf(seed);
  const lines = Array.from({ length: 20 }, (_, n) => `Paragraph ${n}: ${sentence(random, 12)}.`);
  lines[5] = 'Buy now for € 40';
  lines[9] = 'Session rooms: 7, of which 3 are free';
  lines[13] = 'Last updated by the editors';
  const places = Array.from({ length: 3 }, (_, n) => ({
    at: 1 + Math.floor(random() * 18),
    kind: NOISE[(seed + n * 7) % NOISE.length]!,
  })).filter(({ at }, index, all) => all.findIndex((other) => other.at === at) === index);
  return {
    lines: lines.length,
    line: (n) => lines[n]!,
    text(visit, changed = new Map()) {
      const fresh = randomOf(seed * 1_000 + visit);
      const result: string[] = [];
      for (const [n, line] of lines.entries()) {
        const shown = changed.has(n) ? changed.get(n)! : line;
        if (shown !== null) result.push(shown);
        for (const { at, kind } of places) if (at === n) result.push(kind(fresh, visit));
      }
      return result.join('\n');
    },
  };
}
