const WORD = /[\p{L}\p{N}_]+/gu;

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const sum = (counts: Map<string, number>) => counts.values().reduce((total, count) => total + count, 0);

export interface WordScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * How far the words of two texts agree, in lower case, as multisets: the measure of the Web Content Extraction Benchmark (its
 * `evaluate.py`). If one of the texts is empty, all is 0, and if both are, 1.
 */
export function wordScore(found: string, expected: string): WordScore {
  const foundCounts = wordCounts(found);
  const expectedCounts = wordCounts(expected);
  const foundTotal = sum(foundCounts);
  const expectedTotal = sum(expectedCounts);
  if (foundTotal === 0 && expectedTotal === 0) return { precision: 1, recall: 1, f1: 1 };
  let common = 0;
  for (const [word, count] of foundCounts) common += Math.min(count, expectedCounts.get(word) ?? 0);
  if (common === 0) return { precision: 0, recall: 0, f1: 0 };
  const precision = common / foundTotal;
  const recall = common / expectedTotal;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const folded = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Counts over all pages: wanted snippets that were found or missed, and unwanted ones that were found. */
export class SnippetScore {
  found = 0;
  missed = 0;
  unwanted = 0;

  add(text: string, wanted: readonly string[], unwanted: readonly string[]): void {
    const whole = folded(text);
    for (const snippet of wanted)
      if (whole.includes(folded(snippet))) this.found++;
      else this.missed++;
    for (const snippet of unwanted) if (whole.includes(folded(snippet))) this.unwanted++;
  }

  get precision(): number {
    return this.found === 0 ? 0 : this.found / (this.found + this.unwanted);
  }

  get recall(): number {
    return this.found === 0 ? 0 : this.found / (this.found + this.missed);
  }

  get f1(): number {
    const { precision, recall } = this;
    return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  }
}
