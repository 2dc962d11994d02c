/** Made from the description of the API by scripts/generate-dashboard-client.ts. */
export interface paths {
    "/api/v1/errors/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every error code
         * @description As HTML when the caller prefers it.
         */
        get: operations["listErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Scope `admin`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Scope `admin`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A key
         * @description Scope `admin`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Scope `admin`.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change a key
         * @description Scope `admin`.
         */
        patch: operations["changeKey"];
        trace?: never;
    };
    "/api/v1/keys/{id}/rotate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a key by a new one
         * @description Scope `admin`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxies/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Proxy pools: health, traffic and cost of each proxy, without credentials
         * @description For administrators. Scope `admin`.
         */
        get: operations["listProxies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxies/choices/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which pools and countries may be asked for
         * @description Scope `read`.
         */
        get: operations["listProxyChoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List stored scrapes, newest first
         * @description A scrape stands at the time it began, as soon as it has ended. With filters a page may be short or empty although there is more: one request looks at a limited number of records, and `next_cursor` goes on behind them; only null is the end. The header `X-Searched-To` tells how far back a page looked that is not the last. To poll for new ones, ask with `from` a little more than the longest timeout before now. An administrator's session sees the scrapes of all users, everybody else their own. Scope `read`.
         */
        get: operations["listScrapes"];
        put?: never;
        /**
         * Scrape a page
         * @description Fetches the URL and answers with the result. 200 whenever a page came, whatever its status; what went wrong is in `errors`. Scope `scrape`.
         */
        post: operations["createScrape"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A stored scrape
         * @description Always 200 for a record that exists, also for a scrape that failed. Scope `read`.
         */
        get: operations["getScrape"];
        put?: never;
        post?: never;
        /**
         * Delete a stored scrape
         * @description Scope `scrape`.
         */
        delete: operations["deleteScrape"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/{id}/content/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The content of a stored scrape
         * @description As a download, with its own media type; text is UTF-8, whatever it was. It comes from strangers: sandboxed by its Content-Security-Policy, which forbids scripts and everything from elsewhere. Scope `read`.
         */
        get: operations["getScrapeContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/{id}/request/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The request of a stored scrape
         * @description As it came, secrets masked. Scope `read`.
         */
        get: operations["getScrapeRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/{id}/screenshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The screenshot of a stored scrape
         * @description The picture that `screenshot: true` asked for. The links in answers lead here; they are signed, and need no key until they expire. Not kept with `router.retain` other than `full`. Scope `read`.
         */
        get: operations["getScreenshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/{id}/screenshot/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture of a stored scrape, by its number
         * @description Those of `screenshot` actions count from 1 in their order; 0 is the screenshot itself. The links in answers lead here; they are signed, and need no key until they expire. Not kept with `router.retain` other than `full`. Scope `read`.
         */
        get: operations["getPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/export/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the lines of the list
         * @description Newest first, at most 100,000 lines: for more, ask again with `to` = `created_at` of the last and a millisecond, and leave out ids that were there. The members are those of the list. CSV (RFC 4180, UTF-8) has a line of names first, tags as JSON, and an apostrophe before cells that a spreadsheet would take for a formula. An answer that breaks off is not whole. Scope `read`.
         */
        get: operations["exportScrapes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrapers/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scrapers, the browsers of this machine, and why one is not available
         * @description Scope `read`.
         */
        get: operations["listScrapers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who is signed in
         * @description By session only.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description The session comes as the cookie `sluice_session`. Which of e-mail and password was wrong is not told.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description By session only.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/all/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own sessions
         * @description By session only.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all own sessions but this one
         * @description By session only.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/all/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one own session
         * @description By session only.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/link/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a set-up link is still good */
        post: operations["checkSetUpLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/password/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the own password
         * @description All other sessions end. By session only.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/set-up/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the password by a set-up link, and sign in
         * @description The link is used up, and all earlier sessions of the user end.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{host}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is known of a site
         * @description What attempts have shown, what follows from it, and what `auto` would begin with. Users see hosts of which they have records; administrators all. Scope `admin`.
         */
        get: operations["getSite"];
        put?: never;
        post?: never;
        /**
         * Forget what is known of a site
         * @description For administrators. What is pinned stays. Scope `admin`.
         */
        delete: operations["forgetSite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{host}/pin/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pin what `auto` begins with at a site
         * @description For administrators. Holds where a request may take it and names no order of its own; when it does not bring the page, `auto` goes on as ever. Scope `admin`.
         */
        post: operations["pinSite"];
        /**
         * Take a pin away
         * @description For administrators. Scope `admin`.
         */
        delete: operations["unpinSite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was scraped lately, in figures
         * @description From counters that every scrape adds to when it ends, told here within three seconds; deleting records does not change them. By key: of its own user. Scope `read`.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the service is doing: process, memory, storage, permits, browsers
         * @description For administrators. Of this process alone, at this moment. Scope `admin`.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Scope `admin`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Scope `admin`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user
         * @description Scope `admin`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Scope `admin`.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/v1/users/{id}/link/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link that sets the password of a user
         * @description It works once, for 24 hours; an earlier one no longer does. Scope `admin`.
         */
        post: operations["createUserLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document for people */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description For callers on the same machine, or with `SLUICE_METRICS_TOKEN`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service takes requests
         * @description A browser that is missing or down makes it no less ready: HTTP scrapers go on.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What became of a page action. */
        ActionResult: {
            duration_ms: number;
            error?: {
                code: string;
                message: string;
            };
            id: string | null;
            /** @description Place in `page_actions`; of an action within `if`, that of the `if`, which it follows. */
            index: number;
            /** @description What the action tells; see its type. Not kept with `router.retain`. */
            result?: unknown;
            /** @enum {unknown} */
            status: "ok" | "failed" | "skipped";
            type: string;
        };
        ApiKey: {
            concurrency: number | null;
            /** @description What they cost, in `cost_unit`. */
            cost_today: number;
            /** Format: date-time */
            created_at: string;
            daily_budget: {
                amount: number;
                /** @enum {unknown} */
                unit: "scrapes" | "cost";
            } | null;
            domains: string[];
            expires_at: string | null;
            id: string;
            ips: string[];
            last_used_at: string | null;
            last4: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            /** @description Scrapes with this key since 00:00 UTC. */
            requests_today: number;
            revoked_at: string | null;
            scopes: ("scrape" | "read" | "admin")[];
        };
        ApiKeyCreate: {
            /** @description Share of the user's concurrency; null: all of it. */
            concurrency?: number | null;
            daily_budget?: {
                /** @description Of scrapes a whole number. */
                amount: number;
                /**
                 * @description `cost` is refused while nothing is priced.
                 * @enum {unknown}
                 */
                unit: "scrapes" | "cost";
            } | null;
            /** @description Target domains, with their sub-domains; empty: all. */
            domains?: string[];
            expires_at?: string | null;
            /** @description Addresses or CIDR ranges that the key may be used from; empty: all. */
            ips?: string[];
            name: string;
            scopes?: ("scrape" | "read" | "admin")[];
        };
        ApiKeyList: {
            items: components["schemas"]["ApiKey"][];
        };
        /** @description Absent members stay as they are; null takes a limit away. */
        ApiKeyPatch: {
            /** @description Share of the user's concurrency; null: all of it. */
            concurrency?: number | null;
            daily_budget?: {
                /** @description Of scrapes a whole number. */
                amount: number;
                /**
                 * @description `cost` is refused while nothing is priced.
                 * @enum {unknown}
                 */
                unit: "scrapes" | "cost";
            } | null;
            /** @description Target domains, with their sub-domains; empty: all. */
            domains?: string[];
            expires_at?: string | null;
            /** @description Addresses or CIDR ranges that the key may be used from; empty: all. */
            ips?: string[];
            name?: string;
            scopes?: ("scrape" | "read" | "admin")[];
        };
        ApiKeyRotate: {
            /**
             * @description How long the old key still works.
             * @default 0
             */
            overlap_hours?: number;
        };
        Attempt: {
            bytes_in: number;
            bytes_out: number;
            cost: number | null;
            country: string | null;
            duration_ms: number;
            error_code: components["schemas"]["ErrorCode"] | null;
            n: number;
            /** @enum {unknown} */
            outcome: "ok" | "rejected" | "failed" | "cancelled";
            /** @enum {unknown} */
            proxy_type: "datacenter" | "residential" | "mobile" | "custom" | "none";
            reason: string;
            reused: string[];
            /** @enum {unknown} */
            scraper: "http" | "http_impersonate" | "browser" | "browser_stealth";
            status_code: number | null;
            verdict: ("ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty") | null;
        };
        /** @description Goes back to the page before and waits for its `load`. */
        BackAction: {
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "back";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        Candidate: {
            est_cost: number | null;
            est_success: number | null;
            excluded_by: string | null;
            /** @enum {unknown} */
            proxy_type: "datacenter" | "residential" | "mobile" | "custom" | "none";
            /** @enum {unknown} */
            scraper: "http" | "http_impersonate" | "browser" | "browser_stealth";
            selected: boolean;
        };
        CapturedExchange: {
            /** @description null: not asked for, there is none (a redirect), it did not come, or it is too long. */
            body: string | null;
            body_encoding: ("utf-8" | "base64") | null;
            /** @description Lower-case names; duplicates joined. */
            headers: {
                [key: string]: string;
            };
            method: string;
            /** @description As sent, secrets masked. */
            request_headers: {
                [key: string]: string;
            };
            /** @description `document`, `script`, `xhr`, `fetch` … */
            resource_type: string;
            /** @description null: no answer came. */
            status: number | null;
            /** @description There is more of the body than is told. */
            truncated: boolean;
            /** @description Without credentials. */
            url: string;
        };
        /** @description Checks a box or radio button that is not checked yet. */
        CheckAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "check";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Clicks on an element once it is to be seen and holds still, or at a place of the window. */
        ClickAction: {
            /**
             * @description Every element that matches, one after the other; `result.clicked` tells how many.
             * @default false
             */
            all?: boolean;
            /**
             * @default left
             * @enum {unknown}
             */
            button?: "left" | "right" | "middle";
            /** @default 1 */
            click_count?: number;
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "click";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
            /** @description Pixels from the left edge. */
            x?: number;
            /** @description Pixels from the upper edge. */
            y?: number;
        };
        Cookie: {
            domain: string;
            expires: number | null;
            http_only: boolean;
            name: string;
            path: string;
            same_site: string | null;
            secure: boolean;
            value: string;
        };
        CreatedApiKey: {
            concurrency: number | null;
            /** @description What they cost, in `cost_unit`. */
            cost_today: number;
            /** Format: date-time */
            created_at: string;
            daily_budget: {
                amount: number;
                /** @enum {unknown} */
                unit: "scrapes" | "cost";
            } | null;
            domains: string[];
            expires_at: string | null;
            id: string;
            ips: string[];
            /** @description The key itself; shown this once. */
            key: string;
            last_used_at: string | null;
            last4: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            /** @description Scrapes with this key since 00:00 UTC. */
            requests_today: number;
            revoked_at: string | null;
            scopes: ("scrape" | "read" | "admin")[];
        };
        /** @enum {unknown} */
        ErrorCode: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "limit.concurrency" | "limit.sign_in" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "action.failed" | "browser.crashed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "extract.failed" | "request.cancelled";
        ErrorEntry: {
            attempt?: number;
            code: components["schemas"]["ErrorCode"];
            details?: {
                [key: string]: unknown;
            };
            /** @constant */
            level: "error";
            /** @description What was wrong, what is allowed, what was given. */
            message: string;
            /** @description RFC 6901, into the request. */
            pointer?: string;
            /** @description The same request may be sent again with hope. */
            retryable: boolean;
            /** @enum {unknown} */
            source: "request" | "service" | "route" | "proxy" | "target" | "browser" | "action" | "extract";
        };
        ErrorsTable: {
            errors: {
                code: components["schemas"]["ErrorCode"];
                help: string;
                retryable: boolean;
                source: string;
                status: number | null;
                title: string;
            }[];
            warnings: {
                code: components["schemas"]["WarningCode"];
                help: string;
                source: string;
            }[];
        };
        /** @description Runs a script in the page. `result` is what it gives as JSON, at most 1 MiB; more is null, and error `content.truncated`. */
        EvaluateAction: {
            /** @description JSON, known to the script as `arg`. */
            arg?: unknown;
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description An expression, which may be a function that is then called with `arg`, or the body of an async function of `arg`. `await` works in both. */
            script: string;
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "evaluate";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Reads data from the page as it stands; `result` is what `scraper_data.extract` would be. */
        ExtractAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            schema: {
                [key: string]: components["schemas"]["ExtractRule"];
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "extract";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description `"css"` for the text, `"css@attribute"`, or written out. `"@attribute"` in a nested rule means the element itself. */
        ExtractRule: string | components["schemas"]["ExtractRuleObject"];
        ExtractRuleObject: {
            output?: string | components["schemas"]["ExtractRules"];
            /** @description CSS; in nested rules among the descendants of the element, which is `:scope`. */
            selector: string;
            /**
             * @description `item`: the first match, or null. `list`: all, in the order of the page; may be empty.
             * @default item
             * @enum {unknown}
             */
            type?: "item" | "list";
        };
        ExtractRules: {
            [key: string]: components["schemas"]["ExtractRule"];
        };
        /** @description Sets the text of a field. */
        FillAction: {
            /**
             * @description Off: the value is put behind what stands there.
             * @default true
             */
            clear?: boolean;
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fill";
            value: string;
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Goes to another page and waits for its `load`. The same may be reached as by `url`. */
        GotoAction: {
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "goto";
            /** @description Absolute `http:` or `https:` URL, at most 8,192 characters. */
            url: string;
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        Health: {
            status: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Sets `display: none` for every element that matches. */
        HideAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hide";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Moves the pointer over an element. */
        HoverAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hover";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Does one list of actions or the other, nested at most three deep. `result.branch` is `then`, `else` or null; what was done in it follows with the same `index`. */
        IfAction: {
            /** @description Otherwise. */
            else?: components["schemas"]["PageAction"][];
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /** @description Of the document that is shown. */
            status_code?: number | number[];
            /** @description The element is to be seen; the status is that one, or one of these. */
            then?: components["schemas"]["PageAction"][];
            /** @description How long the element is waited for. By default it is looked for once. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "if";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Scrolls to the end again and again, or clicks for more, until that brings nothing more: nothing for 2 s, and nothing that the page fetches is under way. `result` is `{scrolls, reason}`; `reason`: `end`, `until_selector` or `max_scrolls`. */
        InfiniteScrollAction: {
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            click_selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            container?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description After each, whatever loads then.
             * @default 500
             */
            delay_ms?: number;
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /** @default 10 */
            max_scrolls?: number;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description How long it may take in all. By default 30,000 ms beside the delays. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "infinite_scroll";
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            until_selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Scrapes by outcome; every outcome is there. */
        OutcomeCounts: {
            blocked: number;
            failed: number;
            ok: number;
            partial: number;
            planned: number;
            target_error: number;
            unaccepted: number;
        };
        /**
         * @description Also accepted: the one-key shorthand `{"click": "#a"}`, and `action` for `type`.
         * @example {
         *       "type": "click",
         *       "selector": "#accept",
         *       "optional": true,
         *       "timeout_ms": 1000
         *     }
         * @example {
         *       "type": "fill",
         *       "selector": "#q",
         *       "value": "router"
         *     }
         * @example {
         *       "type": "press",
         *       "key": "Enter"
         *     }
         * @example {
         *       "type": "wait_for_response",
         *       "url": "**\/api/search*",
         *       "capture": true
         *     }
         * @example {
         *       "type": "evaluate",
         *       "script": "document.title"
         *     }
         * @example {
         *       "type": "if",
         *       "selector": ".more",
         *       "then": [
         *         {
         *           "type": "click",
         *           "selector": ".more",
         *           "all": true
         *         }
         *       ]
         *     }
         */
        PageAction: components["schemas"]["ClickAction"] | components["schemas"]["FillAction"] | components["schemas"]["TypeAction"] | components["schemas"]["PressAction"] | components["schemas"]["SelectAction"] | components["schemas"]["CheckAction"] | components["schemas"]["UncheckAction"] | components["schemas"]["HoverAction"] | components["schemas"]["ScrollAction"] | components["schemas"]["InfiniteScrollAction"] | components["schemas"]["WaitAction"] | components["schemas"]["WaitForSelectorAction"] | components["schemas"]["WaitForLoadStateAction"] | components["schemas"]["WaitForUrlAction"] | components["schemas"]["WaitForResponseAction"] | components["schemas"]["WaitForFunctionAction"] | components["schemas"]["EvaluateAction"] | components["schemas"]["GotoAction"] | components["schemas"]["ReloadAction"] | components["schemas"]["BackAction"] | components["schemas"]["HideAction"] | components["schemas"]["RemoveAction"] | components["schemas"]["ScreenshotAction"] | components["schemas"]["ExtractAction"] | components["schemas"]["IfAction"];
        PageLink: {
            /** @description Every link to this URL says `rel="nofollow"`. */
            nofollow: boolean;
            /** @description Tokens of `rel`, lower-case. */
            rel: string[];
            /** @description What is to be read on it, else the text for its image, its label or its title; on one line. */
            text: string;
            /** @description Absolute, http or https, with its fragment. */
            url: string;
        };
        /** @description What the page says of itself. URLs are absolute. */
        PageMetadata: {
            /** @description The same in other languages (`hreflang`). */
            alternates: {
                language: string;
                url: string;
            }[];
            author: string | null;
            canonical: string | null;
            charset: string | null;
            /** @description `type/subtype` that the page was read as. */
            content_type: string;
            description: string | null;
            /** @description As the page names it; `/favicon.ico` is not guessed. */
            favicon: string | null;
            feeds: {
                title: string | null;
                type: string;
                url: string;
            }[];
            generator: string | null;
            image: string | null;
            /** @description Each block that is JSON, at most 50 and 256 KiB in all. */
            json_ld: unknown[];
            keywords: string[];
            language: string | null;
            /** @description As the page writes it. */
            modified: string | null;
            /** @description Without the prefix `og:`; other prefixes stay. */
            open_graph: {
                [key: string]: string | string[];
            };
            /** @description As the page writes it. */
            published: string | null;
            /** @description Directives of `<meta name="robots">`, lower-case. */
            robots: string[];
            site_name: string | null;
            title: string | null;
            /** @description Without the prefix `twitter:`. */
            twitter: {
                [key: string]: string | string[];
            };
        };
        PasswordChange: {
            current_password: string;
            new_password: string;
        };
        /** @description Presses a key or a combination: on an element, or on what has the focus. */
        PressAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /** @description Playwright's names: `Enter`, `ArrowDown`, `Control+A`, `a`. */
            key: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "press";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description RFC 9457. Refused before there was a scrape. */
        Problem: {
            candidates?: components["schemas"]["Candidate"][];
            code: components["schemas"]["ErrorCode"];
            detail: string;
            errors: components["schemas"]["ErrorEntry"][];
            request_id: string;
            retryable: boolean;
            status: number;
            title: string;
            /** @description `{base_url}/api/v1/errors/#<code>` */
            type: string;
        };
        Proxies: {
            allow_direct: boolean;
            allow_none: boolean;
            cost_unit: string;
            file: {
                /** @description When the file that counts was read. */
                loaded_at: string;
                path: string;
                /** @description What is wrong with a newer one, which therefore does not count. */
                problems: string[];
            } | null;
            pools: {
                /** @description Since the service started. */
                attempts: number;
                /** @description A page came that was a wall, a challenge or a block. */
                blocked: number;
                bytes_in: number;
                bytes_out: number;
                concurrency_per_proxy: number | null;
                cost: number | null;
                /** @description ISO 3166-1 alpha-2; empty: the operator does not say. */
                countries: string[];
                /** @description The proxy was at fault. */
                failed: number;
                health: {
                    cooling: number;
                    healthy: number;
                    probing: number;
                };
                in_flight: number;
                /** @enum {unknown} */
                kind: "list" | "template";
                name: string;
                /** @description A page came. */
                ok: number;
                price_per_gb: number | null;
                price_per_request: number | null;
                /** @description Of a template: its one gate. */
                proxies: {
                    /** @description Since the service started. */
                    attempts: number;
                    /** @description A page came that was a wall, a challenge or a block. */
                    blocked: number;
                    bytes_in: number;
                    bytes_out: number;
                    cost: number | null;
                    country: string | null;
                    /** @description The proxy was at fault. */
                    failed: number;
                    /**
                     * @description `cooling`: not used after failures; `probing`: one attempt at a time finds out.
                     * @enum {unknown}
                     */
                    health: "healthy" | "cooling" | "probing";
                    in_flight: number;
                    last_failure: string | null;
                    /** @description A page came. */
                    ok: number;
                    retry_in_ms: number | null;
                    /** @description Scheme, host and port. */
                    server: string;
                }[];
                /** @enum {unknown} */
                type: "datacenter" | "residential" | "mobile";
            }[];
            /** @description Attempts that wait for a proxy. */
            waiting: number;
        };
        ProxyChoices: {
            /** @description Without a pool, `datacenter` is the own connection. */
            allow_direct: boolean;
            allow_none: boolean;
            pools: {
                /** @description ISO 3166-1 alpha-2; empty: the operator does not say. */
                countries: string[];
                name: string;
                /** @enum {unknown} */
                type: "datacenter" | "residential" | "mobile";
            }[];
        };
        ProxySettings: {
            /** @description Hosts reached without the proxy: `example.com`, `.example.com` (what lies under it), `*`. */
            bypass?: string[];
            /** @description City, as the pool or its provider calls it: letters, digits, spaces, `.`, `'`, `_`, `-` */
            city?: string;
            /** @description must be two letters (ISO 3166-1 alpha-2) */
            country?: string;
            /** @description For `server`. Shown nowhere. */
            password?: string;
            /** @description One pool of this type, by its name. */
            pool?: string;
            /** @description Region, as the pool or its provider calls it: letters, digits, spaces, `.`, `'`, `_`, `-` */
            region?: string;
            /**
             * @description When another exit is taken: at each attempt, never within a request, or after a block.
             * @default per_attempt
             * @enum {unknown}
             */
            rotate?: "per_attempt" | "per_request" | "on_block";
            /** @description A proxy of your own: `http://`, `https://`, `socks5://` or `socks5h://`, host and port. */
            server?: string;
            /** @description must be 1 to 64 letters, digits, `_` or `-` */
            session?: string;
            /** @default 600 */
            session_ttl_s?: number;
            /**
             * @description Without a pool, `datacenter` is the own connection of this host. `custom` goes with `server`; `none` only where the operator allows it.
             * @default datacenter
             * @enum {unknown}
             */
            type?: "datacenter" | "residential" | "mobile" | "custom" | "none";
            /** @description For `server`. */
            username?: string;
        };
        /** @description Loads the page again and waits for its `load`. */
        ReloadAction: {
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reload";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Takes every element that matches out of the page. */
        RemoveAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "remove";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        RouterAsk: {
            /** @description The caller's own definition of success; all members must be met. */
            accept?: {
                /** @description A text in the content; case counts. */
                contains?: string;
                /** @description RFC 9535, on what parses as JSON. */
                json_path?: string;
                /**
                 * @description Of the content, decoded.
                 * @default 0
                 */
                min_bytes?: number;
                /** @description A text that must not be there. */
                not_contains?: string;
                /** @description CSS, on HTML or XML. */
                selector?: string;
                /** @description One of these statuses. */
                status?: number[];
            };
            /**
             * @description After `order`, the others may be tried.
             * @default true
             */
            allow_fallbacks?: boolean;
            /**
             * @default none
             * @enum {unknown}
             */
            archive?: "none" | "har" | "warc";
            cache?: {
                /** @default 0 */
                max_age_ms?: number;
                /**
                 * @default off
                 * @enum {unknown}
                 */
                mode?: "off" | "use" | "refresh" | "only";
            };
            /**
             * @description Plans the way, and fetches nothing.
             * @default false
             */
            dry_run?: boolean;
            /** @description Proxy types that may be tried after that of `proxy`, in this order. */
            escalate_proxy?: false | ("datacenter" | "residential" | "mobile")[];
            /** @description Never taken. */
            ignore?: string[];
            /** @description 3 with `auto`, 1 with a named scraper, unless given. */
            max_attempts?: number;
            /** @description Hard ceiling over all attempts together, in `cost_unit`; 0: only what is free. What has no price is not taken. */
            max_cost?: number;
            /**
             * @description `fail`: a page that the target blocked is answered with 502 `target.blocked`, and still given.
             * @default return
             * @enum {unknown}
             */
            on_blocked?: "return" | "fail";
            /** @description Nothing else is taken. */
            only?: string[];
            /** @description Tried first: `scraper` or `scraper/proxy_type`. */
            order?: string[];
            /**
             * @description What the record keeps. `metadata`: no content and headers; `none`: hardly more than the outcome.
             * @default full
             * @enum {unknown}
             */
            retain?: "full" | "metadata" | "none";
            /**
             * @description Whether robots.txt (RFC 9309) is asked before the page: `report` tells what it says, `respect` ends with 403 `policy.robots`. The operator may demand more than the request.
             * @default ignore
             * @enum {unknown}
             */
            robots?: "ignore" | "report" | "respect";
            /**
             * @description What `auto` prefers among the ways that can do the request.
             * @default balanced
             * @enum {unknown}
             */
            sort?: "balanced" | "cheapest" | "fastest" | "reliable";
            /** @description To find the scrape by later. Names and values of at most 64 characters. */
            tags?: {
                [key: string]: string;
            };
            /**
             * @description Off: `router` of the answer is short.
             * @default true
             */
            trace?: boolean;
        };
        /** @description How it was done. `router.trace: false` leaves the first six members. */
        RouterMeta: {
            attempts?: components["schemas"]["Attempt"][];
            body_type?: ("json" | "form" | "raw" | "binary" | "multipart") | null;
            cache?: {
                age_ms: number | null;
                hit: boolean;
            };
            candidates?: components["schemas"]["Candidate"][];
            /** @description Sum to `request_cost`; what is free does not stand here. Empty while that is null. */
            cost_details?: {
                attempt: number;
                cost: number;
                /** @enum {unknown} */
                item: "scraper" | "proxy_request" | "proxy_traffic";
                /** @description The scraper, or the proxy type. */
                name: string;
                /** @description Attempts, requests, or bytes both ways. */
                quantity: number;
                /** @description Of one attempt, one request, or 10⁹ bytes. */
                unit_price: number;
            }[];
            /** @description The operator's currency, or `effort` while nothing is priced. */
            cost_unit?: string;
            /** @enum {unknown} */
            outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
            proxy_type: ("datacenter" | "residential" | "mobile" | "custom" | "none") | null;
            redirects?: {
                status_code: number | null;
                url: string;
            }[];
            remote_ip?: string | null;
            request_cost: number | null;
            /** @description As finally sent, secrets masked. */
            request_headers: {
                [key: string]: string;
            };
            /** @enum {unknown} */
            requested_scraper?: "auto" | "http" | "http_impersonate" | "browser" | "browser_stealth";
            robots?: {
                /** @description As whom it was read. */
                agent: string;
                allowed: boolean | null;
                /** @enum {unknown} */
                mode: "report" | "respect";
                rule: string | null;
                status_code: number | null;
                /** @description Of the file. */
                url: string;
            } | null;
            scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | null;
            stopped?: {
                message: string;
                /** @enum {unknown} */
                reason: "max_attempts" | "timeout" | "max_cost" | "method" | "sort" | "refused_before";
            } | null;
            timing?: {
                actions: number | null;
                connect: number | null;
                dns: number | null;
                download: number | null;
                load: number | null;
                pause: number | null;
                queue: number | null;
                tls: number | null;
                total: number | null;
                ttfb: number | null;
                wait: number | null;
            };
            verdict?: {
                confidence: number;
                /** @enum {unknown} */
                kind: "ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty";
                signals: string[];
            } | null;
            warnings: components["schemas"]["WarningEntry"][];
        };
        ScrapeList: {
            items: components["schemas"]["ScrapeSummary"][];
            /** @description For the next page; null: there is none. It may be there although this page is short or empty. */
            next_cursor: string | null;
        };
        /** @description A problem that is the end of a scrape: it also has every member of the scrape response. */
        ScrapeProblem: {
            code: components["schemas"]["ErrorCode"];
            content: string | null;
            content_encoding: ("utf-8" | "base64") | null;
            cookies: components["schemas"]["Cookie"][];
            detail: string;
            errors: components["schemas"]["ErrorEntry"][];
            final_url: string | null;
            /** @description Lower-case names; duplicates joined. */
            headers: {
                [key: string]: string;
            };
            id: string | null;
            request_id: string;
            retryable: boolean;
            router: components["schemas"]["RouterMeta"];
            scraper_data: components["schemas"]["ScraperData"];
            screenshot_url: string | null;
            status: number;
            /** @description Status of the target's response. */
            status_code: number | null;
            title: string;
            /** @description `{base_url}/api/v1/errors/#<code>` */
            type: string;
        };
        /** @description Formats and extraction that were asked for; null: the page has none. */
        ScraperData: {
            /** @description Every page action in its order; of an `if` those of the branch that was gone, and not those of the other. */
            actions?: components["schemas"]["ActionResult"][];
            charset?: {
                name: string;
                source: string;
            };
            /** @description By the names of the rules: a text, an object, a list of these, or null for what is not there. */
            extract?: {
                [key: string]: unknown;
            } | null;
            html?: string | null;
            links?: components["schemas"]["PageLink"][] | null;
            metadata?: components["schemas"]["PageMetadata"] | null;
            /** @description What `capture` asks for, in the order in which the page asked for it; redirects apart. */
            network?: components["schemas"]["CapturedExchange"][];
            text?: string | null;
        };
        /** @description What was not kept is null or empty. */
        ScrapeRecord: {
            content: string | null;
            content_encoding: ("utf-8" | "base64") | null;
            cookies: components["schemas"]["Cookie"][];
            errors: components["schemas"]["ErrorEntry"][];
            final_url: string | null;
            /** @description Lower-case names; duplicates joined. */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description Of the stored record.
             */
            id: string;
            router: {
                attempts?: components["schemas"]["Attempt"][];
                body_type?: ("json" | "form" | "raw" | "binary" | "multipart") | null;
                cache?: {
                    age_ms: number | null;
                    hit: boolean;
                };
                candidates?: components["schemas"]["Candidate"][];
                /** @description Sum to `request_cost`; what is free does not stand here. Empty while that is null. */
                cost_details?: {
                    attempt: number;
                    cost: number;
                    /** @enum {unknown} */
                    item: "scraper" | "proxy_request" | "proxy_traffic";
                    /** @description The scraper, or the proxy type. */
                    name: string;
                    /** @description Attempts, requests, or bytes both ways. */
                    quantity: number;
                    /** @description Of one attempt, one request, or 10⁹ bytes. */
                    unit_price: number;
                }[];
                /** @description The operator's currency, or `effort` while nothing is priced. */
                cost_unit?: string;
                /** Format: date-time */
                created_at: string;
                /** @description Of our answer; null: the caller had hung up, or it was not kept. */
                http_status: number | null;
                /** @enum {unknown} */
                outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
                proxy_type: ("datacenter" | "residential" | "mobile" | "custom" | "none") | null;
                redirects?: {
                    status_code: number | null;
                    url: string;
                }[];
                remote_ip?: string | null;
                request_cost: number | null;
                /** @description As finally sent, secrets masked. */
                request_headers: {
                    [key: string]: string;
                };
                /** @enum {unknown} */
                requested_scraper?: "auto" | "http" | "http_impersonate" | "browser" | "browser_stealth";
                robots?: {
                    /** @description As whom it was read. */
                    agent: string;
                    allowed: boolean | null;
                    /** @enum {unknown} */
                    mode: "report" | "respect";
                    rule: string | null;
                    status_code: number | null;
                    /** @description Of the file. */
                    url: string;
                } | null;
                scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | null;
                stopped?: {
                    message: string;
                    /** @enum {unknown} */
                    reason: "max_attempts" | "timeout" | "max_cost" | "method" | "sort" | "refused_before";
                } | null;
                timing?: {
                    actions: number | null;
                    connect: number | null;
                    dns: number | null;
                    download: number | null;
                    load: number | null;
                    pause: number | null;
                    queue: number | null;
                    tls: number | null;
                    total: number | null;
                    ttfb: number | null;
                    wait: number | null;
                };
                /**
                 * Format: uuid
                 * @description Whose; only in administrators' sessions.
                 */
                user_id?: string;
                verdict?: {
                    confidence: number;
                    /** @enum {unknown} */
                    kind: "ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty";
                    signals: string[];
                } | null;
                warnings: components["schemas"]["WarningEntry"][];
            };
            scraper_data: components["schemas"]["ScraperData"];
            screenshot_url: string | null;
            /** @description Status of the target's response. */
            status_code: number | null;
        };
        ScrapeRequest: {
            /**
             * @description Off: a redirect itself is the result.
             * @default true
             */
            allow_redirects?: boolean;
            /**
             * @description Browser only.
             * @enum {unknown}
             */
            browser_type?: "chromium" | "firefox" | "webkit" | "chrome" | "msedge" | "edge";
            /** @description For the host of the URL. `{name: value}`, or an array of objects or `"a=b"` strings. */
            cookies?: {
                [key: string]: string;
            } | ({
                domain?: string;
                /** @description Seconds since the epoch; -1: until the scrape ends. */
                expires?: number;
                http_only?: boolean;
                name: string;
                path?: string;
                /** @description `strict`, `lax` or `none`, in any letter case. */
                same_site?: string;
                secure?: boolean;
                value: string;
            } | string)[];
            /** @description The body. JSON, form or raw text is detected; forced with `$json`, `$form`, `$raw`, `$base64`, `$multipart`. */
            data?: unknown;
            /** @description Sent to the target in this order; an array repeats the header. */
            headers?: {
                [key: string]: string | string[];
            };
            /**
             * @description Browser only.
             * @default true
             */
            headless?: boolean;
            /**
             * @description GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.
             * @default GET
             */
            method?: string;
            /** @description Browser only. */
            page_actions?: components["schemas"]["PageAction"][];
            /**
             * @description `datacenter`, `residential`, `mobile`, a proxy URL, or an object.
             * @default datacenter
             */
            proxy?: string | components["schemas"]["ProxySettings"];
            /** @description Appended to what the URL has. An array repeats the key, null drops it. */
            query?: {
                [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
            } | ({
                name: string;
                value: (string | number | boolean) | null;
            } | [
                string,
                (string | number | boolean) | null
            ])[];
            /** @description A string is shorthand for `sort`. */
            router?: ("balanced" | "cheapest" | "fastest" | "reliable") | components["schemas"]["RouterAsk"];
            /**
             * @description `auto` selects by itself.
             * @default auto
             * @enum {unknown}
             */
            scraper?: "auto" | "http" | "http_impersonate" | "browser" | "browser_stealth";
            scraper_options?: components["schemas"]["ScraperOptions"];
            /**
             * @description Browser only.
             * @default false
             */
            screenshot?: boolean;
            /**
             * @description One wall-clock budget for everything: queueing, attempts, waits.
             * @default 60000
             */
            timeout_ms?: number;
            /** @description Absolute `http:` or `https:` URL, at most 8,192 characters. */
            url: string;
            /**
             * @description Browser only.
             * @enum {unknown}
             */
            wait_for_load_state?: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
            /** @description Browser only. */
            wait_for_selector?: string;
            /** @description Browser only. */
            wait_for_timeout_ms?: number;
        };
        ScrapeResponse: {
            content: string | null;
            content_encoding: ("utf-8" | "base64") | null;
            cookies: components["schemas"]["Cookie"][];
            errors: components["schemas"]["ErrorEntry"][];
            final_url: string | null;
            /** @description Lower-case names; duplicates joined. */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description Of the stored record.
             */
            id: string;
            router: components["schemas"]["RouterMeta"];
            scraper_data: components["schemas"]["ScraperData"];
            screenshot_url: string | null;
            /** @description Status of the target's response. */
            status_code: number | null;
        };
        ScraperList: {
            /** @description What `scraper: browser` is made of here. */
            browsers: {
                /** @description Those of this machine, the preferred ones first. */
                items: {
                    /** @enum {unknown} */
                    browser_type: "chromium" | "chrome" | "msedge" | "firefox" | "webkit";
                    build_age_days: number | null;
                    /** @description Also with `headless: false`. */
                    headed: boolean;
                    headless: boolean;
                    reason: string | null;
                    /**
                     * @description `configured`: named by the operator; `package`: it came along with Sluice.
                     * @enum {unknown}
                     */
                    source: "configured" | "installed" | "playwright" | "package";
                    /** @description What a scrape with its `browser_type` and `headless: true` gets. */
                    used: boolean;
                    version: string | null;
                }[];
                /**
                 * @description `off`: the operator lets browsers run without the sandbox between pages and the machine.
                 * @enum {unknown}
                 */
                sandbox: "on" | "off";
            };
            /** @description The operator's currency, or `effort` while nothing is priced. */
            cost_unit: string;
            items: {
                available: boolean;
                capabilities: {
                    impersonation: boolean;
                    javascript: boolean;
                    methods: string[];
                    page_actions: boolean;
                    screenshot: boolean;
                };
                name: string;
                /** @description JSON Schema of `scraper_options`. */
                options: {
                    [key: string]: unknown;
                };
                price: number | null;
                reason: string | null;
            }[];
        };
        /** @description Options passed to the scraper. */
        ScraperOptions: {
            /** @description Sub-resources that are not loaded. */
            block?: {
                /** @default false */
                ads?: boolean;
                resource_types?: ("stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "other")[];
                url_patterns?: string[];
            };
            /** @description What the page exchanges with its servers is told in `scraper_data.network`, where it fits one of these: at most 500 exchanges and 5 MiB. The requests of the page and of frames of its own site; not those of workers and of frames of other sites. */
            capture?: {
                /**
                 * @description With the bodies of the answers.
                 * @default false
                 */
                body?: boolean;
                method?: string;
                /** @enum {unknown} */
                resource_type?: "document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "other";
                /** @description A glob as in Playwright, of the whole URL: `*` is anything but `/`, `**` anything, `{a,b}` one of these. */
                url: string;
            }[];
            /** @enum {unknown} */
            color_scheme?: "light" | "dark" | "no-preference";
            /**
             * @description `base64` gives the bytes of any type.
             * @default auto
             * @enum {unknown}
             */
            content_encoding?: "auto" | "base64";
            /**
             * @description Screen, touch and `User-Agent` of this device, as Playwright knows it.
             * @enum {unknown}
             */
            device?: "Blackberry PlayBook" | "Blackberry PlayBook landscape" | "BlackBerry Z30" | "BlackBerry Z30 landscape" | "Galaxy Note 3" | "Galaxy Note 3 landscape" | "Galaxy Note II" | "Galaxy Note II landscape" | "Galaxy S III" | "Galaxy S III landscape" | "Galaxy S5" | "Galaxy S5 landscape" | "Galaxy S8" | "Galaxy S8 landscape" | "Galaxy S9+" | "Galaxy S9+ landscape" | "Galaxy S24" | "Galaxy S24 landscape" | "Galaxy A55" | "Galaxy A55 landscape" | "Galaxy Tab S4" | "Galaxy Tab S4 landscape" | "Galaxy Tab S9" | "Galaxy Tab S9 landscape" | "Galaxy Z Fold 6" | "Galaxy Z Fold 6 landscape" | "Galaxy Z Fold 6 Cover" | "Galaxy Z Fold 6 Cover landscape" | "Galaxy Z Fold 7" | "Galaxy Z Fold 7 landscape" | "Galaxy Z Fold 7 Cover" | "Galaxy Z Fold 7 Cover landscape" | "Galaxy Z Flip 6" | "Galaxy Z Flip 6 landscape" | "Galaxy Z Flip 6 Cover" | "Galaxy Z Flip 6 Cover landscape" | "Galaxy Z Flip 7" | "Galaxy Z Flip 7 landscape" | "Galaxy Z Flip 7 Cover" | "Galaxy Z Flip 7 Cover landscape" | "iPad (gen 5)" | "iPad (gen 5) landscape" | "iPad (gen 6)" | "iPad (gen 6) landscape" | "iPad (gen 7)" | "iPad (gen 7) landscape" | "iPad (gen 11)" | "iPad (gen 11) landscape" | "iPad Mini" | "iPad Mini landscape" | "iPad Pro 11" | "iPad Pro 11 landscape" | "iPhone 6" | "iPhone 6 landscape" | "iPhone 6 Plus" | "iPhone 6 Plus landscape" | "iPhone 7" | "iPhone 7 landscape" | "iPhone 7 Plus" | "iPhone 7 Plus landscape" | "iPhone 8" | "iPhone 8 landscape" | "iPhone 8 Plus" | "iPhone 8 Plus landscape" | "iPhone SE" | "iPhone SE landscape" | "iPhone SE (3rd gen)" | "iPhone SE (3rd gen) landscape" | "iPhone X" | "iPhone X landscape" | "iPhone XR" | "iPhone XR landscape" | "iPhone 11" | "iPhone 11 landscape" | "iPhone 11 Pro" | "iPhone 11 Pro landscape" | "iPhone 11 Pro Max" | "iPhone 11 Pro Max landscape" | "iPhone 12" | "iPhone 12 landscape" | "iPhone 12 Pro" | "iPhone 12 Pro landscape" | "iPhone 12 Pro Max" | "iPhone 12 Pro Max landscape" | "iPhone 12 Mini" | "iPhone 12 Mini landscape" | "iPhone 13" | "iPhone 13 landscape" | "iPhone 13 Pro" | "iPhone 13 Pro landscape" | "iPhone 13 Pro Max" | "iPhone 13 Pro Max landscape" | "iPhone 13 Mini" | "iPhone 13 Mini landscape" | "iPhone 14" | "iPhone 14 landscape" | "iPhone 14 Plus" | "iPhone 14 Plus landscape" | "iPhone 14 Pro" | "iPhone 14 Pro landscape" | "iPhone 14 Pro Max" | "iPhone 14 Pro Max landscape" | "iPhone 15" | "iPhone 15 landscape" | "iPhone 15 Plus" | "iPhone 15 Plus landscape" | "iPhone 15 Pro" | "iPhone 15 Pro landscape" | "iPhone 15 Pro Max" | "iPhone 15 Pro Max landscape" | "iPhone 16" | "iPhone 16 landscape" | "iPhone 16 Plus" | "iPhone 16 Plus landscape" | "iPhone 16 Pro" | "iPhone 16 Pro landscape" | "iPhone 16 Pro Max" | "iPhone 16 Pro Max landscape" | "iPhone 16e" | "iPhone 16e landscape" | "iPhone 17" | "iPhone 17 landscape" | "iPhone Air" | "iPhone Air landscape" | "iPhone 17 Pro" | "iPhone 17 Pro landscape" | "iPhone 17 Pro Max" | "iPhone 17 Pro Max landscape" | "iPhone 17e" | "iPhone 17e landscape" | "Kindle Fire HDX" | "Kindle Fire HDX landscape" | "LG Optimus L70" | "LG Optimus L70 landscape" | "Microsoft Lumia 550" | "Microsoft Lumia 550 landscape" | "Microsoft Lumia 950" | "Microsoft Lumia 950 landscape" | "Nexus 10" | "Nexus 10 landscape" | "Nexus 4" | "Nexus 4 landscape" | "Nexus 5" | "Nexus 5 landscape" | "Nexus 5X" | "Nexus 5X landscape" | "Nexus 6" | "Nexus 6 landscape" | "Nexus 6P" | "Nexus 6P landscape" | "Nexus 7" | "Nexus 7 landscape" | "Nokia Lumia 520" | "Nokia Lumia 520 landscape" | "Nokia N9" | "Nokia N9 landscape" | "Pixel 2" | "Pixel 2 landscape" | "Pixel 2 XL" | "Pixel 2 XL landscape" | "Pixel 3" | "Pixel 3 landscape" | "Pixel 4" | "Pixel 4 landscape" | "Pixel 4a (5G)" | "Pixel 4a (5G) landscape" | "Pixel 5" | "Pixel 5 landscape" | "Pixel 6" | "Pixel 6 landscape" | "Pixel 6 Pro" | "Pixel 6 Pro landscape" | "Pixel 6a" | "Pixel 6a landscape" | "Pixel 7" | "Pixel 7 landscape" | "Pixel 7 Pro" | "Pixel 7 Pro landscape" | "Pixel 7a" | "Pixel 7a landscape" | "Pixel 8" | "Pixel 8 landscape" | "Pixel 8 Pro" | "Pixel 8 Pro landscape" | "Pixel 8a" | "Pixel 8a landscape" | "Pixel 9" | "Pixel 9 landscape" | "Pixel 9 Pro" | "Pixel 9 Pro landscape" | "Pixel 9 Pro XL" | "Pixel 9 Pro XL landscape" | "Pixel 10" | "Pixel 10 landscape" | "Pixel 10 Pro" | "Pixel 10 Pro landscape" | "Pixel 10 Pro XL" | "Pixel 10 Pro XL landscape" | "Moto G4" | "Moto G4 landscape" | "Desktop Chrome HiDPI" | "Desktop Edge HiDPI" | "Desktop Firefox HiDPI" | "Desktop Safari" | "Desktop Chrome" | "Desktop Edge" | "Desktop Firefox";
            extract?: {
                [key: string]: components["schemas"]["ExtractRule"];
            };
            /** @description What `scraper_data` tells of the page beside its content, under the same names; null where the page has none. `html`: the decoded document. `text`: what a reader sees, with line breaks for blocks and tabulators between cells. `links`: where it links to. `metadata`: what it says of itself. */
            formats?: ("html" | "text" | "links" | "metadata" | "markdown")[];
            /** @description Where the page is told that it is; every page of the scrape may ask. */
            geolocation?: {
                /**
                 * @description Metres.
                 * @default 0
                 */
                accuracy?: number;
                latitude: number;
                longitude: number;
            };
            /**
             * @description `true`: only HTTP/2, `false`: only HTTP/1.1, `auto`: as agreed with the target.
             * @default auto
             */
            http2?: "auto" | boolean;
            /**
             * @description Whom `http_impersonate` looks like, `chrome` by default; a name without a version stands for the newest one listed. With `auto` it leaves only this scraper.
             * @enum {unknown}
             */
            impersonate?: "chrome" | "firefox" | "safari" | "edge" | "chrome_149" | "chrome_148" | "chrome_147" | "chrome_146" | "chrome_145" | "chrome_144" | "chrome_143" | "chrome_142" | "chrome_141" | "chrome_140" | "firefox_151" | "firefox_150" | "firefox_149" | "firefox_148" | "firefox_147" | "firefox_146" | "firefox_145" | "firefox_144" | "firefox_143" | "firefox_142" | "safari_26_4" | "safari_26_3" | "safari_26_2" | "safari_26_1" | "safari_26" | "safari_18_5" | "safari_ios_26_2" | "safari_ios_26" | "edge_148" | "edge_147" | "edge_146" | "edge_145" | "edge_144" | "edge_143" | "edge_142" | "edge_141" | "edge_140";
            /** @default true */
            javascript?: boolean;
            /** @description A language tag: `Accept-Language`, `navigator.language`, numbers. */
            locale?: string;
            /**
             * @description The content is cut there; counted after decompression.
             * @default 10485760
             */
            max_content_bytes?: number;
            /**
             * @description One more ends the scrape.
             * @default 20
             */
            max_redirects?: number;
            /** @default false */
            only_main_content?: boolean;
            /** @description How the picture is made; asks for it like `screenshot: true`. At most 16,384 pixels a side (WebP 16,383) and 50 megapixels; what is more is cut off at the right and at the bottom, with the warning `screenshot.clamped`. */
            screenshot?: {
                /**
                 * @description The whole page, not only what is to be seen.
                 * @default false
                 */
                full_page?: boolean;
                /** @description Of JPEG and WebP. */
                quality?: number;
                /** @description Only this element; as `wait_for_selector`. */
                selector?: string;
                /**
                 * @default png
                 * @enum {unknown}
                 */
                type?: "png" | "jpeg" | "webp";
            };
            /** @description Cookies and `localStorage` that are there before the page is, as Playwright writes them. */
            storage_state?: {
                cookies?: {
                    /** @description With a dot before it also for the hosts below it. */
                    domain: string;
                    /** @description Seconds since the epoch; -1: until the scrape ends. */
                    expires?: number;
                    httpOnly?: boolean;
                    name: string;
                    path: string;
                    /** @enum {unknown} */
                    sameSite?: "Strict" | "Lax" | "None";
                    secure?: boolean;
                    value: string;
                }[];
                origins?: {
                    localStorage: {
                        name: string;
                        value: string;
                    }[];
                    origin: string;
                }[];
            };
            /** @description As `Europe/Berlin`. */
            timezone?: string;
            /** @description A `User-Agent` in `headers` wins. */
            user_agent?: string;
            /**
             * @description Off: a certificate that is not good is taken.
             * @default true
             */
            verify_tls?: boolean;
            /** @description Pixels of the page; 1280 × 720 where nothing is said. Members win over those of `device`. */
            viewport?: {
                device_scale_factor?: number;
                height?: number;
                /** @description The page is laid out by its `<meta name="viewport">`, and there is touch. */
                is_mobile?: boolean;
                width?: number;
            };
            /** @enum {unknown} */
            wait_for_selector_state?: "visible" | "attached" | "hidden" | "detached";
        };
        ScrapeSummary: {
            content_bytes: number | null;
            /** Format: date-time */
            created_at: string;
            duration_ms: number;
            error_code: string | null;
            has_screenshot: boolean;
            host: string;
            http_status: number | null;
            /** Format: uuid */
            id: string;
            key_id: string | null;
            method: string | null;
            /** @enum {unknown} */
            outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
            proxy_type: string | null;
            request_cost: number | null;
            requested_scraper: string | null;
            scraper: string | null;
            status_code: number | null;
            tags: {
                [key: string]: string;
            };
            url: string | null;
            /**
             * Format: uuid
             * @description Whose; only in administrators' sessions.
             */
            user_id?: string;
        };
        /** @description Takes a PNG of the window, the whole page, or an element. `result` is `{name, url, width, height, type}`. */
        ScreenshotAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @default false */
            full_page?: boolean;
            /** @description Stands in its result. */
            id?: string;
            name?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "screenshot";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Scrolls the window, or `container`: to an end, to a place, or until an element is in view. */
        ScrollAction: {
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            container?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /** @enum {unknown} */
            to?: "top" | "bottom";
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "scroll";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
            /** @description Pixels from the left edge. */
            x?: number;
            /** @description Pixels from the upper edge. */
            y?: number;
        };
        /** @description Chooses options of a `<select>`; `result.values` are those chosen. */
        SelectAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            label?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "select";
            value?: string;
            values?: string[];
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        Session: {
            session: components["schemas"]["SessionEntry"];
            user: components["schemas"]["User"];
        };
        SessionEntry: {
            /** Format: date-time */
            created_at: string;
            /** @description Whether it is the one that asks. */
            current: boolean;
            /**
             * Format: date-time
             * @description If it is not used until then.
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** @description Where it was begun. */
            ip: string | null;
            /**
             * Format: date-time
             * @description To about a minute.
             */
            last_seen_at: string;
            /** @description What it was begun with. */
            user_agent: string | null;
        };
        SessionList: {
            items: components["schemas"]["SessionEntry"][];
        };
        SetUp: {
            password: string;
            /** @description What stands behind `#` in the link. */
            token: string;
        };
        SetUpLink: {
            /** @description Whose password it sets. */
            email: string;
            /** Format: date-time */
            expires_at: string;
        };
        SetUpLinkCheck: {
            /** @description What stands behind `#` in the link. */
            token: string;
        };
        SignIn: {
            email: string;
            password: string;
        };
        /** @description What is known of a site, and what follows from it. */
        Site: {
            /** @description With the port, where it is not that of the scheme. */
            host: string;
            pages: {
                /** @description That were noted, also those that hardly count by now. */
                attempts: number;
                /** @description What the site may ask of who fetches there, the likeliest first. */
                demands: {
                    name: string;
                    probability: number;
                    words: string;
                }[];
                /** @description What a plain request by `auto` without a proxy of its own would begin with. */
                next: components["schemas"]["SiteStep"] | null;
                /** @description The first two segments of the path; `*`: names of single things. */
                pattern: string;
                reason: string;
                ways: {
                    /** @description In units of effort. */
                    est_cost: number;
                    est_success: number;
                    /** @enum {unknown} */
                    proxy_type: "datacenter" | "residential" | "mobile";
                    /** @description How many attempts by this way count still. */
                    remembered: number;
                    /** @enum {unknown} */
                    scraper: "http" | "http_impersonate" | "browser" | "browser_stealth";
                }[];
            }[];
            /** @description Set by an administrator; null: nothing. */
            pinned: components["schemas"]["SiteStep"] | null;
        };
        /** @description What `auto` is to begin with, where a request may take it. */
        SitePin: {
            /**
             * @default datacenter
             * @enum {unknown}
             */
            proxy_type?: "datacenter" | "residential" | "mobile";
            /** @enum {unknown} */
            scraper: "http" | "http_impersonate" | "browser" | "browser_stealth";
        };
        SiteStep: {
            /** @enum {unknown} */
            proxy_type: "datacenter" | "residential" | "mobile";
            /** @enum {unknown} */
            scraper: "http" | "http_impersonate" | "browser" | "browser_stealth";
        };
        Stats: {
            /** @description First errors of scrapes, the most frequent first. */
            errors: {
                code: components["schemas"]["ErrorCode"];
                count: number;
            }[];
            /**
             * Format: date-time
             * @description Where the first step begins.
             */
            from: string;
            /** @description The most frequent first. */
            hosts: {
                /** @description Outcome `blocked`. */
                blocked: number;
                /** @description Outcome `failed`. */
                failed: number;
                /** @description `other`: of each step those beyond its first 100 hosts. */
                host: string;
                /** @description Outcome `ok`. */
                ok: number;
                /** @description Without dry runs. */
                scrapes: number;
            }[];
            in_flight: {
                /** @description Of the user; null: of all users there is none. */
                limit: number | null;
                /** @description Requests that count against the limit. */
                now: number;
            };
            /** @description From the request body to the answer, within 5 %. */
            latency_ms: {
                /** @description null: there was no scrape. */
                p50: number | null;
                /** @description null: there was no scrape. */
                p95: number | null;
                /** @description null: there was no scrape. */
                p99: number | null;
            };
            /** @description Every step, the oldest first, also those without a scrape. */
            series: components["schemas"]["StatsStep"][];
            step_seconds: number;
            /**
             * Format: date-time
             * @description Now: the last step is not over.
             */
            to: string;
            totals: {
                /** @description Of the contents that were answered. */
                bytes: number;
                outcomes: components["schemas"]["OutcomeCounts"];
                scrapes: number;
            };
            /** @enum {unknown} */
            window: "1h" | "24h" | "7d";
        };
        StatsStep: {
            /**
             * Format: date-time
             * @description Where the step begins.
             */
            at: string;
            outcomes: components["schemas"]["OutcomeCounts"];
            /** @description null: there was no scrape. */
            p50_ms: number | null;
            /** @description null: there was no scrape. */
            p95_ms: number | null;
            scrapes: number;
        };
        /** @description How the service is doing at this moment. */
        System: {
            /** Format: date-time */
            at: string;
            browsers: {
                kinds: components["schemas"]["SystemBrowserKind"][];
                pages_served: number;
                /** @description Scrapes refused because too many waited. */
                refused: number;
                /** @enum {unknown} */
                sandbox: "on" | "off";
                slots: {
                    total: number;
                    used: number;
                    /** @description Scrapes that wait for a slot. */
                    waiting: number;
                };
                /**
                 * @description As in `/readyz`: `unknown` until somebody needed one, `down` when one should start, and does not.
                 * @enum {unknown}
                 */
                state: "ready" | "unknown" | "unavailable" | "down";
            };
            /** @description The budget for contents (`SLUICE_MEMORY_BYTES`). */
            memory: {
                /** @description Bytes. */
                in_use_bytes: number;
                /** @description Bytes. */
                limit_bytes: number;
                /** @description Scrapes that wait for memory. */
                waiting: number;
            };
            node: string;
            permits: {
                /** @description Of users without a number of their own. */
                default_limit: number;
                /** @description Requests that count against a limit, of all users. */
                in_flight: number;
            };
            process: {
                /** @description Since this was last asked for, by whomever; null at the first time. */
                event_loop_delay_ms: {
                    max: number;
                    p50: number;
                    p99: number;
                } | null;
                /** @description Bytes. */
                external_bytes: number;
                /** @description Bytes. */
                heap_total_bytes: number;
                /** @description Bytes. */
                heap_used_bytes: number;
                pid: number;
                /** @description Bytes. */
                rss_bytes: number;
            };
            storage: {
                /** @description Bytes. */
                limit_bytes: number;
                ok: boolean;
                /** @description Why records cannot be stored; null: they can. */
                trouble: string | null;
                /** @description Bytes. */
                used_bytes: number;
            };
            uptime_s: number;
            version: string;
        };
        SystemBrowser: {
            age_s: number;
            /** @description Of its first process, without what it shares; null where that cannot be told. */
            memory_bytes: number | null;
            pages_open: number;
            pages_served: number;
            pid: number;
            /** @description Takes nobody new: it ends with its last page. */
            retired: boolean;
            version: string | null;
        };
        /** @description One kind of browser that was needed since the start. */
        SystemBrowserKind: {
            /** @description For pages that disturbed others lately: it gives way to all other browsers. */
            apart: boolean;
            /** @enum {unknown} */
            browser_type: "chromium" | "chrome" | "msedge" | "firefox" | "webkit";
            browsers: components["schemas"]["SystemBrowser"][];
            /** @description Browsers that ended by themselves. */
            crashes: number;
            headless: boolean;
            /**
             * @description `fast`: plain pages, by few messages; `full`: everything.
             * @enum {unknown}
             */
            lane: "full" | "fast";
            launches: number;
            /** @description Browsers that gave way to a fresh one: pages, age, memory. */
            recycles: number;
            /** @description Browsers that were left because they hung, or might be damaged. */
            replaced: number;
            starting: boolean;
            /** @description Why none runs though one was needed; null: it runs. */
            trouble: string | null;
        };
        /** @description Types a text, key by key: into an element, or into what has the focus. */
        TypeAction: {
            delay_ms?: number;
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            text: string;
            /** @description How long it may take in all. By default 5,000 ms beside the delays. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "type";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Takes the check from a box. */
        UncheckAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "uncheck";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        User: {
            /** @description Requests in flight at once, over all keys. */
            concurrency: number;
            /** @description That is the default of the service; nobody has set a limit for this user. */
            concurrency_is_default: boolean;
            /** Format: date-time */
            created_at: string;
            disabled_at: string | null;
            email: string;
            /** @description Whether this user can sign in with a password. */
            has_password: boolean;
            /** Format: uuid */
            id: string;
            /** @description Requests that are running now. */
            in_flight: number;
            /** @description Last use of the dashboard, to about a minute. */
            last_seen_at: string | null;
            /** @enum {unknown} */
            role: "admin" | "user";
        };
        UserCreate: {
            concurrency?: number | null;
            /** @description An e-mail address. */
            email: string;
            password?: string | null;
            /** @enum {unknown} */
            role?: "admin" | "user";
        };
        UserLink: {
            /** Format: date-time */
            expires_at: string;
            /** @description Sets the password of the user; works once. */
            url: string;
        };
        UserList: {
            items: components["schemas"]["User"][];
        };
        /** @description Absent members stay as they are; concurrency null: the default. */
        UserPatch: {
            concurrency?: number | null;
            disabled?: boolean;
            /** @enum {unknown} */
            role?: "admin" | "user";
        };
        /** @description Does nothing for a while. */
        WaitAction: {
            /** @description Stands in its result. */
            id?: string;
            ms: number;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description It fails when it would take longer. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits until a script gives something that is true in JavaScript. */
        WaitForFunctionAction: {
            /** @description JSON, known to the script as `arg`. */
            arg?: unknown;
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description An expression, which may be a function that is then called with `arg`, or the body of an async function of `arg`. `await` works in both. */
            script: string;
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_function";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits until the document has got so far. `networkidle` ends after 10 s at most, with a warning. */
        WaitForLoadStateAction: {
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @enum {unknown} */
            state: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
            /** @description How long it may take. By default 5,000 ms, with `networkidle` 15,000. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_load_state";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits for an answer to any request of the page; one counts that came since the action before began. `result` is `{url, method, status}`. */
        WaitForResponseAction: {
            /**
             * @description `result` also has `resource_type`, `request_headers`, `headers`, `body`, `body_encoding`, `truncated`.
             * @default false
             */
            capture?: boolean;
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /** @description In any letter case. */
            method?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            status?: number;
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_response";
            /** @description A glob as in Playwright: `*` is anything but `/`, `**` anything, `{a,b}` either. */
            url: string;
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits for an element. */
        WaitForSelectorAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /** @description CSS, `xpath=…` (also a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @default visible
             * @enum {unknown}
             */
            state?: "visible" | "attached" | "hidden" | "detached";
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_selector";
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits until the address matches. */
        WaitForUrlAction: {
            /** @description Selector of an iframe, in which everything is then looked for. */
            frame?: string;
            /** @description Stands in its result. */
            id?: string;
            /**
             * @description `stop`: the rest is skipped, the page is delivered, the error is told. `continue`: the next one is done. `fail`: as `stop`, but the answer is 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description An element that is not to be seen by the end of `timeout_ms` is no error: `skipped`.
             * @default false
             */
            optional?: boolean;
            /**
             * @description How long it may take in all.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_url";
            /** @description A glob as in Playwright: `*` is anything but `/`, `**` anything, `{a,b}` either. */
            url: string;
            /**
             * @description A pause when it is done.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @enum {unknown} */
        WarningCode: "proxy.direct" | "data.on_get" | "wait.networkidle_timeout" | "screenshot.clamped" | "egress.blocked" | "content.gzip" | "charset.replaced" | "frames.unread" | "json_ld.unread" | "robots.disallowed" | "page.js_shell" | "page.empty" | "page.opened" | "page.download";
        WarningEntry: {
            attempt?: number;
            code: components["schemas"]["WarningCode"];
            details?: {
                [key: string]: unknown;
            };
            /** @constant */
            level: "warning";
            /** @description What was wrong, what is allowed, what was given. */
            message: string;
            /** @description RFC 6901, into the request. */
            pointer?: string;
            /** @description The same request may be sent again with hope. */
            retryable: boolean;
            /** @enum {unknown} */
            source: "request" | "service" | "route" | "proxy" | "target" | "browser" | "action" | "extract";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listErrors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The codes. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorsTable"];
                    "text/html": string;
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description The key, shown this once. */
            201: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyPatch"];
            };
        };
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRotate"];
            };
        };
        responses: {
            /** @description The new key, shown this once. */
            201: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProxies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pools. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proxies"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProxyChoices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The choices. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProxyChoices"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScrapes: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before, with the same filters. */
                cursor?: string;
                /** @description The first error. */
                error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "limit.concurrency" | "limit.sign_in" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "action.failed" | "browser.crashed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "extract.failed" | "request.cancelled";
                /** @description Created then or later. */
                from?: string;
                /** @description Host of the target. */
                host?: string;
                /** @description The key that was used. */
                key_id?: string;
                /** @description Records on a page, at most. */
                limit?: number;
                /** @description How it ended. */
                outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
                /** @description That gave the result. */
                scraper?: "http" | "http_impersonate" | "browser" | "browser_stealth";
                /** @description Status of the target. */
                status?: number;
                /** @description `name:value` */
                tag?: string;
                /** @description Created before. */
                to?: string;
                /** @description Whose; only for administrators' sessions, which see all. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    /** @description How far back the page looked; absent on the last page. */
                    "X-Searched-To"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeList"];
                };
            };
            /** @description A parameter is unknown or wrong: `request.validation`. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createScrape: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScrapeRequest"];
            };
        };
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeResponse"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The daily budget of the key is used up: `budget.exhausted`. */
            402: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.*` and `policy.domain` before the scrape, `policy.*` as its end. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] | components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Nothing here can do this request; `candidates` says why. */
            422: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] | components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description No page came from the target: `dns.*`, `connect.*`, `tls.invalid`, … */
            502: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] | components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description The time was up before there was a page: `timeout.*`. */
            504: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ScrapeProblem"];
                };
            };
        };
    };
    getScrape: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scrape. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeRecord"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteScrape: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getScrapeContent: {
        parameters: {
            query?: {
                /** @description `1`: to be shown in a sandboxed frame of the dashboard instead; HTML, text and images only. */
                view?: "1";
            };
            header?: never;
            path: {
                /** @description Of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A parameter is unknown or wrong: `request.validation`. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getScrapeRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getScreenshot: {
        parameters: {
            query?: {
                /** @description Of a signed link: seconds since the epoch. */
                expires?: number;
                /** @description Of a signed link, in place of a key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description It is the one that `If-None-Match` names. */
            304: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The link has expired: `screenshot.expired`. */
            410: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPicture: {
        parameters: {
            query?: {
                /** @description Of a signed link: seconds since the epoch. */
                expires?: number;
                /** @description Of a signed link, in place of a key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Of the record. */
                id: string;
                /** @description Of the picture. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description It is the one that `If-None-Match` names. */
            304: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The link has expired: `screenshot.expired`. */
            410: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportScrapes: {
        parameters: {
            query?: {
                /** @description The first error. */
                error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "limit.concurrency" | "limit.sign_in" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "action.failed" | "browser.crashed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "extract.failed" | "request.cancelled";
                /** @description One JSON object a line, or CSV. */
                format?: "jsonl" | "csv";
                /** @description Created then or later. */
                from?: string;
                /** @description Host of the target. */
                host?: string;
                /** @description The key that was used. */
                key_id?: string;
                /** @description How it ended. */
                outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
                /** @description That gave the result. */
                scraper?: "http" | "http_impersonate" | "browser" | "browser_stealth";
                /** @description Status of the target. */
                status?: number;
                /** @description `name:value` */
                tag?: string;
                /** @description Created before. */
                to?: string;
                /** @description Whose; only for administrators' sessions, which see all. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description A parameter is unknown or wrong: `request.validation`. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScrapers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scrapers. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScraperList"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description No session, or it has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not good: `auth.invalid`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts: `limit.sign_in`; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No session, or it has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, latest first. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description No session, or it has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They have ended. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No session, or it has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No session, or it has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkSetUpLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpLinkCheck"];
            };
        };
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpLink"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not good: `auth.invalid`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts: `limit.sign_in`; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The password is changed. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No session, or it has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts: `limit.sign_in`; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUp"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not good: `auth.invalid`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `auth.disabled`, or `auth.origin` of what did not come from the dashboard. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many attempts: `limit.sign_in`; see `Retry-After`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in the URL: the name, with `:port` where it is not that of the scheme. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetSite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in the URL: the name, with `:port` where it is not that of the scheme. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pinSite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in the URL: the name, with `:port` where it is not that of the scheme. */
                host: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SitePin"];
            };
        };
        responses: {
            /** @description The site. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unpinSite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in the URL: the name, with `:port` where it is not that of the scheme. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is pinned there any more. */
            204: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description Whose, or `all` (the default there); only for administrators' sessions. */
                user_id?: string;
                /** @description The last hour (steps of a minute), day (of 15 minutes) or week (of an hour). */
                window?: "1h" | "24h" | "7d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description A parameter is unknown or wrong: `request.validation`. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreate"];
            };
        };
        responses: {
            /** @description The user. */
            201: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPatch"];
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request came too slowly: `request.slow`. */
            408: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is larger than 5 MiB: `request.too_large`. */
            413: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createUserLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, shown this once. */
            201: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLink"];
                };
            };
            /** @description The user is disabled: `request.validation`. */
            400: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No key or session, or not a good one: `auth.*`. */
            401: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The key or session may not do this: `auth.*`. */
            403: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such thing, or it is not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description More requests at once than the limit: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. */
            500: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not now: `service.*`; see `Retry-After`. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not for callers from elsewhere: `request.not_found`. */
            404: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        browser: {
                            /** @enum {unknown} */
                            sandbox: "on" | "off";
                            /**
                             * @description `unknown`: nobody has looked yet. `unavailable`: none can be had on this machine, `GET /api/v1/scrapers/` says why. `down`: it should start, and does not. HTTP scrapers work in every case.
                             * @enum {unknown}
                             */
                            state: "ready" | "unknown" | "unavailable" | "down";
                        };
                        /**
                         * @description `degraded`: a browser that should start does not. Requests are taken all the same.
                         * @enum {unknown}
                         */
                        status: "ok" | "degraded";
                        /** @description What an operator should know, in words. */
                        warnings: string[];
                    };
                };
            };
            /** @description Not now. */
            503: {
                headers: {
                    /** @description Names this request in logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
