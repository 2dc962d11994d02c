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
];

export interface NoisyPage {
  /** The text at a visit. @param changed lines of the page that differ from the usual ones */
  text(visit: number, changed?: ReadonlyMap<number, string>): string;
  readonly lines: number;
}

/** A page with headings and paragraphs that stay, and between them some lines that do not. */
export function noisyPage(seed: number): NoisyPage {
  const random = randomOf(seed);
  const lines = Array.from({ length: 20 }, (_, n) => `Paragraph ${n}: ${sentence(random, 12)}.`);
  const places = Array.from({ length: 3 }, () => ({
    at: 1 + Math.floor(random() * 18),
    kind: NOISE[Math.floor(random() * NOISE.length)]!,
  })).filter(({ at }, index, all) => all.findIndex((other) => other.at === at) === index);
  return {
    lines: lines.length,
    text(visit, changed = new Map()) {
      const fresh = randomOf(seed * 1_000 + visit);
      const result: string[] = [];
      for (const [n, line] of lines.entries()) {
        result.push(changed.get(n) ?? line);
        for (const { at, kind } of places) if (at === n) result.push(kind(fresh, visit));
      }
      return result.join('\n');
    },
  };
}
