import { WARNINGS, type Warning } from '../domain/failure.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { DriftedRule, RuleHistory } from '../router/rule-history.ts';

/**
 * Remembers what the rules of `extract` found on the delivered page, and adds a warning about rules that found something on
 * this site before. Pages that are blocked, cut or errors say nothing about rules.
 */
export function withDriftWarning(
  scrape: Scrape,
  userId: string,
  { rules, now }: { readonly rules: RuleHistory; readonly now: number },
): Scrape {
  const { task, delivered, verdict } = scrape;
  const { extract } = task.options;
  if (extract === null || delivered === null || delivered.rules.length === 0) return scrape;
  const { statusCode, cut } = delivered.page;
  if (verdict?.kind !== 'ok' || cut !== null || statusCode < 200 || statusCode > 299) return scrape;
  const drifted = rules.observe(userId, new URL(task.url).host, extract, delivered.rules, now);
  return drifted.length === 0 ? scrape : { ...scrape, warnings: [...scrape.warnings, driftWarning(drifted)] };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();

function driftWarning(drifted: readonly DriftedRule[]): Warning {
  return {
    code: 'extract.drift',
    message: WARNINGS['extract.drift'],
    pointer: '/scraper_options/extract',
    details: {
      since: isoTime(Math.min(...drifted.map(({ since }) => since))),
      rules: drifted.map(({ pointer, since, lastFound }) => ({
        pointer,
        since: isoTime(since),
        last_found: isoTime(lastFound),
      })),
    },
  };
}
