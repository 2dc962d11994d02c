import type { StatsWindow } from '../../api/stats.ts';

/** What each window is called: on its switch, and in a sentence. */
export const WINDOWS: readonly {
  readonly value: StatsWindow;
  readonly label: string;
  readonly words: string;
}[] = [
  { value: '1h', label: '1 h', words: 'the last hour' },
  { value: '24h', label: '24 h', words: 'the last 24 hours' },
  { value: '7d', label: '7 d', words: 'the last 7 days' },
];

export const wordsOfWindow = (window: StatsWindow): string =>
  WINDOWS.find(({ value }) => value === window)!.words;
