import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds } from './proc.ts';
import { type Served, type SluiceServed, startBeside, startSluice } from './services.ts';
import { type Measured, wrk } from './wrk.ts';

/** What is measured: the bare relay, Sluice with `scraper: http`, and Sluice with `scraper: auto`. */
export type Side = 'relay' | 'http' | 'auto';

/** Sluice and the bare relay, running, and a target for both. */
export interface Pair extends AsyncDisposable {
  readonly sluice: SluiceServed;
  /** Measures one side with pages of `kb` KB. `cpuMs`: processor time of its service for each request. */
  load(side: Side, kb: number, connections: number, seconds: number): Promise<Measured & { cpuMs: number }>;
}

/** Starts relay, Sluice and target, and checks that all sides return the same pages. */
export async function startPair(args: { readonly utf8: boolean }): Promise<Pair> {
  const target = await startBeside('target.ts', args.utf8 ? ['--utf8'] : []);
  const relay = await startBeside('relay.ts');
  const sluice = await startSluice();
  const sides: Record<Side, Served & { path: string; authorization: string }> = {
    relay: { ...relay, path: '/', authorization: 'none' },
    http: { ...sluice, path: '/api/v1/scrape/' },
    auto: { ...sluice, path: '/api/v1/scrape/' },
  };
  const bodyFor = (side: Side, kb: number) =>
    JSON.stringify({ url: `${target.base}/${kb}`, ...(side === 'http' && { scraper: 'http' }) });
  for (const kb of [1, 30, 200]) await checkPage(kb);
  return {
    sluice,
    async load(side, kb, connections, seconds) {
      const { base, path, authorization, pid } = sides[side];
      // Sluice is still cancelling the requests that wrk aborted at its end.
      await pause(200);
      const before = cpuSeconds(pid);
      const measured = await wrk({
        url: base + path,
        authorization,
        body: bodyFor(side, kb),
        connections,
        seconds,
      });
      return { ...measured, cpuMs: ((cpuSeconds(pid) - before) * 1000) / measured.requests };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([sluice.stop(), relay.stop(), target.stop()]);
    },
  };

  async function checkPage(kb: number): Promise<void> {
    const page = await (await fetch(`${target.base}/${kb}`)).text();
    for (const name of ['relay', 'http', 'auto'] as const) {
      const side = sides[name];
      const response = await fetch(side.base + side.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: side.authorization },
        body: bodyFor(name, kb),
      });
      const { content } = (await response.json()) as { content?: unknown };
      if (response.status !== 200 || content !== page || page.length < kb * 900)
        throw new Error(`${name} did not return the ${kb} KB page: status ${response.status}`);
    }
  }
}
