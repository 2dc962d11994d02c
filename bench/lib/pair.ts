import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds } from './proc.ts';
import { type Served, type SluiceServed, startBeside, startSluice } from './services.ts';
import { type Measured, wrk } from './wrk.ts';

/** The bare relay, Sluice asked for `http` by name, and Sluice that chooses. */
export type Side = 'relay' | 'http' | 'auto';

/** Sluice, the bare relay and the target of both. */
export interface Pair extends AsyncDisposable {
  readonly sluice: SluiceServed;
  /** One measurement of one of them. */
  load(side: Side, kb: number, connections: number, seconds: number): Promise<Measured & { cpuMs: number }>;
}

/** Starts all three, and makes sure that all give the same page. */
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
  for (const kb of [1, 30, 200]) await compare(kb);
  return {
    sluice,
    async load(side, kb, connections, seconds) {
      const { base, path, authorization, pid } = sides[side];
      // Requests that wrk left behind when it ended are still to be cancelled.
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

  async function compare(kb: number): Promise<void> {
    const page = await (await fetch(`${target.base}/${kb}`)).text();
    for (const name of ['relay', 'http', 'auto'] as const) {
      const side = sides[name];
      const answer = await fetch(side.base + side.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: side.authorization },
        body: bodyFor(name, kb),
      });
      const { content } = (await answer.json()) as { content?: unknown };
      if (answer.status !== 200 || content !== page || page.length < kb * 900)
        throw new Error(`${name} did not give the ${kb} KB page: status ${answer.status}`);
    }
  }
}
