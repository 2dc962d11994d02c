/** A measurement: visit this URL again and again for so many seconds. Sent to a contender over the channel of `fork`. */
export interface Turn {
  readonly url: string;
  /** Texts that each page must contain. */
  readonly needs: readonly string[];
  /** Visits at once. */
  readonly concurrency: number;
  readonly seconds: number;
}

/** What a contender sends back. */
export interface TurnResult {
  /** Milliseconds until the whole page was there, for each successful visit. */
  readonly latencies: readonly number[];
  readonly perSecond: number;
  readonly errors: number;
  readonly firstError: string | null;
}

/** Fetches a page and returns its text. */
export type Visit = (url: string) => Promise<string>;

/** Runs `concurrency` workers that visit the page one time after the other until the time is up. */
export async function runTurn(visit: Visit, turn: Turn): Promise<TurnResult> {
  const latencies: number[] = [];
  let perSecond = 0;
  let errors = 0;
  let firstError: string | null = null;
  const began = performance.now();
  const worker = async () => {
    let done = 0;
    let now = performance.now();
    for (const from = now; now - began < turn.seconds * 1000; ) {
      const error = await visit(turn.url).then((text) => missingIn(text, turn), messageOf);
      const after = performance.now();
      if (error === null) {
        latencies.push(after - now);
        done++;
      } else {
        errors++;
        firstError ??= error;
      }
      now = after;
      // Each worker's own time, because its last visit ends after the turn.
      if (now - began >= turn.seconds * 1000) perSecond += (done * 1000) / (now - from);
    }
  };
  await Promise.all(Array.from({ length: turn.concurrency }, worker));
  return { latencies, perSecond, errors, firstError };
}

/** An error message if the page lacks one of the texts, else null. */
export function missingIn(text: string, { url, needs }: Turn): string | null {
  const missing = needs.find((need) => !text.includes(need));
  return missing === undefined ? null : `${url}: ${missing} is not in ${text.slice(0, 300)}`;
}

export const messageOf = (error: unknown): string => (error as Error)?.message ?? String(error);

/** Called in the process that `startContender` starts: runs each turn that it receives, and ends with its parent. */
export function serveTurns(run: (turn: Turn) => Promise<TurnResult>): void {
  process.on('message', async (turn: Turn) => {
    const result = await run(turn).catch(
      (error): TurnResult => ({ latencies: [], perSecond: 0, errors: 1, firstError: messageOf(error) }),
    );
    process.send!(result);
  });
  process.once('disconnect', () => process.exit());
  process.send!('ready');
}
