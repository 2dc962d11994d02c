export const ROBOTS_MODES = ['ignore', 'report', 'respect'] as const;
export type RobotsMode = (typeof ROBOTS_MODES)[number];

/** What robots.txt said to a scrape that asked it. */
export interface RobotsTold {
  readonly mode: Exclude<RobotsMode, 'ignore'>;
  /** Of the file. */
  readonly url: string;
  /** As whom it was read. */
  readonly agent: string;
  /** null: it could not be read. */
  readonly allowed: boolean | null;
  /** The line that decided; null: none did. */
  readonly rule: string | null;
  readonly statusCode: number | null;
}
