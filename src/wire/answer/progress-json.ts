import { Type } from 'typebox';
import { closed, orNull } from '../../domain/json-schema.ts';
import {
  type CurrentAttempt,
  PROGRESS_PHASES,
  type ProgressStep,
  WAITS,
  type WaitKind,
} from '../../domain/progress.ts';
import type { Written } from './json-members.ts';

const waitTexts = Object.entries(WAITS).map(([kind, text]) => `\`${kind}\`: ${text}`);

export const ScrapeProgress = closed(
  {
    phase: Type.Enum([...PROGRESS_PHASES], {
      description:
        '`fetching`: the page is fetched; in a browser it also loads. `reading`: the response is judged, and formats and data are read from it.',
    }),
    waiting_for: orNull(Type.Enum(Object.keys(WAITS) as WaitKind[]), {
      description: `What a scrape that is \`waiting\` waits for. ${waitTexts.join('; ')}. null in other phases.`,
    }),
    attempt: orNull(
      closed({
        n: Type.Integer({ minimum: 1 }),
        of: Type.Integer({ minimum: 1, description: 'The most attempts that there may be.' }),
        scraper: Type.String(),
        proxy_type: Type.String(),
      }),
      { description: 'The attempt that runs, or that begins after the wait. null: not known yet.' },
    ),
    action: orNull(
      closed({
        n: Type.Integer({
          minimum: 1,
          description:
            'Its number in `page_actions`, from 1. Actions in a branch of an `if` have the number of the `if`.',
        }),
        of: Type.Integer({ minimum: 1, description: 'Number of `page_actions`.' }),
        type: Type.String(),
      }),
      { description: 'The page action that runs in the phase `action`. null in other phases.' },
    ),
    elapsed_ms: Type.Integer({ minimum: 0, description: 'Time since the request had been received.' }),
  },
  {
    title: 'ScrapeProgress',
    description: 'What a running scrape does now: `data` of an event `progress`.',
  },
);

export function progressJson(
  step: ProgressStep,
  attempt: CurrentAttempt | null,
  elapsedMs: number,
): Written<typeof ScrapeProgress> {
  return {
    phase: step.phase,
    waiting_for: step.phase === 'waiting' ? step.waitingFor : null,
    attempt:
      attempt === null
        ? null
        : { n: attempt.n, of: attempt.of, scraper: attempt.scraper, proxy_type: attempt.proxyType },
    action: step.phase === 'action' ? { n: step.n, of: step.of, type: step.type } : null,
    elapsed_ms: Math.round(elapsedMs),
  };
}
