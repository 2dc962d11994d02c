/** Types of the JSON of the API, for tests. That responses really have them is checked against docs/openapi.json. */
export interface ErrorEntry {
  readonly code: string;
  readonly message: string;
  readonly level: 'error' | 'warning';
  readonly source: string;
  readonly retryable: boolean;
  readonly attempt?: number;
  readonly pointer?: string;
  readonly details?: Record<string, unknown>;
}

export interface AttemptEntry {
  readonly reused: readonly string[];
  readonly country: string | null;
  readonly n: number;
  readonly scraper: string;
  readonly proxy_type: string;
  readonly outcome: string;
  readonly verdict: { readonly kind: string; readonly signals: string[] } | string | null;
  readonly reason: string;
  readonly status_code: number | null;
  readonly error_code: string | null;
  readonly duration_ms: number;
  readonly bytes_out: number;
  readonly bytes_in: number;
  readonly cost: number | null;
}

export interface CandidateEntry {
  readonly scraper: string;
  readonly proxy_type: string;
  readonly est_cost: number | null;
  readonly est_success: number | null;
  readonly est_ms: number | null;
  readonly est_wait_ms?: number;
  readonly selected: boolean;
  readonly excluded_by: string | null;
}

export interface CookieEntry {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly expires: number | null;
  readonly secure: boolean;
  readonly http_only: boolean;
  readonly same_site: string | null;
}

/** Members of `scraper_data`. */
export interface FilesPart {
  readonly pdf?: { readonly url: string | null; readonly bytes: number; readonly pages: number } | null;
  readonly downloads?: readonly {
    readonly url: string | null;
    readonly name: string;
    readonly type: string;
    readonly bytes: number;
    readonly from: string;
  }[];
}

export interface RouterPart {
  readonly scraper: string | null;
  readonly request_headers: Record<string, string>;
  readonly request_cost: number | null;
  readonly proxy_type: string | null;
  readonly outcome: string;
  readonly warnings: ErrorEntry[];
  readonly requested_scraper: string;
  readonly started_at: string;
  readonly attempts: AttemptEntry[];
  readonly candidates: CandidateEntry[];
  readonly stopped: { readonly reason: string; readonly message: string } | null;
  readonly verdict: { readonly kind: string; readonly confidence: number; readonly signals: string[] } | null;
  readonly cost_unit: string | null;
  readonly cost_details: {
    readonly attempt: number;
    readonly item: string;
    readonly name: string;
    readonly quantity: number;
    readonly unit_price: number;
    readonly cost: number;
  }[];
  readonly robots: {
    readonly mode: string;
    readonly url: string;
    readonly agent: string;
    readonly allowed: boolean | null;
    readonly rule: string | null;
    readonly status_code: number | null;
  } | null;
  readonly cache: { readonly hit: boolean; readonly age_ms: number | null } | null;
  readonly timing: Record<string, number | null>;
  readonly redirects: { readonly url: string; readonly status_code: number | null }[];
  readonly remote_ip: string | null;
  readonly body_type: string | null;
  readonly created_at?: string;
  readonly http_status?: number | null;
  readonly job_id?: string | null;
  readonly monitor?: object | null;
  readonly key_id?: string | null;
  readonly user_id?: string;
}

/** The response to a scrape. That to a failed scrape also has the members of `Problem`. */
export interface ScrapeAnswer {
  readonly id: string | null;
  readonly status_code: number | null;
  readonly final_url: string | null;
  readonly headers: Record<string, string>;
  readonly content: string | null;
  readonly content_encoding: 'utf-8' | 'base64' | null;
  readonly cookies: CookieEntry[];
  readonly errors: ErrorEntry[];
  readonly screenshot_url: string | null;
  readonly scraper_data: Record<string, unknown> & {
    readonly charset?: { readonly name: string; readonly source: string };
  };
  readonly router: RouterPart;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly retryable: boolean;
  readonly errors: ErrorEntry[];
  readonly candidates?: CandidateEntry[];
}

export interface RecordLine {
  readonly id: string;
  readonly created_at: string;
  readonly url: string | null;
  readonly host: string;
  readonly method: string | null;
  readonly requested_scraper: string | null;
  readonly scraper: string | null;
  readonly http_status: number | null;
  readonly status_code: number | null;
  readonly outcome: string;
  readonly error_code: string | null;
  readonly duration_ms: number;
  readonly content_bytes: number | null;
  readonly request_cost: number | null;
  readonly tags: Record<string, string>;
  readonly key_id: string | null;
  readonly has_screenshot: boolean;
}

export interface RecordList {
  readonly items: RecordLine[];
  readonly next_cursor: string | null;
}

export interface KeyObject {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly scopes: string[];
  readonly domains: string[];
  readonly ips: string[];
  readonly daily_budget: { readonly amount: number; readonly unit: string } | null;
  readonly concurrency: number | null;
  readonly requests_today: number;
  readonly cost_today: number;
  /** The key itself; only in the response to its creation. */
  readonly key?: string;
}

export interface UserObject {
  readonly id: string;
  readonly email: string;
  readonly role: 'admin' | 'user';
  readonly concurrency: number;
  readonly concurrency_is_default: boolean;
  readonly disabled_at: string | null;
  readonly created_at: string;
  readonly has_password: boolean;
  readonly has_identity: boolean;
  readonly last_seen_at: string | null;
  readonly in_flight: number;
}

export interface SessionEntry {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly current: boolean;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

export interface SessionObject {
  readonly user: UserObject;
  readonly session: SessionEntry;
}

/** Of `POST /api/v1/compare/`. */
export interface Comparison {
  readonly items: readonly {
    readonly way: string;
    readonly outcome: string;
    readonly scrape: {
      readonly id: string;
      readonly status_code: number | null;
      readonly final_url: string | null;
      readonly scraper: string;
      readonly proxy_type: string;
      readonly verdict: string | null;
      readonly content_bytes: number | null;
      readonly attempts: number;
      readonly explanation: string;
    } | null;
    readonly errors: readonly ErrorEntry[];
    readonly likeness: number | null;
    readonly duration_ms: number | null;
    readonly cost: number | null;
  }[];
  readonly best: string | null;
  readonly saved_per_1000: number | null;
  readonly cost_unit: string;
}
