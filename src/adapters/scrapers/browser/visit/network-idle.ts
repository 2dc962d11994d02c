import type { CdpSession } from '../cdp/cdp-session.ts';

/** So long nothing is under way: then it is idle. */
const QUIET_MS = 500;
/** What is open longer, such as a long poll, does not count. */
const LONG_MS = 2_000;
const MOST_MS = 10_000;
const ENDLESS = new Set(['WebSocket', 'EventSource']);

/** Watches what a page loads; to be made before it loads anything. */
export class NetworkIdle {
  readonly #open = new Map<string, Open>();
  #changed: (() => void) | null = null;
  #lastEnd = 0;

  constructor(cdp: CdpSession) {
    cdp.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (type !== undefined && ENDLESS.has(type)) return;
      const isData = type === 'XHR' || type === 'Fetch';
      const isScript = type === 'Script';
      this.#open.set(requestId, { url: request.url, isData, isScript, since: performance.now() });
      this.#changed?.();
    });
    const ended = ({ requestId }: { requestId: string }) => {
      if (!this.#open.delete(requestId)) return;
      this.#lastEnd = performance.now();
      this.#changed?.();
    };
    cdp.on('Network.loadingFinished', ended);
    cdp.on('Network.loadingFailed', ended);
  }

  /** Whether scripts are waiting for data, other than by a long poll. */
  get loadsData(): boolean {
    const from = performance.now() - LONG_MS;
    return [...this.#open.values()].some(({ isData, since }) => isData && since > from);
  }

  /** Whether a script is on its way, for however long. */
  get loadsScripts(): boolean {
    return [...this.#open.values()].some(({ isScript }) => isScript);
  }

  /** URLs of all that is under way, for however long. */
  get open(): readonly string[] {
    return [...this.#open.values()].map(({ url }) => url);
  }

  /** Whether scripts are waiting for data that they have asked for since then (`performance.now()`). */
  loadsDataSince(from: number): boolean {
    return [...this.#open.values()].some(({ isData, since }) => isData && since >= from);
  }

  /** Settles when the network is idle: []; or at the latest after 10 s, or with the signal: the URLs still open. */
  wait(signal: AbortSignal): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const until = performance.now() + MOST_MS;
      let timer: NodeJS.Timeout | undefined;
      const end = (open: readonly string[]) => {
        clearTimeout(timer);
        this.#changed = null;
        signal.removeEventListener('abort', look);
        resolve(open);
      };
      const look = () => {
        clearTimeout(timer);
        const now = performance.now();
        const counted = [...this.#open.values()].filter(({ since }) => now - since < LONG_MS);
        if (signal.aborted || now >= until) return end(counted.map(({ url }) => url));
        if (counted.length === 0 && now - this.#lastEnd >= QUIET_MS) return end([]);
        // The next moment at which time alone could change the answer.
        const next =
          counted.length === 0
            ? this.#lastEnd + QUIET_MS
            : Math.min(...counted.map(({ since }) => since + LONG_MS));
        timer = setTimeout(look, Math.max(1, Math.min(next, until) - now));
      };
      this.#changed = look;
      signal.addEventListener('abort', look, { once: true });
      this.#lastEnd = Math.max(this.#lastEnd, performance.now());
      look();
    });
  }
}

interface Open {
  readonly url: string;
  /** What a script asked for. */
  readonly isData: boolean;
  readonly isScript: boolean;
  readonly since: number;
}
