import { type DestinationStream, type Logger, pino } from 'pino';
import { openLineOutput } from './line-output.ts';
import { SERIALIZERS } from './redact.ts';
import { textLines } from './text-lines.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
export type { Logger } from 'pino';

export interface Logging {
  readonly logger: Logger;
  /**
   * A line at info whose members are JSON text already (`"a":1,"b":"x"`), nothing in them secret: for what is told of
   * every scrape.
   */
  infoLine(members: string, msg: string): void;
  /** Lines thrown away because the reader of the log is too slow, or the medium failed. */
  dropped(): number;
  /** Writes what is waiting, for at most `ms`. The destination stays open: the process may still say something. */
  flush(ms: number): Promise<void>;
}

/**
 * One line an event: JSON, or text for people. Writing never waits: lines are gathered, and a thread of the pool writes them to the
 * descriptor. With a `destination` (tests) each line goes there as it is made.
 */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
  /** Descriptor to write to; default 1, stdout. */
  readonly fd?: number;
  /** Default: JSON. */
  readonly format?: 'json' | 'text';
}): Logging {
  const output = options.destination === undefined ? openLineOutput(options.fd ?? 1) : null;
  const given: DestinationStream = output ?? options.destination!;
  const destination = options.format === 'text' ? textLines(given) : given;
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: timeMember,
      formatters: { level: (label) => ({ level: label }) },
      serializers: SERIALIZERS as Record<string, (value: unknown) => unknown>,
    },
    destination,
  );
  return {
    logger,
    infoLine(members, msg) {
      if (logger.isLevelEnabled('info'))
        destination.write(`{"level":"info"${timeMember()},${members},"msg":"${msg}"}\n`);
    },
    dropped: () => output?.dropped() ?? 0,
    flush: (ms) => output?.flush(ms) ?? Promise.resolve(),
  };
}

let lastMs = 0;
let lastText = '';

/** RFC 3339, made once a millisecond. */
function timeMember(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastText;
}
