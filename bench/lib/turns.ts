/** What the processes that visit pages are asked, and answer; over the channel of `fork`. */
export interface Turn {
  readonly url: string;
  /** Pieces of text that each page must hold. */
  readonly needs: readonly string[];
  readonly concurrency: number;
  readonly seconds: number;
}

export interface Turned {
  /** Milliseconds from the wish to the whole text, in one entry for each page. */
  readonly latencies: readonly number[];
  readonly perSecond: number;
  readonly errors: number;
  readonly firstError: string | null;
}

/** Gives the text of a page. */
export type Visit = (url: string) => Promise<string>;

/** As many workers as asked for, each of them visiting one page after the other until the time is up. */
export async function takeTurn(visit: Visit, turn: Turn): Promise<Turned> {
  const latencies: number[] = [];
  let perSecond = 0;
  let errors = 0;
  let firstError: string | null = null;
  const began = performance.now();
  const worker = async () => {
    let done = 0;
    let now = performance.now();
    for (const from = now; now - began < turn.seconds * 1000; ) {
      const trouble = await visit(turn.url).then((text) => missingIn(text, turn), messageOf);
      const after = performance.now();
      if (trouble === null) {
        latencies.push(after - now);
        done++;
      } else {
        errors++;
        firstError ??= trouble;
      }
      now = after;
      if (now - began >= turn.seconds * 1000) perSecond += (done * 1000) / (now - from);
    }
  };
  await Promise.all(Array.from({ length: turn.concurrency }, worker));
  return { latencies, perSecond, errors, firstError };
}

/** Why a text is not the page; null when it is. */
export function missingIn(text: string, { url, needs }: Turn): string | null {
  const missing = needs.find((need) => !text.includes(need));
  return missing === undefined ? null : `${url}: ${missing} is not in ${text.slice(0, 300)}`;
}

export const messageOf = (error: unknown): string => (error as Error)?.message ?? String(error);

/** The other end of `startContender`: answers each turn, and ends with the process that asks. */
export function serveTurns(take: (turn: Turn) => Promise<Turned>): void {
  process.on('message', async (turn: Turn) => {
    const turned = await take(turn).catch(
      (error): Turned => ({ latencies: [], perSecond: 0, errors: 1, firstError: messageOf(error) }),
    );
    process.send!(turned);
  });
  process.once('disconnect', () => process.exit());
  process.send!('ready');
}
