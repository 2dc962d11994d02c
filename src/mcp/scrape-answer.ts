import { type ApiEntry, errorResult, type ToolResult } from './tool-result.ts';

/** The members of a scrape answer that tools use (contract §4). Answers of refused requests have no `router`. */
export interface ScrapeAnswer {
  readonly id: string | null;
  readonly status_code: number | null;
  readonly final_url: string | null;
  readonly screenshot_url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ApiEntry[];
  readonly scraper_data: Readonly<Record<string, unknown>>;
  readonly router?: {
    readonly outcome: string;
    readonly scraper: string | null;
    readonly proxy_type: string | null;
    readonly direct?: boolean | null;
    readonly request_cost: number | null;
    readonly cost_unit?: string;
    readonly warnings: readonly ApiEntry[];
    readonly verdict?: { readonly kind: string } | null;
    readonly candidates?: readonly Readonly<Record<string, unknown>>[];
    readonly attempts?: readonly unknown[];
    readonly cache?: { readonly hit: boolean; readonly age_ms: number | null };
    readonly started_at?: string;
  };
}

/** The facts about a scrape that every result has. */
export function factsOf({ id, status_code, final_url, headers, router, errors }: ScrapeAnswer) {
  return {
    scrape_id: id,
    outcome: router?.outcome ?? 'failed',
    status: status_code,
    final_url,
    content_type: headers['content-type'] ?? null,
    verdict: router?.verdict?.kind ?? null,
    scraper: router?.scraper ?? null,
    proxy_type: router?.proxy_type ?? null,
    direct: router?.direct ?? null,
    attempts: router?.attempts?.length ?? null,
    cost: router?.request_cost ?? null,
    cost_unit: router?.cost_unit ?? null,
    fetched_at: router?.started_at ?? null,
    from_cache: router?.cache?.hit ?? false,
    errors: errors.map(({ code, message }) => ({ code, message })),
    // `direct` says it already, in each result.
    warnings: (router?.warnings ?? [])
      .filter(({ code }) => code !== 'proxy.direct')
      .map(({ code, message }) => ({ code, message })),
  };
}

/** Outcomes whose page is not what the caller asked for: its text is not given. */
const WITHOUT_PAGE: readonly string[] = ['failed', 'blocked', 'unaccepted'];

/** An error result with the facts about the scrape. */
export function scrapeError(answer: ScrapeAnswer, errors: readonly ApiEntry[]): ToolResult {
  const { errors: _, ...facts } = factsOf(answer);
  return errorResult(errors, facts);
}

/** The error result of a scrape that got no page, a bot wall, or not the page that the caller wants; null: it got the page. */
export const missedPage = (answer: ScrapeAnswer): ToolResult | null =>
  WITHOUT_PAGE.includes(answer.router?.outcome ?? 'failed') ? scrapeError(answer, answer.errors) : null;
