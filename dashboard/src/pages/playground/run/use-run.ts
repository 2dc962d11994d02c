import { useEffect, useRef, useState } from 'react';
import { type RunResult, type ScrapeProgress, useRunScrape } from '../../../api/playground.ts';
import { isObject, type JsonObject } from '../model/json.ts';

export type RunState =
  | { readonly phase: 'idle' }
  | {
      readonly phase: 'running';
      readonly startedAt: number;
      readonly dry: boolean;
      /** null: nothing is known yet. */
      readonly progress: ScrapeProgress | null;
    }
  | { readonly phase: 'cancelled' }
  | { readonly phase: 'failed'; readonly error: unknown; readonly request: JsonObject }
  | {
      readonly phase: 'done';
      readonly result: RunResult;
      /** The request that was sent. */
      readonly request: JsonObject;
    };

export const IDLE: RunState = { phase: 'idle' };

interface Run {
  readonly state: RunState;
  /** @param text the request body; for a dry run, `request` is sent instead. @returns null: there is no result */
  start(text: string, request: JsonObject, dry: boolean): Promise<RunResult | null>;
  cancel(): void;
  forget(): void;
}

export function useRun(): Run {
  const { mutateAsync } = useRunScrape();
  const [state, setState] = useState<RunState>(IDLE);
  const running = useRef<AbortController | null>(null);
  // When the page is left, nobody would see the result.
  useEffect(() => () => running.current?.abort(), []);
  return {
    state,
    async start(text, request, dry) {
      if (running.current !== null) return null;
      const controller = new AbortController();
      running.current = controller;
      const startedAt = performance.now();
      setState({ phase: 'running', startedAt, dry, progress: null });
      try {
        const body = dry ? JSON.stringify(dryRunOf(request)) : text;
        const result = await mutateAsync({
          text: body,
          signal: controller.signal,
          onProgress: (progress) => setState({ phase: 'running', startedAt, dry, progress }),
        });
        setState({ phase: 'done', result, request });
        return result;
      } catch (error) {
        setState(controller.signal.aborted ? { phase: 'cancelled' } : { phase: 'failed', error, request });
        return null;
      } finally {
        running.current = null;
      }
    },
    // Closes the connection. The service then ends the scrape.
    cancel: () => running.current?.abort(),
    forget: () => setState(IDLE),
  };
}

const dryRunOf = (request: JsonObject): JsonObject => ({
  ...request,
  router: { ...(isObject(request.router) ? request.router : {}), dry_run: true },
});
