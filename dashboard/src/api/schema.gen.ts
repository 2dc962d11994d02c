/** Made from the description of the API by scripts/generate-dashboard-client.ts. */
export interface paths {
    "/api/v1/alerts/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your rules
         * @description The newest first, with what fires now, and the types of channels that rules can have. Needs the scope `read`.
         */
        get: operations["listAlerts"];
        put?: never;
        /**
         * Create a rule
         * @description It watches a value, sends a message to its channels when the value is too high for some time, and another one when it is low enough again. Needs the scope `jobs`.
         */
        post: operations["createAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a rule
         * @description Needs the scope `read`.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        /**
         * Delete a rule
         * @description Its events are deleted, too. Needs the scope `jobs`.
         */
        delete: operations["deleteAlert"];
        options?: never;
        head?: never;
        /**
         * Change a rule
         * @description What fires goes on, and is resolved by the new conditions. Needs the scope `jobs`.
         */
        patch: operations["changeAlert"];
        trace?: never;
    };
    "/api/v1/alerts/{id}/silence/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Silence a rule for some time
         * @description Events are stored, but not sent. What still fires when the silence is over, and was not yet reported, is sent then. Needs the scope `jobs`.
         */
        post: operations["silenceAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}/test/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message to each channel
         * @description Waits for the results, at most 15 seconds. It is sent once. A webhook gets a message of the type `alert.test`. Needs the scope `jobs`.
         */
        post: operations["testAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what fired and was resolved
         * @description The newest first. Events are kept for 90 days. Needs the scope `read`.
         */
        get: operations["listAlertEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attention/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what does not work
         * @description What a rule of each kind with the usual conditions would fire for now, and what your own rules fire for. Sessions of administrators and viewers see that of all users; other callers their own; pools, vendors, disk and memory need the scope `admin`. Up to five seconds old. Needs the scope `read`.
         */
        get: operations["listAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Who signed in (and who failed to), and who changed users, keys and settings. The newest first. Entries are kept for 400 days, at most 500,000. Exports have at most 100,000 lines; for more, repeat the request with `cursor` set to the last `id`. Needs the scope `admin`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scrape many pages
         * @description Starts a job with one item for each request. All requests are checked before anything runs. The items take none of the places for concurrent requests. Needs the scope `jobs`.
         */
        post: operations["createBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your channels
         * @description The newest first, with their state and what uses them. Needs the scope `read`.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Create a channel
         * @description A place where people are told: Slack, e-mail, or a webhook. Monitors, jobs and rules of alerts name it by its id. Needs the scope `jobs`.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a channel
         * @description Needs the scope `read`.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /**
         * Delete a channel
         * @description One that is in use is refused, unless `detach=1`: then nothing tells people by it any more. Needs the scope `jobs`.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel
         * @description With a new URL or new addresses, its failures are forgotten. Needs the scope `jobs`.
         */
        patch: operations["changeChannel"];
        trace?: never;
    };
    "/api/v1/channels/{id}/resume/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused channel
         * @description Its failures are forgotten. What was not sent while it was paused is not sent later. Needs the scope `jobs`.
         */
        post: operations["resumeChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{id}/test/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Waits for the result, at most 15 seconds. It is sent once. If it arrives, the channel works again: it is neither failing nor paused. Needs the scope `jobs`.
         */
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/compare/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scrape a page by several methods, and compare them
         * @description Runs one scrape request by several scrapers, types of proxy and vendors, and says which one to use. Each method is a scrape with a record, and counts as one; a request that must not be repeated is sent by each method. The methods run beside each other while there are permits for them, otherwise one after the other; `timeout_ms` applies to each method. The status is 200 even if methods fail: one that fails or is refused is an item with its errors. Needs the scope `scrape`.
         */
        post: operations["compareWays"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crawls/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Crawl a site
         * @description Starts a job that visits the start URLs, and what their pages and sitemaps lead to. Each URL is visited once. URLs that are not visited are items with a reason. Needs the scope `jobs`.
         */
        post: operations["createCrawl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/errors/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all error codes
         * @description HTML if the caller prefers it.
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
    "/api/v1/import/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Translate a curl command, an HTTP archive or a call of another API
         * @description Gives the scrape request that does the same, but for the headers that curl or the browser adds by itself. Nothing is fetched. What a scrape request cannot do is refused with its name. Needs the scope `scrape`.
         */
        post: operations["importRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description The users who have not set a password yet and have no API key. They are also in the list of users. Needs the scope `admin`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Creates the user, and a link that sets the password. It works once, for 7 days. With `SLUICE_SMTP_URL` it is mailed. Needs the scope `admin`.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{id}/": {
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
         * Revoke an invitation
         * @description The link stops working, and the user is deleted. Needs the scope `admin`.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{id}/resend/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again
         * @description Creates a new link for 7 days. The earlier link stops working. Needs the scope `admin`.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description The newest first, without runs of monitors and schedules unless `with_runs=true`. Sessions of administrators see the jobs of all users. Needs the scope `read`.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job
         * @description Needs the scope `read`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Cancel a job
         * @description No item starts after this; items that run are aborted. The results so far stay. With `purge=1`, the job, its results and their records are deleted. Needs the scope `jobs`.
         */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        /**
         * Change a job
         * @description Needs the scope `jobs`.
         */
        patch: operations["changeJob"];
        trace?: never;
    };
    "/api/v1/jobs/{id}/clone/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a job again
         * @description Starts a new job with the settings, the webhook and the first items of this one, whatever its state, with the rights of the key or session of this request. Needs the scope `jobs`.
         */
        post: operations["cloneJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/events/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a job
         * @description Server-Sent Events, until the job has ended. The id of an event is its number in the job: after a lost connection, `Last-Event-ID` continues. 204: the job has ended, and there are no more. Needs the scope `read`.
         */
        get: operations["getJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/export/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the results of a job
         * @description All results so far. `jsonl`: as the stream of results. `csv` (RFC 4180, UTF-8): the items with their states and errors, and a column for each field of `extract` and `json`, such as `extract.price`; what spreadsheets would run as a formula begins with an apostrophe. `xlsx`: the same as a workbook, with texts as text; what is beyond 1,048,576 rows is on further sheets, cells of more than 32,767 characters are cut. `zip`: the Markdown of the pages whose requests asked for it, as files in the folders of their URLs, and an index with all items as lines of JSON. If the connection breaks, the export is incomplete. Needs the scope `read`.
         */
        get: operations["exportJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/folders/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the folders of a job
         * @description The items of a job as a tree, by the hosts and paths of their URLs, one level at a time: the folders directly below `folder`, by their names, each with the counts of all items below it. Folders below the tenth level, or of more than 500 characters, are not listed; their items count as directly in the folder above. Needs the scope `read`.
         */
        get: operations["listJobFolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/pause/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a job
         * @description Starts no more items until the job is resumed. Items that run go on. Needs the scope `jobs`.
         */
        post: operations["pauseJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/results/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of a job
         * @description Items that have ended, in the order of their ends, which never changes: continue with `next_cursor` until it is null. While the job runs, a page may be empty although more results will follow. A page has at most 16 MiB, unless a single result is larger. With `Accept: application/x-ndjson` all results after `cursor` are streamed, one a line; `limit` has no effect then. Needs the scope `read`.
         */
        get: operations["getJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/resume/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused job
         * @description The job goes on with the rights of the key or session of this request: its domains and its budget hold from now on. Needs the scope `jobs`.
         */
        post: operations["resumeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/retry-failed/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the failed items of a job again
         * @description Also items whose model gave no answer (`ok` with the error `extract.model`): their pages are read again as they were stored, without fetching. A page that is not stored any more is fetched again, with the warning `content.refetched`. Needs the scope `jobs`.
         */
        post: operations["retryFailedItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/key/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key of this request
         * @description What is left of its budget, and what it may do. A session has no key: 404. Needs the scope `read`.
         */
        get: operations["getOwnKey"];
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
         * @description Needs the scope `admin`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Needs the scope `admin`.
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
         * Get a key
         * @description Needs the scope `admin`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Needs the scope `admin`.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change a key
         * @description Needs the scope `admin`.
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
         * Replace a key with a new one
         * @description Needs the scope `admin`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/maps/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the URLs of a site
         * @description Reads the sitemaps of the site, the links of one page, and your earlier scrapes of the host. Counts one scrape, and has no record. The status is 200 whatever was found; `page` and `sitemaps` say what could not be read. Needs the scope `scrape`.
         */
        post: operations["createMap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List monitors
         * @description The newest first. Needs the scope `read`.
         */
        get: operations["listMonitors"];
        put?: never;
        /**
         * Watch pages for changes
         * @description Runs a request, a crawl or a batch on a schedule, and compares each page with that of the run before. The first run, at once by default, is the baseline. Needs the scope `jobs`.
         */
        post: operations["createMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a monitor
         * @description Needs the scope `read`.
         */
        get: operations["getMonitor"];
        put?: never;
        post?: never;
        /**
         * Delete a monitor
         * @description Its runs and their records are deleted, too. Needs the scope `jobs`.
         */
        delete: operations["deleteMonitor"];
        options?: never;
        head?: never;
        /**
         * Change a monitor
         * @description Needs the scope `jobs`.
         */
        patch: operations["changeMonitor"];
        trace?: never;
    };
    "/api/v1/monitors/{id}/noise/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get proposals of what to ignore
         * @description Lines that changed in most of the latest runs, such as clocks and counters, with rules that hide them: add those you want to `compare.ignore`. At least three runs are needed. Needs the scope `read`.
         */
        get: operations["getMonitorNoise"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/pause/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a monitor
         * @description Needs the scope `jobs`.
         */
        post: operations["pauseMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/resume/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused monitor
         * @description Its runs have the rights of the key or session of this request from now on. Needs the scope `jobs`.
         */
        post: operations["resumeMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/run/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a monitor now
         * @description The schedule stays as it is. Needs the scope `jobs`.
         */
        post: operations["runMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitors/{id}/runs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a monitor
         * @description The newest first, each with what changed. Needs the scope `read`.
         */
        get: operations["listMonitorRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what you were told
         * @description The newest first: changes and failures of monitors, ends of jobs that tell of them, alerts, and channels that do not work; also without any channel. Kept for 30 days, the newest 5,000. Needs the scope `read`.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/read/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark notifications as read
         * @description Needs the scope `read`.
         */
        post: operations["readNotifications"];
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
        /** Get the OpenAPI document */
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
         * List proxy pools
         * @description Health, traffic and cost of each proxy, without credentials. For administrators. Needs the scope `admin`.
         */
        get: operations["listProxies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what concerns all proxies
         * @description Needs the scope `admin`.
         */
        patch: operations["changeProxies"];
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
         * List the proxy pools and countries that requests can use
         * @description Needs the scope `read`.
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
    "/api/v1/proxies/history/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the proxy pools over time
         * @description Of all replicas together; other replicas with a delay of at most a minute. Of at most 100 pools. Minutes are kept for a day, hours for 90 days. Needs the scope `admin`.
         */
        get: operations["getProxyHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxies/pools/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings of proxy pools
         * @description Those of the file that `SLUICE_PROXIES` names; if it is not set, those of the database. Needs the scope `admin`.
         */
        get: operations["listPoolSettings"];
        put?: never;
        /**
         * Create a proxy pool
         * @description The members are those of the file of pools. The pool is used at once, by all replicas. Credentials are stored encrypted. Needs the scope `admin`.
         */
        post: operations["createPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxies/pools/{name}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of a proxy pool
         * @description Needs the scope `admin`.
         */
        get: operations["getPoolSettings"];
        put?: never;
        post?: never;
        /**
         * Delete a proxy pool
         * @description Running attempts end through its proxies. Needs the scope `admin`.
         */
        delete: operations["deletePool"];
        options?: never;
        head?: never;
        /**
         * Change a proxy pool
         * @description A member that is null is removed; one that is missing stays. A proxy or template with `***` keeps its stored credentials. Needs the scope `admin`.
         */
        patch: operations["changePool"];
        trace?: never;
    };
    "/api/v1/proxies/pools/{name}/test/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the proxies of a pool
         * @description Fetches the URL once through each of the first proxies, or countries of a template, also through one that is paused. These are attempts like others: they count, cost, and can end a pause. Takes at most 20 s for each five proxies. Needs the scope `admin`.
         */
        post: operations["testPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxy-ca.pem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the certificate of the proxy port
         * @description The certificate authority that signs what the proxy port shows to clients of https sites. Clients must trust it.
         */
        get: operations["getProxyCa"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-requests/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved requests
         * @description Needs the scope `read`.
         */
        get: operations["listSavedRequests"];
        put?: never;
        /**
         * Save a request
         * @description Stores a scrape request under a name, with masked secrets. A request of the same name is replaced. Needs the scope `jobs`.
         */
        post: operations["saveRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-requests/{id}/": {
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
         * Delete a saved request
         * @description Needs the scope `jobs`.
         */
        delete: operations["deleteSavedRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description The newest first. Needs the scope `read`.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Run a job on a schedule
         * @description Starts a scrape, a batch or a crawl again and again. Each run is a job with `schedule_id`, with the rights of the key or session of this request. Needs the scope `jobs`.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{id}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schedule
         * @description Needs the scope `read`.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule
         * @description The jobs of its runs stay, with their results; one that runs goes on. Needs the scope `jobs`.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a schedule
         * @description Needs the scope `jobs`.
         */
        patch: operations["changeSchedule"];
        trace?: never;
    };
    "/api/v1/schedules/{id}/pause/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a schedule
         * @description A run under way goes on. Needs the scope `jobs`.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{id}/resume/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused schedule
         * @description Its runs have the rights of the key or session of this request from now on. Due times of the pause are listed as missed. Needs the scope `jobs`.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{id}/run/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a schedule now
         * @description Its due times stay as they are, also while it is paused. Needs the scope `jobs`.
         */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{id}/runs/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a schedule
         * @description The newest first, with those that were missed, and why. The newest 1,000 are kept. Needs the scope `read`.
         */
        get: operations["listScheduleRuns"];
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
         * List stored scrapes
         * @description Scrapes appear when they end, sorted by their start time. Each request searches a limited number of records, so a filtered page can be short or empty although more follow: continue with `next_cursor` until it is null. `X-Searched-To` says how far back a page searched. To poll for new scrapes, set `from` to a little more than your longest timeout before now. Sessions of administrators see the scrapes of all users; all others see only their own. Needs the scope `read`.
         */
        get: operations["listScrapes"];
        put?: never;
        /**
         * Scrape a page
         * @description Fetches the URL and returns the result. The status is 200 whenever the target returned a page; the status of that page is `status_code`. Problems are listed in `errors`. With the header `Prefer: respond-async` the response is 202 at once, and the result is at `Location`. With `Accept: text/event-stream` the response to a scrape that begins is a stream of Server-Sent Events: `progress` whenever it does something else, with a `ScrapeProgress` that says everything, and at last `result` or `problem`, with what would otherwise be the body of a 200 or of another status. If the connection is closed, the scrape is cancelled. Needs the scope `scrape`.
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
         * Get a stored scrape
         * @description Returns 200 for every stored record, including failed scrapes; 202 while an asynchronous scrape has not ended. Needs the scope `read`.
         */
        get: operations["getScrape"];
        put?: never;
        post?: never;
        /**
         * Delete a stored scrape
         * @description Needs the scope `scrape`.
         */
        delete: operations["deleteScrape"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/{id}/compare/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the pages of two stored scrapes
         * @description What the page of this record has that the page of the record `before` does not have, and the reverse, without fetching. The records may be of different URLs. `state` is `same` or `changed`, or `error` with a `reason` if one of them has nothing to compare: `no_content`, `empty`, `unreadable` or `no_data`. Needs the scope `read`.
         */
        get: operations["compareScrapes"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Download the content of a stored scrape
         * @description A download with the media type of the page; text is converted to UTF-8. The content is untrusted: its Content-Security-Policy sandboxes it, and forbids scripts and external resources. Needs the scope `read`.
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
    "/api/v1/scrape/{id}/files/{number}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a stored scrape
         * @description The printed page (0), or a download (1, 2, …). Always an attachment: files are untrusted. Signed links in responses point here and need no API key until they expire. Not stored if `router.retain` is not `full`. Needs the scope `read`.
         */
        get: operations["getScrapeFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scrape/{id}/read/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a stored scrape again
         * @description Reads formats and data from the stored content, without fetching the page. The members are those of `scraper_options`, and the results those of `scraper_data`. Makes no record and changes nothing, but counts as a request in flight, also by session. `json` also needs the scope `scrape`. Documents in frames are not stored, except for those in `srcdoc`. Needs the scope `read`.
         */
        post: operations["readScrape"];
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
         * Get the request of a stored scrape
         * @description The request as received, with secrets masked. Needs the scope `read`.
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
         * Get the screenshot of a stored scrape
         * @description The screenshot requested with `screenshot: true`. Signed links in responses point here and need no API key until they expire. Not stored if `router.retain` is not `full`. Needs the scope `read`.
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
         * Get one of several screenshots of a stored scrape
         * @description `screenshot` actions are numbered from 1 in order; 0 is the screenshot of the scrape itself. Signed links in responses point here and need no API key until they expire. Not stored if `router.retain` is not `full`. Needs the scope `read`.
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
         * Export stored scrapes
         * @description Newest first, at most 100,000 records. For more, repeat the request with `to` set to the last `created_at` plus one millisecond, and skip ids that you already have. The fields are those of the list. CSV (RFC 4180, UTF-8) has a header line, tags as JSON, and an apostrophe before cells that a spreadsheet could read as a formula. If the connection breaks, the export is incomplete. Needs the scope `read`.
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
    "/api/v1/scrape/totals/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Add up stored scrapes
         * @description Totals of the records that the filters of the list match, and their number over time. Each request examines a limited number of records, the newest first: until `next_cursor` is null, the totals cover only those since `searched_to`. To count all, repeat the request with the cursor and add up the responses. Needs the scope `read`.
         */
        get: operations["getScrapeTotals"];
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
         * List scrapers and browsers, and why some are unavailable
         * @description Needs the scope `read`.
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
         * Get the current session
         * @description Needs a session; API keys are not accepted.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description Sets the cookie `sluice_session`. The response does not say whether the e-mail or the password was wrong. A user with a second factor gets 401 `auth.second_factor` without a right `code`.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Needs a session; API keys are not accepted.
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
         * List your sessions
         * @description Needs a session; API keys are not accepted.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description Needs a session; API keys are not accepted.
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
         * End one of your sessions
         * @description Needs a session; API keys are not accepted.
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
        /** Check a set-up link */
        post: operations["checkSetUpLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get how to sign in by OpenID Connect */
        get: operations["getSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/callback/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The redirect URI of OpenID Connect
         * @description For browsers that come from the provider. Sets the cookie `sluice_session`. `error` of the sign-in page is one of `cancelled`, `disabled`, `email_not_verified`, `expired`, `no_role`, `no_user`, `other_identity`, `provider_failed`, `provider_unavailable`, `too_many`.
         */
        get: operations["finishSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/start/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in by OpenID Connect
         * @description For browsers. Leads to the provider, and keeps what the second step needs in a cookie for 10 minutes.
         */
        get: operations["startSingleSignOn"];
        put?: never;
        post?: never;
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
         * Change your password
         * @description Ends all your other sessions. Needs a session; API keys are not accepted.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/second-factor/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of your second factor
         * @description Needs a session; API keys are not accepted.
         */
        get: operations["getSecondFactor"];
        put?: never;
        /**
         * Begin to add an authenticator app
         * @description Codes are those of RFC 6238: SHA-1, 6 digits, 30 s. It counts only when a code has confirmed it. Needs a session; API keys are not accepted.
         */
        post: operations["enrolSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/second-factor/confirm/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor on
         * @description Needs a session; API keys are not accepted.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/second-factor/disable/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second factor off
         * @description Needs a session; API keys are not accepted.
         */
        post: operations["disableSecondFactor"];
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
         * Set the password with a set-up link, and sign in
         * @description The link stops working, and all earlier sessions of the user end.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sites
         * @description The sites scraped this month and last month, the most scraped first. With an API key, the figures cover its user; sessions of administrators see all users together. Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. Needs the scope `read`.
         */
        get: operations["listSites"];
        put?: never;
        post?: never;
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
         * Get what is known about a site
         * @description Results of past attempts, the protections they suggest, and the method that `auto` would try first. Users see the hosts of their own records; administrators see all. Needs the scope `admin`.
         */
        get: operations["getSite"];
        put?: never;
        post?: never;
        /**
         * Forget what is known about a site
         * @description Pinned methods are kept. For administrators. Needs the scope `admin`.
         */
        delete: operations["forgetSite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{host}/bill/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the scrapes of a site have cost
         * @description By month and method, for the last twelve months, and what a cheaper method would have saved. The port of the host does not count. With an API key, the figures cover its user; sessions of administrators see all users together. Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. Needs the scope `read`.
         */
        get: operations["getSiteBill"];
        put?: never;
        post?: never;
        delete?: never;
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
         * Pin the method that `auto` tries first on a site
         * @description Applies to requests that allow this method and set no `router.order`. If the method fails, `auto` tries others as usual. For administrators. Needs the scope `admin`.
         */
        post: operations["pinSite"];
        /**
         * Remove a pin
         * @description For administrators. Needs the scope `admin`.
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
         * Get statistics
         * @description Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. With an API key, the figures cover its user. Needs the scope `read`.
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
         * Get the state of the service
         * @description Current process, memory, storage, limits and browsers of this process. For administrators. Needs the scope `admin`.
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
    "/api/v1/system/history/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the service over time
         * @description Of all replicas together; other replicas with a delay of at most a minute. Minutes are kept for a day, hours for 90 days. Needs the scope `admin`.
         */
        get: operations["getSystemHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Needs the scope `read`.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description Stores rules for `extract` under a name. A request uses them with `scraper_options.extract: "template:<name>"`. Needs the scope `jobs`.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/templates/{name}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template
         * @description Needs the scope `read`.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        /**
         * Delete a template
         * @description Needs the scope `jobs`.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        /**
         * Change the rules of a template
         * @description Replaces all rules. Requests that were accepted before keep the rules that they had. Needs the scope `jobs`.
         */
        patch: operations["changeTemplate"];
        trace?: never;
    };
    "/api/v1/usage/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage and costs
         * @description Scrapes, attempts and costs of a time, split by day, hour, key, host, scraper, proxy type, vendor, user or outcome, and compared with the time before. With an API key, the figures cover its user; sessions of administrators see all users together. Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. A scrape counts at the scraper and proxy type of its result, each attempt at its own. Needs the scope `read`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/export/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export usage and costs
         * @description All items as lines, at most 100,000, and a last line with `is_other` for names that are counted together. CSV (RFC 4180, UTF-8) has a header line, and an apostrophe before cells that a spreadsheet could read as a formula. With an API key, the figures cover its user; sessions of administrators see all users together. Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. A scrape counts at the scraper and proxy type of its result, each attempt at its own. Needs the scope `read`.
         */
        get: operations["exportUsage"];
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
         * @description Needs the scope `admin`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Needs the scope `admin`.
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
         * Get a user
         * @description Needs the scope `admin`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Needs the scope `admin`.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/v1/users/{id}/identities/": {
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
         * Unlink a user from the OpenID provider
         * @description The next sign-in by the provider with the verified address of the user links them again. Sessions go on. Needs the scope `admin`.
         */
        delete: operations["removeIdentities"];
        options?: never;
        head?: never;
        patch?: never;
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
         * Create a link that sets the password of a user
         * @description The link works once and expires after 24 hours. Earlier links stop working. Needs the scope `admin`.
         */
        post: operations["createUserLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}/second-factor/": {
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
         * Remove the second factor of a user
         * @description For users who have lost their device and their recovery codes. Needs the scope `admin`.
         */
        delete: operations["resetSecondFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vendors/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List vendors
         * @description Those of the file that `SLUICE_VENDORS` names; if it is not set, those of the database. Needs the scope `admin`.
         */
        get: operations["listVendors"];
        put?: never;
        /**
         * Create a vendor
         * @description The members are those of the file of vendors, without `key_file`. The vendor can be used at once, by all replicas. Its key is stored encrypted. Needs the scope `admin`.
         */
        post: operations["createVendor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vendors/{name}/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a vendor
         * @description Needs the scope `admin`.
         */
        get: operations["getVendor"];
        put?: never;
        post?: never;
        /**
         * Delete a vendor
         * @description Running requests to it end. Needs the scope `admin`.
         */
        delete: operations["deleteVendor"];
        options?: never;
        head?: never;
        /**
         * Change a vendor
         * @description A member that is null is removed; one that is missing stays. The key `***` stays, too. Needs the scope `admin`.
         */
        patch: operations["changeVendor"];
        trace?: never;
    };
    "/api/v1/vendors/{name}/test/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a vendor
         * @description Makes one real request through the vendor, which may cost money, also while it is left alone. It counts like any other. Needs the scope `admin`.
         */
        post: operations["testVendor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vendors/history/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the vendors over time
         * @description Of all replicas together; other replicas with a delay of at most a minute. Minutes are kept for a day, hours for 90 days. Needs the scope `admin`.
         */
        get: operations["getVendorHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/version/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the version */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description The newest first. Deliveries are kept for 30 days. Sessions of administrators see those of all users. Needs the scope `read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/redeliver/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again
         * @description With the same id. It is retried as at the first time. Needs the scope `jobs`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/default/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your default webhook
         * @description Needs a session; API keys are not accepted.
         */
        get: operations["getDefaultWebhook"];
        put?: never;
        /**
         * Set your default webhook
         * @description It gets the events of all jobs and asynchronous scrapes that are started from now on and have no `webhook` of their own. Needs a session; API keys are not accepted.
         */
        post: operations["setDefaultWebhook"];
        /**
         * Delete your default webhook
         * @description Needs a session; API keys are not accepted.
         */
        delete: operations["deleteDefaultWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/secret/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the secret that signs your messages
         * @description Needs a session; API keys are not accepted.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/secret/rotate/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret
         * @description For 24 hours messages are signed with both. Needs a session; API keys are not accepted.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/test/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends a message of the type `webhook.test` once. Missing members are taken from your default webhook. The list of deliveries shows how it ended. Needs the scope `jobs`.
         */
        post: operations["testWebhook"];
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
        /** Documentation as a web site */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** API reference as a web page */
        get: operations["getDocsApi"];
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
        /** Check that the process is running */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Short description of the API for language models */
        get: operations["getLlms"];
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
         * @description Without `SLUICE_METRICS_TOKEN`, only for callers on the same machine.
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
         * Check that the service accepts requests
         * @description The service is ready without a browser too: HTTP scrapers keep working. While the data is migrated after an update, every path but `/healthz` is 503 with `details.reason` `migrating`.
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
        /** @description Result of a page action. */
        ActionResult: {
            duration_ms: number;
            error?: {
                code: string;
                message: string;
            };
            id: string | null;
            /** @description Position in `page_actions`. Actions inside an `if` have the index of the `if`, and follow it. */
            index: number;
            /** @description Result of the action; depends on its type. Not stored if `router.retain` is not `full`. */
            result?: unknown;
            /** @enum {unknown} */
            status: "ok" | "failed" | "skipped";
            type: string;
        };
        Alert: {
            channels: components["schemas"]["AlertChannelView"][];
            clear_for_s: number;
            conditions: components["schemas"]["AlertConditions"];
            /** Format: date-time */
            created_at: string;
            enabled: boolean;
            for_s: number;
            /** Format: uuid */
            id: string;
            /** @description What is too high now. At most 50. */
            instances: {
                /** Format: date-time */
                since: string;
                /**
                 * @description `pending`: not for `for_s` seconds yet.
                 * @enum {unknown}
                 */
                state: "pending" | "firing";
                /** @description As in events. */
                subject: string;
                summary: string;
                /** @description As of the last minute. */
                value: number;
            }[];
            /** @enum {unknown} */
            kind: "site_success" | "budget" | "monitor" | "pool" | "vendor" | "disk" | "memory";
            name: string;
            /** @description Nothing is sent before. */
            silenced_until: string | null;
            /** @description Since when the first instance has been too high; null: none fires. */
            since: string | null;
            /** @enum {unknown} */
            state: "ok" | "firing";
        };
        /** @description `conditions` replaces all of them. `channels` is the new list; those with only an `id` stay. With `enabled: false` it no longer fires, without a message. */
        AlertChange: {
            channels?: components["schemas"]["AlertChannel"][];
            /** @description Seconds that the value must be low enough before it is resolved. Default: 0 for `budget` and `monitor`, 600 for `vendor`, otherwise 300. */
            clear_for_s?: number;
            conditions?: components["schemas"]["AlertConditions"];
            /** @default true */
            enabled?: boolean;
            /** @description Seconds that the value must be too high before it fires. Default: 0 for `budget`, `monitor` and `vendor`, otherwise 300. */
            for_s?: number;
            name?: string;
        };
        AlertChannel: {
            /** @description Of `webhook`: headers to send. Their values are masked when they are read. */
            headers?: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description A channel of yours (`/api/v1/channels/`); or, in a change, one of the rule, which stays as it is. Then it has no other members.
             */
            id?: string;
            /** @description Of `email`: addresses. */
            to?: string[];
            /** @enum {unknown} */
            type?: "webhook" | "email" | "slack";
            /** @description Of `webhook` and `slack` (or what takes the same messages). http or https. */
            url?: string;
        };
        AlertChannelView: {
            /** @description With masked values. */
            headers: {
                [key: string]: string;
            };
            /** Format: uuid */
            id: string;
            /** @description Of a channel of yours, which others may use, too. null: it belongs to the rule. */
            name: string | null;
            to: string[];
            /** @enum {unknown} */
            type: "webhook" | "email" | "slack";
            /** @description The path of a Slack URL is masked. Of `email` null. */
            url: string | null;
        };
        AlertConditions: {
            /**
             * @description Of `site_success`: the scrapes of all users. Only for administrators.
             * @default false
             */
            all_users?: boolean;
            /**
             * @description Of `site_success`: days before the window that are compared with.
             * @default 7
             */
            baseline_days?: number;
            /** @description It is resolved at this value or below. Lower than `threshold`. */
            clear_threshold?: number;
            /**
             * @description Of `site_success`: fewer scrapes in the window, or in the days before, say nothing.
             * @default 20
             */
            min_scrapes?: number;
            /** @description Only this host (`site_success`), id of a key (`budget`) or of a monitor, name of a pool or vendor. null, the default: all. */
            subject?: string | null;
            /** @description It fires from this value on. Of `site_success`: how much lower the share of successful scrapes is than in the days before, as 0.3 for 30 percentage points. Of `budget`, `disk` and `memory`: the share that is used. Of `pool`: the share of exits that cannot be used. Of `monitor`: failed runs in a row. Of `vendor`: always 1. */
            threshold?: number;
            /**
             * @description Of `site_success`: the last seconds, whose success is measured.
             * @default 3600
             */
            window_s?: number;
        };
        AlertEvent: {
            /** Format: date-time */
            at: string;
            /** @description One for each channel. They are kept for 30 days. */
            deliveries: {
                /** @description Why the last try failed. */
                error: string | null;
                last_at: string | null;
                /**
                 * @description `failed`: given up.
                 * @enum {unknown}
                 */
                state: "queued" | "sending" | "delivered" | "failed";
                /** @description Status of the last answer; of mail null. */
                status: number | null;
                tries: number;
                /** @enum {unknown} */
                type: "webhook" | "email" | "slack";
            }[];
            /** Format: uuid */
            id: string;
            rule: {
                /** Format: uuid */
                id: string;
                /** @enum {unknown} */
                kind: "site_success" | "budget" | "monitor" | "pool" | "vendor" | "disk" | "memory";
                name: string;
            };
            /** @description Nothing was sent, because the rule was silenced. */
            silenced: boolean;
            /**
             * Format: date-time
             * @description Since when the value had been too high.
             */
            since: string;
            /** @enum {unknown} */
            state: "firing" | "resolved";
            /** @description Host, id of the key or of the monitor, name of the pool or vendor, `disk`, `contents` or `machine`. */
            subject: string;
            /** @description The value in a sentence. */
            summary: string;
            threshold: number;
            /** @description null: there was none for a day. */
            value: number | null;
        };
        AlertEventList: {
            items: components["schemas"]["AlertEvent"][];
            next_cursor: string | null;
        };
        AlertList: {
            /** @description Types of channels that rules can have. `email` only with a mail server (`SLUICE_SMTP_URL`). */
            channel_types: ("webhook" | "email" | "slack")[];
            items: components["schemas"]["Alert"][];
            next_cursor: string | null;
        };
        AlertRequest: {
            channels: components["schemas"]["AlertChannel"][];
            /** @description Seconds that the value must be low enough before it is resolved. Default: 0 for `budget` and `monitor`, 600 for `vendor`, otherwise 300. */
            clear_for_s?: number;
            conditions?: components["schemas"]["AlertConditions"];
            /** @default true */
            enabled?: boolean;
            /** @description Seconds that the value must be too high before it fires. Default: 0 for `budget`, `monitor` and `vendor`, otherwise 300. */
            for_s?: number;
            /**
             * @description `pool`, `vendor`, `disk` and `memory` are only for administrators.
             * @enum {unknown}
             */
            kind: "site_success" | "budget" | "monitor" | "pool" | "vendor" | "disk" | "memory";
            name: string;
        };
        AlertSilence: {
            /** @description Nothing is sent before. null: the silence ends now. */
            until: string | null;
        };
        AlertTestResult: {
            channels: {
                duration_ms: number;
                error: string | null;
                /** Format: uuid */
                id: string;
                ok: boolean;
                /** @description Status of the answer; null: none, or mail. */
                status: number | null;
                /** @enum {unknown} */
                type: "webhook" | "email" | "slack";
            }[];
        };
        ApiKey: {
            concurrency: number | null;
            /** @description Cost of these scrapes, in `cost_unit`. */
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
            scopes: ("scrape" | "read" | "jobs" | "admin")[];
        };
        ApiKeyCreate: {
            /** @description Maximum concurrent requests of this key. null: the limit of the user. */
            concurrency?: number | null;
            daily_budget?: {
                /** @description A whole number if the unit is `scrapes`. */
                amount: number;
                /**
                 * @description `cost` is only accepted if prices are configured.
                 * @enum {unknown}
                 */
                unit: "scrapes" | "cost";
            } | null;
            /** @description Target domains the key may scrape, including subdomains. Empty: all. */
            domains?: string[];
            expires_at?: string | null;
            /** @description IP addresses or CIDR ranges the key may be used from. Empty: all. */
            ips?: string[];
            name: string;
            scopes?: ("scrape" | "read" | "jobs" | "admin")[];
        };
        ApiKeyList: {
            items: components["schemas"]["ApiKey"][];
        };
        /** @description Fields left out stay unchanged; null removes a limit. */
        ApiKeyPatch: {
            /** @description Maximum concurrent requests of this key. null: the limit of the user. */
            concurrency?: number | null;
            daily_budget?: {
                /** @description A whole number if the unit is `scrapes`. */
                amount: number;
                /**
                 * @description `cost` is only accepted if prices are configured.
                 * @enum {unknown}
                 */
                unit: "scrapes" | "cost";
            } | null;
            /** @description Target domains the key may scrape, including subdomains. Empty: all. */
            domains?: string[];
            expires_at?: string | null;
            /** @description IP addresses or CIDR ranges the key may be used from. Empty: all. */
            ips?: string[];
            name?: string;
            scopes?: ("scrape" | "read" | "jobs" | "admin")[];
        };
        ApiKeyRotate: {
            /**
             * @description Hours during which the old key keeps working.
             * @default 0
             */
            overlap_hours?: number;
        };
        /** @description The scrape has not ended. */
        AsyncState: {
            /**
             * Format: uuid
             * @description Id of the stored record.
             */
            id: string;
            /** @enum {unknown} */
            state: "queued" | "running";
        };
        Attempt: {
            bytes_in: number;
            bytes_out: number;
            cost: number | null;
            country: string | null;
            /** @description Whether no proxy was used. */
            direct?: boolean;
            duration_ms: number;
            error_code: components["schemas"]["ErrorCode"] | null;
            n: number;
            /** @enum {unknown} */
            outcome: "ok" | "rejected" | "failed" | "cancelled";
            /** @enum {unknown} */
            proxy_type: "datacenter" | "residential" | "mobile" | "custom" | "none";
            reason: string;
            reused: string[];
            scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
            status_code: number | null;
            verdict: ("ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty") | null;
        };
        Attention: {
            /** @description The worst first. */
            items: components["schemas"]["AttentionEntry"][];
            /** @description Number of all entries, also of those beyond `limit`. */
            total: number;
        };
        AttentionEntry: {
            /** @description A rule of yours that fires for it. null: none does. */
            alert: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            /**
             * @description What it is about, as of alerts.
             * @enum {unknown}
             */
            kind: "site_success" | "budget" | "monitor" | "pool" | "vendor" | "disk" | "memory";
            /** @description Name of the key or monitor; otherwise as `subject`. */
            name: string;
            /** @description Why the vendor failed. null for other kinds. */
            reason: ("auth" | "credits" | "throttled" | "timeout" | "blocked" | "protocol" | "unsupported") | null;
            since: string | null;
            /** @description Of a site whose scrapes stopped working. null for other kinds. */
            site: {
                ok_share: number;
                /** @description Scrapes in this time. */
                scrapes: number;
                /** @description In the 7 days before. */
                usual_ok_share: number;
                /** @description The last seconds, which are compared. */
                window_s: number;
            } | null;
            /** @description Host, id of the key or monitor, name of the pool or vendor; `disk`; `machine` or `contents` (`memory`). */
            subject: string;
            /** @description The value in a sentence. */
            summary: string;
            /** @description Owner of the key or monitor. null for other kinds. */
            user_id: string | null;
            /** @description As alerts of this kind measure it. */
            value: number;
        };
        AuditEntry: {
            /** @enum {unknown} */
            action: "user.created" | "user.updated" | "key.created" | "key.updated" | "key.revoked" | "key.rotated" | "session.created" | "session.refused" | "session.ended" | "password.changed" | "second_factor.enabled" | "second_factor.disabled" | "second_factor.reset" | "recovery_code.used" | "link.created" | "link.used" | "invitation.created" | "invitation.resent" | "invitation.revoked" | "identity.linked" | "identity.removed" | "alert.created" | "alert.updated" | "alert.deleted" | "alert.silenced" | "channel.created" | "channel.updated" | "channel.deleted" | "pool.created" | "pool.updated" | "pool.deleted" | "proxies.updated" | "vendor.created" | "vendor.updated" | "vendor.deleted" | "site.forgotten" | "site.pinned" | "site.unpinned" | "webhook_secret.rotated" | "default_webhook.changed" | "default_webhook.deleted";
            actor: {
                /** @description Its present e-mail address; of a deleted user, the address at that time. */
                email: string | null;
                key_id: string | null;
                /** @description Its present name, also if it was revoked. */
                key_name: string | null;
                /** @description null: the operator at the command line, or a failed sign-in of an unknown user. */
                user_id: string | null;
                /**
                 * @description `sign_in`: with a password or a link. `command_line`: also settings applied at the start.
                 * @enum {unknown}
                 */
                via: "session" | "key" | "command_line" | "sign_in";
            };
            /** @description IP address of the caller. */
            address: string | null;
            /** Format: date-time */
            at: string;
            /** @description `changed`: names of the fields that were set. Never their values, except e-mail addresses and roles of users, names of alerts, and `scraper` and `proxy_type` of a pin. */
            details: {
                [key: string]: unknown;
            };
            /** @description Its present e-mail address; of a deleted user, the address at that time. */
            email: string | null;
            /** Format: uuid */
            id: string;
            target: {
                id: string;
                /** @description The present name of a key, the e-mail address of a user, also if it was deleted, or the name of an alert at that time; otherwise as `id`. null: a session, or not known. */
                name: string | null;
                /** @enum {unknown} */
                type: "user" | "key" | "session" | "site" | "pool" | "vendor" | "alert" | "channel";
            } | null;
            /** @description User whose account it concerns. */
            user_id: string | null;
        };
        AuditPage: {
            items: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
        };
        /** @description Goes back to the previous page and waits for its `load` event. */
        BackAction: {
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "back";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description A scrape request, with an optional `ref`: your own name for it. */
        BatchItem: {
            /**
             * @description Follow redirects. If false, the redirect response is the result.
             * @default true
             */
            allow_redirects?: boolean;
            /**
             * @description Browser to use (default: `chromium`). Browser only.
             * @enum {unknown}
             */
            browser_type?: "chromium" | "firefox" | "webkit" | "chrome" | "msedge" | "edge";
            /** @description Cookies for the host of the URL: `{name: value}`, or an array of objects, `[name, value]` or `"name=value"`. Null leaves a cookie out. */
            cookies?: {
                [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
            } | ({
                /** @description `hasCrossSiteAncestor` of `partitionKey`. */
                _crHasCrossSiteAncestor?: boolean;
                domain?: string;
                /** @description The same as `expires`. */
                expirationDate?: number;
                /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
                expires?: number;
                /** @description The same as `expires`. */
                expiry?: number;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                firstPartyDomain?: string;
                /** @description true: subdomains of `domain` are excluded. */
                hostOnly?: boolean;
                http_only?: boolean;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                id?: number | string;
                name: string;
                /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
                partitionKey?: string | {
                    hasCrossSiteAncestor?: boolean;
                    sourceOrigin?: string;
                    topLevelSite?: string;
                };
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                partitionKeyOpaque?: boolean;
                path?: string;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                priority?: string;
                /** @description `strict`, `lax` or `none`, in any letter case. */
                same_site?: string;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                sameParty?: boolean;
                secure?: boolean;
                /** @description true: a session cookie, whatever `expires` says. */
                session?: boolean;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                size?: number;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                sourcePort?: number;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                sourceScheme?: string;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                storeId?: string;
                value: (string | number | boolean) | null;
            } | [
                string,
                (string | number | boolean) | null
            ] | string)[];
            /** @description The request body. Sluice detects JSON, form or raw text. To choose the format yourself, use `$json`, `$form`, `$raw`, `$base64` or `$multipart`. */
            data?: unknown;
            /** @description Request headers, sent in this order: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"Name: value"`. An array as the value repeats the header; null leaves it out. */
            headers?: {
                [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
            } | ({
                name: string;
                value: (string | number | boolean) | null;
            } | [
                string,
                (string | number | boolean) | null
            ] | string)[];
            /**
             * @description Run the browser without a window. Browser only.
             * @default true
             */
            headless?: boolean;
            /**
             * @description GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.
             * @default GET
             */
            method?: string;
            /** @description Actions to run in the page, in order. Browser only. */
            page_actions?: components["schemas"]["PageAction"][];
            /**
             * @description `datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.
             * @default datacenter
             */
            proxy?: string | components["schemas"]["ProxySettings"];
            /** @description Appended to the query string of the URL: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"name=value"`. An array as the value repeats the name; null leaves it out. Values are percent-encoded. */
            query?: {
                [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
            } | ({
                name: string;
                value: (string | number | boolean) | null;
            } | [
                string,
                (string | number | boolean) | null
            ] | string)[];
            ref?: string;
            /** @description Routing options. A string is shorthand for `sort`. */
            router?: ("balanced" | "cheapest" | "fastest" | "reliable") | components["schemas"]["RouterAsk"];
            /**
             * @description `auto` picks the cheapest scraper likely to work, and falls back to others if it fails.
             * @default auto
             */
            scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
            scraper_options?: components["schemas"]["ScraperOptions"];
            /**
             * @description Take a screenshot. Browser only.
             * @default false
             */
            screenshot?: boolean;
            /**
             * @description Time limit for the whole request: queueing, all attempts and waits.
             * @default 60000
             */
            timeout_ms?: number;
            /** @description Absolute `http:` or `https:` URL, at most 8,192 characters. */
            url?: string;
            /**
             * @description Load state to wait for (default: `load`). Browser only.
             * @enum {unknown}
             */
            wait_for_load_state?: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
            /** @description Wait until this element is visible: a CSS selector, `xpath=…` or `text=…`. `scraper_options.wait_for_selector_state` sets another state to wait for. Browser only. */
            wait_for_selector?: string;
            /** @description Additional fixed wait, after the other waits. Browser only. */
            wait_for_timeout_ms?: number;
        };
        BatchRequest: {
            /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
            channels?: string[];
            /** @description Items that may run at once. Default: as many as all your jobs together may run. */
            concurrency?: number;
            /** @description Members that every request gets that does not have them itself. */
            defaults?: Record<string, never>;
            /** @description How long the results are kept after the end. Default: as long as other records. */
            expires_in_s?: number;
            /**
             * @description `skip`: requests that are not valid are skipped, and listed in the answer.
             * @default refuse
             * @enum {unknown}
             */
            invalid?: "refuse" | "skip";
            /** @description Limit for the cost of all items together. When it is reached, the rest is skipped. */
            max_cost?: number;
            /** @description Any JSON object; given back with the job and in webhooks. */
            metadata?: Record<string, never>;
            /** @description For lists. */
            name?: string;
            /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
            notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
            /**
             * @description Among your own jobs, those with a higher priority go first.
             * @default 0
             */
            priority?: number;
            requests: components["schemas"]["BatchItem"][];
            /**
             * @description How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
             * @default 2
             */
            retries?: number;
            /** @description Labels of the job. Names and values have at most 64 characters. */
            tags?: {
                [key: string]: string;
            };
            webhook?: components["schemas"]["Webhook"];
        };
        Candidate: {
            est_cost: number | null;
            est_ms: number | null;
            est_success: number | null;
            /** @description All slots of the account at the vendor are taken: how long the attempt would wait for one. */
            est_wait_ms?: number;
            excluded_by: string | null;
            /** @enum {unknown} */
            proxy_type: "datacenter" | "residential" | "mobile" | "custom" | "none";
            scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
            selected: boolean;
        };
        CapturedExchange: {
            /** @description null if it was not requested, the response has none (a redirect), it was not received, or it is too long. */
            body: string | null;
            body_encoding: ("utf-8" | "base64") | null;
            /** @description Time to the last byte. null if it did not end. */
            duration_ms?: number | null;
            /** @description Names in lower case; repeated headers are joined. */
            headers: {
                [key: string]: string;
            };
            method: string;
            /** @description Request headers as sent, with secrets masked. */
            request_headers: {
                [key: string]: string;
            };
            /** @description `document`, `script`, `xhr`, `fetch` … */
            resource_type: string;
            /** @description Start, counted from that of the first entry. Absent in results of `wait_for_response`, and in records of earlier versions. */
            started_ms?: number;
            /** @description null if there was no response. */
            status: number | null;
            /** @description Whether the body was truncated. */
            truncated: boolean;
            /** @description URL without credentials. */
            url: string;
        };
        Change: {
            added: number;
            /** @description Of a crawl or a batch: all pages by state. */
            counts: components["schemas"]["PageCounts"] | null;
            /** @description Unified diff. */
            diff: string | null;
            /** @description Of `extract`, `json` and `structured`: values that differ. A missing value is null. */
            fields: {
                after: unknown;
                before: unknown;
                path: string;
            }[];
            /** @description Of a crawl or a batch: why it did not see all pages, such as `skip.limit`. Then no page is `gone` because it was not found. */
            incomplete: string | null;
            /** @description Of a crawl or a batch: those that are not the same, at most 1,000. Differences beyond 1,000,000 characters in all are left out. */
            pages: {
                added: number;
                /** @description Unified diff. */
                diff: string | null;
                /** @description Of `extract`, `json` and `structured`: values that differ. A missing value is null. */
                fields: {
                    after: unknown;
                    before: unknown;
                    path: string;
                }[];
                /** @description Of `screenshot`: the share of pixels that differ. */
                picture: {
                    height: number;
                    share: number;
                    width: number;
                } | null;
                /** @description The scrape that was compared with. */
                previous_id: string | null;
                /** @description Why it is an error, such as `signed_out`. */
                reason: string | null;
                removed: number;
                scrape_id: string | null;
                /** @description Share of lines that are the same. */
                similarity: number;
                /** @enum {unknown} */
                state: "new" | "changed" | "gone" | "error";
                url: string;
            }[];
            /** @description Of `screenshot`: the share of pixels that differ. */
            picture: {
                height: number;
                share: number;
                width: number;
            } | null;
            /** @description The scrape that was compared with. */
            previous_id: string | null;
            /** @description Why it is an error, such as `signed_out`. */
            reason: string | null;
            removed: number;
            /** @description Share of lines that are the same. */
            similarity: number;
            /** @enum {unknown} */
            state: "first" | "same" | "changed" | "gone" | "back" | "error";
        };
        Channel: {
            /** Format: date-time */
            created_at: string;
            /** @description Since when all tries have failed. */
            failing_since: string | null;
            /** @description With masked values. */
            headers: {
                [key: string]: string;
            };
            /** Format: uuid */
            id: string;
            last_delivered_at: string | null;
            /** @description Why the last try failed. */
            last_error: string | null;
            name: string;
            /**
             * @description `failing`: the last try failed. `paused`: nothing is sent until it is resumed.
             * @enum {unknown}
             */
            state: "ok" | "failing" | "paused";
            to: string[];
            /** @enum {unknown} */
            type: "webhook" | "email" | "slack";
            /** @description The path of a Slack URL is masked. Of `email` null. */
            url: string | null;
            /** @description What tells people by it, without jobs that have ended. At most 50. */
            used_by: {
                /** Format: uuid */
                id: string;
                name: string | null;
                /** @enum {unknown} */
                type: "monitor" | "job" | "scrape" | "alert" | "schedule";
            }[];
        };
        /** @description The type stays. `headers` replaces all of them; they must be given again with a `url` of another origin. */
        ChannelChange: {
            /** @description Of `webhook`: headers to send. Their values are masked when they are read. */
            headers?: {
                [key: string]: string;
            };
            name?: string;
            /** @description Of `email`: addresses. */
            to?: string[];
            /** @description Of `webhook` and `slack` (or what takes the same messages). http or https. */
            url?: string;
        };
        ChannelList: {
            /** @description Types of channels that you can make. `email` only with a mail server (`SLUICE_SMTP_URL`). */
            channel_types: ("webhook" | "email" | "slack")[];
            items: components["schemas"]["Channel"][];
            next_cursor: string | null;
        };
        ChannelRequest: {
            /** @description Of `webhook`: headers to send. Their values are masked when they are read. */
            headers?: {
                [key: string]: string;
            };
            name: string;
            /** @description Of `email`: addresses. */
            to?: string[];
            /** @enum {unknown} */
            type: "webhook" | "email" | "slack";
            /** @description Of `webhook` and `slack` (or what takes the same messages). http or https. */
            url?: string;
        };
        ChannelTestResult: {
            duration_ms: number;
            error: string | null;
            ok: boolean;
            /** @description Status of the answer; null: none, or mail. */
            status: number | null;
        };
        /** @description Checks a checkbox or radio button, unless it is already checked. */
        CheckAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "check";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Clicks an element once it is visible and stable, or a point in the viewport. */
        ClickAction: {
            /**
             * @description Click every matching element in turn. `result.clicked` is the number of clicks.
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
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Fail if several elements match. Otherwise the first one is clicked, and `result` says so: `{clicked: 1, matches, text, note}`.
             * @default false
             */
            strict?: boolean;
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "click";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
            /** @description Pixels from the left edge of the viewport. */
            x?: number;
            /** @description Pixels from the top edge of the viewport. */
            y?: number;
        };
        Compare: {
            /**
             * @description What is compared. `markdown`, `text` and `main_html` are those of the main content.
             * @default markdown
             * @enum {unknown}
             */
            format?: "markdown" | "text" | "main_html" | "extract" | "json" | "structured" | "screenshot" | "bytes";
            /** @description What does not count: CSS selectors, `/regular expressions/` (of one with a group, only the group), `dates`, `relative_times`, `counters`, `order` (of lines). */
            ignore?: string[];
            /**
             * @description Share of lines that must differ; of pixels for `screenshot`.
             * @default 0
             */
            min_change?: number;
            /** @description Compare only what this CSS selector matches. */
            selector?: string | null;
        };
        ComparedScrape: {
            attempts: number;
            content_bytes: number | null;
            /** @description As `router.explanation`. */
            explanation: string;
            final_url: string | null;
            /** @description Id of the record, which has the whole result. null: it could not be stored. */
            id: string | null;
            proxy_type: string | null;
            /** @description That delivered the page, or was tried last. */
            scraper: (("http" | "http_impersonate" | "browser" | "browser_stealth") | string) | null;
            /** @description Status of the target's response. */
            status_code: number | null;
            verdict: ("ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty") | null;
            warnings: components["schemas"]["WarningEntry"][];
        };
        CompareRequest: {
            /** @description A scrape request, without what the methods decide: `scraper`, and of `router` the members `order`, `only`, `ignore`, `allow_fallbacks` and `escalate_proxy`. If a method names a type of proxy, `proxy` may only be an object without `type`, `server`, `username` and `password`. `router.dry_run`, `webhook`, `channels`, `notify_on` and `compare_to` are refused. */
            request: Record<string, never>;
            /** @description The methods to compare: `scraper` or `scraper/proxy_type`, such as `http`, `auto`, `vendor:name` or `browser/residential`. A method without a type of proxy uses `request.proxy`. */
            ways: string[];
        };
        /** @description Compares the page with a record of the same user, method, URL, country and device, as monitors do: `scraper_data.change`. Needs the scope `read`. */
        CompareTo: {
            /**
             * @description What is compared. `markdown`, `text` and `main_html` are those of the main content.
             * @default markdown
             * @enum {unknown}
             */
            format?: "markdown" | "text" | "main_html" | "extract" | "json" | "structured" | "screenshot" | "bytes";
            /** @description What does not count: CSS selectors, `/regular expressions/` (of one with a group, only the group), `dates`, `relative_times`, `counters`, `order` (of lines). */
            ignore?: string[];
            /** @description `last`: the latest record that can be compared; or the id of a record. */
            record: string;
            /** @description Compare only what this CSS selector matches. */
            selector?: string | null;
            /** @description Only a record with this tag, as `name:value`. */
            tag?: string;
        };
        Comparison: {
            /** @description The method to use: of those that got the whole page, the cheapest, then the fastest. null: none did. */
            best: string | null;
            /** @description Currency set by the operator, or `effort` if no prices are configured. */
            cost_unit: string;
            /** @description In the order of `ways`. */
            items: components["schemas"]["ComparisonItem"][];
            /** @description What 1,000 scrapes by the best method cost less than by the most expensive method that got the whole page. null: the costs are not known. */
            saved_per_1000: number | null;
        };
        ComparisonItem: {
            /** @description In `cost_unit`. null: it is not known, or there was no scrape. */
            cost: number | null;
            /** @description Of the scrape. */
            duration_ms: number | null;
            /** @description Those of the scrape, or of its refusal. Pointers are those of a scrape request. */
            errors: components["schemas"]["ErrorEntry"][];
            /** @description How alike its main content is to that of the best method: of all runs of three words in them, the share that is in both. Contents that are not text: 1 if all bytes are the same, otherwise 0. null: one of them has no content, or there is no best method. */
            likeness: number | null;
            /** @enum {unknown} */
            outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
            /** @description null: the method was refused before it began a scrape; `errors` says why. */
            scrape: components["schemas"]["ComparedScrape"] | null;
            /** @description As in the request. */
            way: string;
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
        CrawlRequest: {
            /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
            channels?: string[];
            /** @description Items that may run at once. Default: as many as all your jobs together may run. */
            concurrency?: number;
            /**
             * @description Pause between the starts of two requests to a host. A longer `Crawl-delay` of robots.txt counts, up to 60 s.
             * @default 0
             */
            delay_ms?: number;
            /** @description URLs that match one of these are not visited; start URLs always are. As in `include`. */
            exclude?: string[];
            /** @description How long the results are kept after the end. Default: as long as other records. */
            expires_in_s?: number;
            /**
             * @description Also visits the feeds of pages, and what they list.
             * @default false
             */
            feeds?: boolean;
            /** @description Parameters that do not change the page, by names (`*` is any text) or regular expressions between slashes; `true`: all. They are dropped, as known tracking parameters always are. */
            ignore_query?: true | string[];
            /** @description Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL. */
            include?: string[];
            /**
             * @description Pages that are visited at most. Skipped URLs do not count.
             * @default 1000
             */
            limit?: number;
            /** @description Limit for the cost of all items together. When it is reached, the rest is skipped. */
            max_cost?: number;
            /**
             * @description Links between a start URL and a page, at most.
             * @default 10
             */
            max_depth?: number;
            /**
             * @description URLs of one form, such as `/item/#?page`, that are visited. Others are skipped with `skip.trap`.
             * @default 10000
             */
            max_urls_per_pattern?: number;
            /** @description Any JSON object; given back with the job and in webhooks. */
            metadata?: Record<string, never>;
            /** @description For lists. */
            name?: string;
            /**
             * @description `respect`: links with `rel=nofollow`, and all links of pages that ask for it, are not followed.
             * @default ignore
             * @enum {unknown}
             */
            nofollow?: "ignore" | "respect";
            /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
            notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
            /**
             * @description Requests to one host at the same time. The operator may have set a lower limit for all jobs.
             * @default 2
             */
            per_host?: number;
            /**
             * @description Among your own jobs, those with a higher priority go first.
             * @default 0
             */
            priority?: number;
            /** @description Members of the scrape request for every page, but not `url`. Other hosts than those of the start URLs do not get its cookies and secret headers. */
            request?: Record<string, never>;
            /**
             * @description How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
             * @default 2
             */
            retries?: number;
            /**
             * @description `ignore` needs the permission of the operator.
             * @default respect
             * @enum {unknown}
             */
            robots?: "respect" | "ignore";
            /** @description Members of the request for URLs that match, as in `include`. Of several rules, the last one counts. */
            rules?: {
                match: string;
                request: Record<string, never>;
            }[];
            /**
             * @description Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
             * @default host
             * @enum {unknown}
             */
            scope?: "host" | "path" | "domain" | "any";
            /**
             * @description Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
             * @default include
             * @enum {unknown}
             */
            sitemap?: "include" | "only" | "ignore";
            /** @description Labels of the job. Names and values have at most 64 characters. */
            tags?: {
                [key: string]: string;
            };
            url?: string;
            /** @description Several start URLs, instead of `url`. */
            urls?: string[];
            webhook?: components["schemas"]["Webhook"];
        };
        CreatedApiKey: {
            concurrency: number | null;
            /** @description Cost of these scrapes, in `cost_unit`. */
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
            /** @description The key itself. Shown only once. */
            key: string;
            last_used_at: string | null;
            last4: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            /** @description Scrapes with this key since 00:00 UTC. */
            requests_today: number;
            revoked_at: string | null;
            scopes: ("scrape" | "read" | "jobs" | "admin")[];
        };
        DefaultWebhook: {
            webhook: components["schemas"]["Webhook"] | null;
        };
        /** @description What is known about a document (PDF, DOCX, ODT, RTF, EPUB, PPTX, XLSX, XLS, ODS, CSV) whose formats were requested. */
        DocumentInfo: {
            author: string | null;
            created: string | null;
            /** @enum {unknown} */
            kind: "pdf" | "docx" | "odt" | "rtf" | "epub" | "pptx" | "xlsx" | "xls" | "ods" | "csv";
            /** @description Pages of a PDF, slides, sheets or chapters. Null for kinds that have none before they are laid out. */
            pages: number | null;
            pages_read: number | null;
            /** @description Whether there is any text. False for a scan. */
            text_layer: boolean;
            title: string | null;
            /** @description Whether only a part was read, because of a limit of time, pages or length. */
            truncated: boolean;
        };
        Download: {
            bytes: number;
            /** @description URL that it was downloaded from. */
            from: string;
            /** @description File name, without folders. */
            name: string;
            /** @description Media type. */
            type: string;
            url: string | null;
        };
        /** @enum {unknown} */
        ErrorCode: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "template.unknown" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "action.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
        ErrorEntry: {
            attempt?: number;
            code: components["schemas"]["ErrorCode"];
            details?: {
                [key: string]: unknown;
            };
            /** @constant */
            level: "error";
            /** @description Number of the line, of a body of lines. */
            line?: number;
            /** @description What is wrong, what is allowed, and what was given. */
            message: string;
            /** @description JSON Pointer (RFC 6901) into the request. */
            pointer?: string;
            /** @description Whether retrying the same request may succeed. */
            retryable: boolean;
            scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
            /** @enum {unknown} */
            source: "request" | "service" | "route" | "proxy" | "vendor" | "target" | "browser" | "action" | "extract";
        };
        ErrorsTable: {
            errors: {
                code: components["schemas"]["ErrorCode"];
                help: string;
                /** @description Changes of the request that may help, the most likely first: another `scraper`, a `residential` proxy, twice the `timeout_ms` (`timeout`), or `verify_tls: false` (`unverified_tls`). */
                retry: ("auto" | "browser" | "http_impersonate" | "residential" | "timeout" | "unverified_tls")[];
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
        /** @description Runs a script in the page. `result` is its return value as JSON. If that exceeds 1 MiB, `result` is null, with the error `content.truncated`. */
        EvaluateAction: {
            /** @description A JSON value, available to the script as `arg`. */
            arg?: unknown;
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both. */
            script: string;
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "evaluate";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        ExitTest: {
            country: string | null;
            error: components["schemas"]["TestError"] | null;
            /** @description The address in the response: its text is an IP address, or JSON with a member `ip` or `origin`. null if it has none. */
            exit_ip: string | null;
            /** @description How long it took. */
            ms: number;
            /** @description Whether the URL was fetched, with a status below 400. */
            ok: boolean;
            /** @description Scheme, host and port. */
            server: string;
            /** @description Status of the response of the target. null if there was none, or the vendor does not report it. */
            status_code: number | null;
        };
        /** @description Extracts data from the page in its current state. `result` has the format of `scraper_data.extract`. */
        ExtractAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            schema: {
                [key: string]: components["schemas"]["ExtractRule"];
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "extract";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description `"css"` or `"//xpath"` for the text, `"css@attribute"` for an attribute, or an object. In a nested rule, `"@attribute"` reads the outer element itself. */
        ExtractRule: string | components["schemas"]["ExtractRuleObject"];
        ExtractRuleObject: {
            output?: string | string[] | components["schemas"]["ExtractRules"];
            /** @description A regular expression in the syntax of RE2. The value is its first group, or all that it matches. `item`: the first match in any of the elements. `list`: all matches in all of them. */
            regex?: string;
            /** @description A CSS selector, or XPath 1.0: `xpath=…` (or a leading `/`, `(` or `./`). In nested rules a CSS selector searches the descendants of the outer element, which is `:scope`; for XPath it is the context node (`.`). */
            selector: string;
            /**
             * @description `number`: the first number in the text. `date`: as RFC 3339. `url`: absolute. `trim`: without white space at both ends. `lower`: in lower case. A text that has no such value is passed over.
             * @enum {unknown}
             */
            transform?: "number" | "date" | "url" | "trim" | "lower";
            /**
             * @description `item`: the first match, or null. `list`: all matches in document order; may be empty.
             * @default item
             * @enum {unknown}
             */
            type?: "item" | "list";
        };
        ExtractRules: {
            [key: string]: components["schemas"]["ExtractRule"];
        };
        /** @description A feed or a sitemap. URLs are absolute. */
        Feed: {
            description: string | null;
            items: (components["schemas"]["FeedEntry"] | components["schemas"]["SitemapEntry"])[];
            /** @enum {unknown} */
            kind: "rss" | "rdf" | "atom" | "json_feed" | "sitemap" | "sitemap_index";
            language: string | null;
            /** @description URL of the next part of the feed. */
            next: string | null;
            title: string | null;
            /** @description Whether the feed has more entries than these. */
            truncated: boolean;
            updated: string | null;
            /** @description The page that the feed belongs to. */
            url: string | null;
        };
        /** @description An entry of RSS, Atom or JSON Feed. */
        FeedEntry: {
            attachments: {
                bytes: number | null;
                type: string | null;
                url: string;
            }[];
            authors: string[];
            categories: string[];
            /** @description Text or HTML, as the feed has it. */
            content: string | null;
            id: string | null;
            image: string | null;
            published: string | null;
            /** @description Text or HTML, as the feed has it. */
            summary: string | null;
            /** @description Without markup. */
            title: string | null;
            updated: string | null;
            url: string | null;
        };
        /** @description Sets the text of a field. */
        FillAction: {
            /**
             * @description Replace the current text. If false, the value is appended.
             * @default true
             */
            clear?: boolean;
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
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
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Navigates to another page and waits for its `load` event. The same address and domain rules apply as for `url`. */
        GotoAction: {
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /**
             * @description Time limit for the action.
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
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        Health: {
            status: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Sets `display: none` on every matching element. */
        HideAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hide";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Moves the mouse pointer over an element. */
        HoverAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hover";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Runs one of two lists of actions; can be nested three levels deep. `result.branch` is `then`, `else` or null. The results of the branch follow, with the same `index`. */
        IfAction: {
            /** @description Actions to run otherwise. */
            else?: components["schemas"]["PageAction"][];
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /** @description Status of the current page. */
            status_code?: number | number[];
            /** @description Actions to run if the element is visible, or the status matches. */
            then?: components["schemas"]["PageAction"][];
            /** @description How long to wait for the element. Default: checks once, without waiting. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "if";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        ImportRequest: {
            /** @description A curl command, as it is typed into a POSIX shell (bash, zsh), or copied from a browser. */
            curl?: string;
            /** @description Which entry of the archive, counted from 0. Without it, the first document. */
            entry?: number;
            /** @description Contents of the files that the curl command reads (`@file`), as Base64, by the names in the command. */
            files?: {
                [key: string]: string;
            };
            /** @description An HTTP archive (HAR 1.2), as JSON or as its text. */
            har?: string | {
                [key: string]: unknown;
            };
            /** @description URL of a call of ScrapingBee, ScraperAPI, ScrapingAnt or Scrape.do, or its query alone. The key is not needed. */
            scrapingbee?: string;
        };
        ImportResult: {
            /** @description What has no effect on the request, as it was written. */
            ignored: string[];
            /** @description The body of `POST /api/v1/scrape/` that does the same. */
            request: {
                [key: string]: unknown;
            };
        };
        /** @description Scrolls to the bottom repeatedly, or clicks a “load more” button, until nothing more loads: no new content for 2 s and no pending requests. `result` is `{scrolls, reason}`; `reason` is `end`, `until_selector` or `max_scrolls`. */
        InfiniteScrollAction: {
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            click_selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            container?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Pause after each scroll or click.
             * @default 500
             */
            delay_ms?: number;
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /** @default 10 */
            max_scrolls?: number;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description Time limit for the action. Default: 30,000 ms plus the delays. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "infinite_scroll";
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            until_selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        Invitation: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /** @description When the link stops working, or stopped; null: there is none, or it expired more than 30 days ago. */
            expires_at: string | null;
            /**
             * Format: uuid
             * @description Also the id of the user.
             */
            id: string;
            /**
             * @description `viewer`: reads what an administrator reads, and changes nothing.
             * @enum {unknown}
             */
            role: "admin" | "user" | "viewer";
            /**
             * @description `expired`: no link works. Send it again.
             * @enum {unknown}
             */
            state: "pending" | "expired";
        };
        InvitationCreate: {
            /** @description An e-mail address. */
            email: string;
            /**
             * @description `viewer`: reads what an administrator reads, and changes nothing.
             * @enum {unknown}
             */
            role?: "admin" | "user" | "viewer";
        };
        InvitationList: {
            /** @description Whether invitations are mailed (`SLUICE_SMTP_URL`). */
            has_mail_server: boolean;
            items: components["schemas"]["Invitation"][];
        };
        Job: {
            concurrency: number | null;
            /** @description Of all scrapes so far; null: no prices are configured. */
            cost: number | null;
            /** @description Items by state; `found` is their sum. */
            counts: {
                failed: number;
                found: number;
                ok: number;
                queued: number;
                running: number;
                skipped: number;
            };
            /** Format: date-time */
            created_at: string;
            /** @description URLs that were found again; they are no items. */
            duplicates: number;
            ended_at: string | null;
            error: components["schemas"]["JobError"] | null;
            /** @description Estimated seconds until the end. */
            eta_s: number | null;
            expires_at: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {unknown} */
            kind: "scrape" | "batch" | "crawl";
            metadata: Record<string, never> | null;
            /** @description The monitor whose run it is. */
            monitor_id: string | null;
            name: string | null;
            /** @description Scrapes by outcome. */
            outcomes: {
                [key: string]: number;
            };
            /** @description Why the job starts no items now; null: it is not paused. */
            pause: {
                /** @enum {unknown} */
                reason: "asked" | "key" | "user" | "budget" | "storage";
                resumes_at: string | null;
                /** Format: date-time */
                since: string;
            } | null;
            priority: number;
            /** @description Items that ended per second, since the start. */
            rate_per_s: number | null;
            /** @description The request as received, with secrets masked; of a batch without `requests`. */
            request: Record<string, never>;
            /** @description The schedule whose run it is. */
            schedule_id: string | null;
            started_at: string | null;
            /** @enum {unknown} */
            state: "queued" | "running" | "paused" | "done" | "cancelled" | "failed";
            tags: {
                [key: string]: string;
            };
            /** @description Skipped URLs that are no items, because the job has 100,000 skipped items already or a page too many links. */
            unlisted: number;
        };
        JobAccepted: {
            /** Format: uuid */
            id: string;
            /** @description With `invalid: skip`: the first requests that are not valid, and why. */
            invalid?: {
                line?: number;
                message: string;
                pointer: string;
            }[];
            invalid_total?: number;
            /** @enum {unknown} */
            state: "queued";
        };
        JobChange: {
            concurrency?: number | null;
            /** @description Visits of a crawl. It holds for URLs that are found from now on. */
            limit?: number;
            /**
             * @description Among your own jobs, those with a higher priority go first.
             * @default 0
             */
            priority?: number;
        };
        JobError: {
            code: string;
            message: string;
        };
        JobFolder: {
            /** @description Items by state; `found` is their sum. */
            counts: {
                failed: number;
                found: number;
                ok: number;
                queued: number;
                running: number;
                skipped: number;
            };
            /** @description Host and path of the URLs, up to a slash: `example.com/docs/`. The folder that was asked for means the items directly in it. */
            folder: string;
        };
        JobFolders: {
            items: components["schemas"]["JobFolder"][];
            next_cursor: string | null;
        };
        JobItem: {
            depth: number;
            error: components["schemas"]["JobError"] | null;
            /** @description Why a content that was stored is no longer there: `storage`: it was deleted to free storage, or on request; `retention`: it has expired; `retain`: the request set `router.retain`, so only the webhook got it. null: it is there, or there was none, or it was not asked for. */
            gone: ("storage" | "retention" | "retain") | null;
            /** @description Position in the order of ends; null: it has not ended. */
            n: number | null;
            outcome: string | null;
            parent: number | null;
            ref: string | null;
            /** @description Id of the last scrape; with `include=full` the scrape itself. null: there is none. */
            scrape: unknown;
            /** @description What the formats gave; null: there is none, or it was not asked for. */
            scraper_data: unknown;
            /** @enum {unknown} */
            state: "queued" | "running" | "ok" | "failed" | "skipped";
            tries: number;
            url: string;
        };
        JobList: {
            items: components["schemas"]["Job"][];
            next_cursor: string | null;
        };
        /** @description `kind` (`scrape`, `batch`, `crawl`), and the members of `POST /api/v1/scrape/`, `/api/v1/batches/` or `/api/v1/crawls/`. The kind `search` is not available yet. */
        JobOfSchedule: Record<string, never>;
        JobResults: {
            items: components["schemas"]["JobItem"][];
            /** @description Cursor of the next page. null: there are no more results, and there will be none. */
            next_cursor: string | null;
        };
        /** @description Your JSON Schema filled with what the page says. */
        JsonResult: {
            /** @description What does not match your schema, apart from what is missing. */
            invalid: {
                message: string;
                /** @description A JSON pointer into `value`. */
                pointer: string;
            }[];
            /** @description What the page does not say. */
            missing: string[];
            /** @description The model that looked for what was missing; null: none was asked. */
            model: {
                name: string;
                tokens_in: number;
                tokens_out: number;
            } | null;
            /** @description Where each value is in the page, by JSON pointer into `value`. */
            sources: {
                [key: string]: {
                    /**
                     * @description `og`: Open Graph. `text`: text of the page, its title or a `meta` element. `model`: found in the page by the model.
                     * @enum {unknown}
                     */
                    from: "json_ld" | "microdata" | "rdfa" | "og" | "table" | "text" | "model";
                    /** @description A JSON pointer into `structured`, or into a page that is JSON. */
                    path?: string;
                    /** @description The text of the page that says so. */
                    quote?: string;
                    /** @description CSS selector of the element. */
                    selector?: string;
                };
            };
            /** @description Whether `value` matches your schema. */
            valid: boolean;
            /** @description Data by your schema. What the page does not say is left out, or null if the schema requires it and allows null. */
            value: unknown;
        };
        MachineSpace: {
            /** @description Bytes. */
            free_bytes: number;
            /** @description Whether at least 90 % are in use: the usual threshold of the alerts `memory` and `disk`. */
            short: boolean;
            short_since: string | null;
            /** @description Bytes. */
            total_bytes: number;
        };
        /** @description What the main content of the page is. */
        MainContent: {
            /** @description In crawls with `site_boilerplate`: what was left out because most pages have it. */
            boilerplate?: {
                blocks: number;
                characters: number;
            };
            /** @description The smallest rectangle around its elements in the screenshot, in pixels of the picture. null: there is no screenshot, it does not show them, or where they are is unknown, as for stored pages. */
            box: {
                height: number;
                width: number;
                x: number;
                y: number;
            } | null;
            confidence: number;
            /** @enum {unknown} */
            kind: "article" | "listing" | "product" | "discussion" | "document" | "other";
            /** @description How it was found, in a word. */
            method: string;
            /** @description A CSS selector that finds its first element; not the title, if it is outside. */
            selector: string;
            /** @description The share of the visible text of the page that it has. */
            share_of_text: number;
        };
        MapError: {
            code: string;
            message: string;
        };
        MapRequest: {
            /** @description URLs that match one of these are not visited; start URLs always are. As in `include`. */
            exclude?: string[];
            /** @description Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL. */
            include?: string[];
            /**
             * @description URLs that are returned at most.
             * @default 5000
             */
            limit?: number;
            /** @description Members of the scrape request for the page, such as `scraper` and `proxy`; not `url` and `timeout_ms`. */
            request?: Record<string, never>;
            /**
             * @description Whether URLs that robots.txt forbids are dropped. `ignore` needs the permission of the operator.
             * @default respect
             * @enum {unknown}
             */
            robots?: "respect" | "ignore";
            /**
             * @description Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
             * @default host
             * @enum {unknown}
             */
            scope?: "host" | "path" | "domain" | "any";
            /** @description Only URLs that contain all of these words, in the URL or the title. */
            search?: string;
            /**
             * @description Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
             * @default include
             * @enum {unknown}
             */
            sitemap?: "include" | "only" | "ignore";
            /**
             * @description What was found by then is returned.
             * @default 60000
             */
            timeout_ms?: number;
            url: string;
        };
        MapResult: {
            /** @description How many URLs are not in `items`, by reason. */
            dropped: {
                [key: string]: number;
            };
            items: {
                last_modified: string | null;
                /**
                 * @description `record`: an earlier scrape of yours.
                 * @enum {unknown}
                 */
                source: "sitemap" | "page" | "feed" | "record";
                title: string | null;
                url: string;
            }[];
            /** @description The page whose links were read; null with `sitemap: only`. */
            page: {
                error: components["schemas"]["MapError"] | null;
                /** @description Status of the response; null: there was none. */
                status: number | null;
                url: string;
            } | null;
            /** @description The sitemaps in the order in which they were read. */
            sitemaps: {
                error: components["schemas"]["MapError"] | null;
                /** @description Status of the response; null: there was none. */
                status: number | null;
                url: string;
                urls: number;
            }[];
            /** @description There are more URLs than `limit`. */
            truncated: boolean;
        };
        Monitor: {
            /** @description The last run that found a change. */
            changed_at: string | null;
            channels: string[];
            compare: components["schemas"]["Compare"];
            /** Format: date-time */
            created_at: string;
            errors_in_a_row: number;
            /** Format: uuid */
            id: string;
            jitter_s: number;
            keep: number;
            /** @enum {unknown} */
            kind: "request" | "crawl" | "batch";
            name: string;
            next_run_at: string | null;
            notify_on: ("changed" | "failed" | "done" | "person_needed")[];
            pause_reason: ("asked" | "key" | "user") | null;
            /** @description The request, with secrets masked; of a batch with `urls` instead of `requests`. */
            request: Record<string, never>;
            /** @description Runs so far, skipped ones included. */
            runs: number;
            schedule: components["schemas"]["Schedule"];
            /** @enum {unknown} */
            state: "active" | "paused";
            /**
             * Format: uuid
             * @description The owner.
             */
            user_id: string;
            /** @description With masked headers. null: nothing is sent. */
            webhook: components["schemas"]["Webhook"] | null;
        };
        MonitorBatch: {
            /** @description Members that every request gets that does not have them itself. */
            defaults?: Record<string, never>;
            requests: components["schemas"]["BatchItem"][];
        };
        /** @description With `compare`, `request`, `crawl` or `batch`, the next run is the first again, and a run under way ends without a result. */
        MonitorChange: {
            batch?: components["schemas"]["MonitorBatch"];
            /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
            channels?: string[];
            compare?: components["schemas"]["Compare"];
            crawl?: components["schemas"]["MonitorCrawl"];
            /**
             * @description Spreads the runs of those with the same schedule over this time.
             * @default 0
             */
            jitter_s?: number;
            /**
             * @description The newest runs that are kept, and as many that found a change or an error.
             * @default 30
             */
            keep?: number;
            name?: string;
            /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
            notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
            /** @description A scrape request. */
            request?: Record<string, never>;
            schedule?: components["schemas"]["Schedule"];
            /** @description null: nothing is sent any more. */
            webhook?: components["schemas"]["Webhook"] | null;
        };
        MonitorCrawl: {
            /** @description Items that may run at once. Default: as many as all your jobs together may run. */
            concurrency?: number;
            /**
             * @description Pause between the starts of two requests to a host. A longer `Crawl-delay` of robots.txt counts, up to 60 s.
             * @default 0
             */
            delay_ms?: number;
            /** @description URLs that match one of these are not visited; start URLs always are. As in `include`. */
            exclude?: string[];
            /**
             * @description Also visits the feeds of pages, and what they list.
             * @default false
             */
            feeds?: boolean;
            /** @description Parameters that do not change the page, by names (`*` is any text) or regular expressions between slashes; `true`: all. They are dropped, as known tracking parameters always are. */
            ignore_query?: true | string[];
            /** @description Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL. */
            include?: string[];
            /**
             * @description Pages that are visited at most. Skipped URLs do not count.
             * @default 1000
             */
            limit?: number;
            /** @description Limit for the cost of all items together. When it is reached, the rest is skipped. */
            max_cost?: number;
            /**
             * @description Links between a start URL and a page, at most.
             * @default 10
             */
            max_depth?: number;
            /**
             * @description URLs of one form, such as `/item/#?page`, that are visited. Others are skipped with `skip.trap`.
             * @default 10000
             */
            max_urls_per_pattern?: number;
            /**
             * @description `respect`: links with `rel=nofollow`, and all links of pages that ask for it, are not followed.
             * @default ignore
             * @enum {unknown}
             */
            nofollow?: "ignore" | "respect";
            /**
             * @description Requests to one host at the same time. The operator may have set a lower limit for all jobs.
             * @default 2
             */
            per_host?: number;
            /**
             * @description Among your own jobs, those with a higher priority go first.
             * @default 0
             */
            priority?: number;
            /** @description Members of the scrape request for every page, but not `url`. Other hosts than those of the start URLs do not get its cookies and secret headers. */
            request?: Record<string, never>;
            /**
             * @description How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
             * @default 2
             */
            retries?: number;
            /**
             * @description `ignore` needs the permission of the operator.
             * @default respect
             * @enum {unknown}
             */
            robots?: "respect" | "ignore";
            /** @description Members of the request for URLs that match, as in `include`. Of several rules, the last one counts. */
            rules?: {
                match: string;
                request: Record<string, never>;
            }[];
            /**
             * @description Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
             * @default host
             * @enum {unknown}
             */
            scope?: "host" | "path" | "domain" | "any";
            /**
             * @description Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
             * @default include
             * @enum {unknown}
             */
            sitemap?: "include" | "only" | "ignore";
            url?: string;
            /** @description Several start URLs, instead of `url`. */
            urls?: string[];
        };
        MonitorList: {
            items: components["schemas"]["Monitor"][];
            next_cursor: string | null;
        };
        MonitorRequest: {
            batch?: components["schemas"]["MonitorBatch"];
            /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
            channels?: string[];
            compare?: components["schemas"]["Compare"];
            crawl?: components["schemas"]["MonitorCrawl"];
            /**
             * @description When the first run begins, with which later ones are compared.
             * @default now
             * @enum {unknown}
             */
            first_run?: "now" | "scheduled";
            /**
             * @description Spreads the runs of those with the same schedule over this time.
             * @default 0
             */
            jitter_s?: number;
            /**
             * @description The newest runs that are kept, and as many that found a change or an error.
             * @default 30
             */
            keep?: number;
            name: string;
            /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
            notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
            /** @description A scrape request. */
            request?: Record<string, never>;
            schedule: components["schemas"]["Schedule"];
            webhook?: components["schemas"]["Webhook"];
        };
        MonitorRun: {
            /** @description null: the run has not ended, or was skipped. */
            change: components["schemas"]["Change"] | null;
            /** Format: date-time */
            due_at: string;
            ended_at: string | null;
            job_id: string | null;
            n: number;
            scrape_id: string | null;
            started_at: string | null;
            /** @enum {unknown} */
            state: "running" | "ended" | "skipped";
        };
        MonitorRunList: {
            items: components["schemas"]["MonitorRun"][];
            next_cursor: string | null;
        };
        NoiseList: {
            items: {
                examples: string[];
                /** @description An entry for `compare.ignore`. */
                ignore: string;
                /** @description Comparisons. */
                of: number;
                /** @description Comparisons in which it would have hidden a change. */
                runs: number;
            }[];
        };
        Notification: {
            /** Format: date-time */
            at: string;
            /** @description Later ones have higher numbers. */
            id: string;
            /** @description Name of the source at that time. */
            name: string | null;
            read: boolean;
            /** @description Number of the event in its source; of a monitor, of the run. */
            sequence: number;
            /**
             * Format: uuid
             * @description Id of the monitor, job, scrape, rule of alerts, or channel.
             */
            source_id: string;
            /** @description What happened, in a line. */
            text: string;
            title: string;
            /** @description The source and what happened, such as `monitor.changed`. */
            type: string;
            /** @description The page of the dashboard that shows it. */
            url: string;
        };
        NotificationList: {
            items: components["schemas"]["Notification"][];
            next_cursor: string | null;
            /** @description All that are not read. */
            unread: number;
        };
        /** @description Either `ids` or `up_to`. */
        NotificationRead: {
            ids?: string[];
            /** @description All up to this id. */
            up_to?: string;
        };
        /** @description Number of scrapes by outcome. Every outcome is included. */
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
         * @description An action in the page. The shorthand `{"click": "#a"}` and `action` instead of `type` are accepted too.
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
        PageCounts: {
            changed: number;
            error: number;
            gone: number;
            new: number;
            same: number;
        };
        PageImage: {
            /** @description Alternative text. Empty if the image is only decoration. */
            alt: string | null;
            /** @description All files that the image is offered as, the best first. */
            candidates: {
                /** @description Pixels of the file for each CSS pixel. */
                density: number | null;
                url: string;
                /** @description Width of the file in pixels. */
                width: number | null;
            }[];
            /** @description As the page gives it, in CSS pixels. */
            height: number | null;
            /** @description The best candidate, absolute. */
            url: string;
            /** @description As the page gives it, in CSS pixels. */
            width: number | null;
        };
        PageLink: {
            /** @description Whether every link to this URL has `rel="nofollow"`. */
            nofollow: boolean;
            /** @description Tokens of the `rel` attribute, in lower case. */
            rel: string[];
            /** @description The visible text of the link on one line; if it has none, the alternative text of its image, its label or its title. */
            text: string;
            /** @description Absolute http or https URL, including its fragment. */
            url: string;
        };
        /** @description Metadata of the page. URLs are absolute. */
        PageMetadata: {
            /** @description Versions in other languages (`hreflang`). */
            alternates: {
                language: string;
                url: string;
            }[];
            author: string | null;
            canonical: string | null;
            charset: string | null;
            /** @description Media type used to parse the page. */
            content_type: string;
            description: string | null;
            /** @description Icon declared by the page. `/favicon.ico` is not assumed. */
            favicon: string | null;
            feeds: {
                title: string | null;
                type: string;
                url: string;
            }[];
            generator: string | null;
            image: string | null;
            /** @description JSON-LD blocks, at most 50 and 256 KiB in total. */
            json_ld: unknown[];
            keywords: string[];
            language: string | null;
            /** @description The date as written in the page. */
            modified: string | null;
            /** @description Names without the prefix `og:`. Other prefixes are kept. */
            open_graph: {
                [key: string]: string | string[];
            };
            /** @description The date as written in the page. */
            published: string | null;
            /** @description Directives of `<meta name="robots">`, in lower case. */
            robots: string[];
            site_name: string | null;
            title: string | null;
            /** @description Names without the prefix `twitter:`. */
            twitter: {
                [key: string]: string | string[];
            };
        };
        PasswordChange: {
            current_password: string;
            new_password: string;
        };
        Pool: {
            /** @description concurrent attempts; others wait */
            concurrency_per_proxy?: number;
            /** @description Countries of the exits. */
            countries?: string[];
            /** @description letters, digits, `_`, `.`, `-` */
            name: string;
            /** @description per 1,000,000,000 bytes sent and received, in the currency of SLUICE_PRICES */
            price_per_gb?: number;
            /** @description per attempt, in the currency of SLUICE_PRICES */
            price_per_request?: number;
            /** @description A list of proxies. Either this or `template`. */
            proxies?: (string | {
                city?: string;
                /** @description two letters (ISO 3166-1 alpha-2) */
                country?: string;
                region?: string;
                /** @description `http://`, `https://`, `socks5://` or `socks5h://`, with user:password@ if need be, host and port; or `user:password@host:port` or `host:port:user:password`, of an HTTP proxy */
                url: string;
            })[];
            /** @description Gateway URL of a proxy provider with the placeholders {country} or {COUNTRY}, {region}, {city} and {session}. A part in [brackets] is left out if the request does not set its placeholder. */
            template?: string;
            /** @enum {unknown} */
            type: "datacenter" | "residential" | "mobile";
        };
        PoolHistory: {
            name: string;
            points: components["schemas"]["PoolPoint"][];
            totals: components["schemas"]["PoolTotals"];
        };
        PoolPatch: {
            concurrency_per_proxy?: number | null;
            countries?: string[] | null;
            price_per_gb?: number | null;
            price_per_request?: number | null;
            proxies?: (string | {
                city?: string;
                /** @description two letters (ISO 3166-1 alpha-2) */
                country?: string;
                region?: string;
                /** @description `http://`, `https://`, `socks5://` or `socks5h://`, with user:password@ if need be, host and port; or `user:password@host:port` or `host:port:user:password`, of an HTTP proxy */
                url: string;
            })[] | null;
            template?: string | null;
            /** @enum {unknown} */
            type?: "datacenter" | "residential" | "mobile";
        };
        PoolPoint: {
            /** Format: date-time */
            at: string;
            attempts: number;
            /** @description Pages that were blocked. */
            blocked: number;
            /** @description Sent and received. */
            bytes: number;
            /** @description In `cost_unit`. null if no price is configured. */
            cost: number | null;
            /** @description Attempts that failed because of the proxy. */
            failed: number;
            /** @description Lowest number of healthy proxies. null: unknown. */
            healthy: number | null;
            /** @description Attempts that returned a page. */
            ok: number;
            /** @description Highest number of proxies. null: unknown. */
            proxies: number | null;
        };
        /** @description Credentials are shown as `***`. */
        PoolSettings: {
            /** @description concurrent attempts; others wait */
            concurrency_per_proxy?: number;
            /** @description Countries of the exits. */
            countries?: string[];
            /** @description letters, digits, `_`, `.`, `-` */
            name: string;
            /** @description per 1,000,000,000 bytes sent and received, in the currency of SLUICE_PRICES */
            price_per_gb?: number;
            /** @description per attempt, in the currency of SLUICE_PRICES */
            price_per_request?: number;
            /** @description Why it is not used, such as a price without `SLUICE_PRICES`. Empty: it is used. */
            problems: string[];
            /** @description A list of proxies. Either this or `template`. */
            proxies?: (string | {
                city?: string;
                /** @description two letters (ISO 3166-1 alpha-2) */
                country?: string;
                region?: string;
                /** @description `http://`, `https://`, `socks5://` or `socks5h://`, with user:password@ if need be, host and port; or `user:password@host:port` or `host:port:user:password`, of an HTTP proxy */
                url: string;
            })[];
            /** @description Gateway URL of a proxy provider with the placeholders {country} or {COUNTRY}, {region}, {city} and {session}. A part in [brackets] is left out if the request does not set its placeholder. */
            template?: string;
            /** @enum {unknown} */
            type: "datacenter" | "residential" | "mobile";
        };
        PoolSettingsList: {
            /** @description Whether requests may choose no proxy (`none`). */
            allow_none: boolean;
            items: components["schemas"]["PoolSettings"][];
            /**
             * @description `file`: the file of the operator, which this API cannot change.
             * @enum {unknown}
             */
            source: "file" | "database";
        };
        PoolTest: {
            /** @description What the test cost, in `cost_unit`. null if a part of it has no price. */
            cost: number | null;
            cost_unit: string;
            /** @description Proxies of the pool, or countries of its template. */
            exits: number;
            items: components["schemas"]["ExitTest"][];
        };
        PoolTestRequest: {
            /**
             * @description Exits to test, the first ones of the pool.
             * @default 5
             */
            max_exits?: number;
            /** @description The URL to fetch. There is no default, because every request goes to somebody. A URL that answers with the address of the caller shows `exit_ip`. */
            url: string;
        };
        PoolTotals: {
            attempts: number;
            /** @description Pages that were blocked. */
            blocked: number;
            /** @description Sent and received. */
            bytes: number;
            /** @description In `cost_unit`. null if no price is configured. */
            cost: number | null;
            /** @description Attempts that failed because of the proxy. */
            failed: number;
            /** @description Attempts that returned a page. */
            ok: number;
        };
        /** @description Presses a key or key combination, on an element or the focused element. */
        PressAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /** @description A Playwright key name: `Enter`, `ArrowDown`, `Control+A`, `a`. */
            key: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "press";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Problem details (RFC 9457) of a request that was rejected before scraping. */
        Problem: {
            candidates?: components["schemas"]["Candidate"][];
            code: components["schemas"]["ErrorCode"];
            detail: string;
            errors: components["schemas"]["ErrorEntry"][];
            /** @description Number of all errors, if `errors` has only the first. */
            errors_total?: number;
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
                /** @description When the active file was read. */
                loaded_at: string;
                path: string;
                /** @description Errors in a newer version of the file, which is therefore not used. */
                problems: string[];
            } | null;
            pools: {
                /** @description Attempts since the service started. */
                attempts: number;
                /** @description Attempts that returned a block page, captcha, challenge or login page. */
                blocked: number;
                bytes_in: number;
                bytes_out: number;
                concurrency_per_proxy: number | null;
                cost: number | null;
                /** @description ISO 3166-1 alpha-2 codes. Empty if the operator has not set them. */
                countries: string[];
                /** @description Attempts that failed because of the proxy. */
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
                /** @description Attempts that returned a page. */
                ok: number;
                price_per_gb: number | null;
                price_per_request: number | null;
                /** @description For a template: its gateway only. */
                proxies: {
                    /** @description Attempts since the service started. */
                    attempts: number;
                    /** @description Attempts that returned a block page, captcha, challenge or login page. */
                    blocked: number;
                    bytes_in: number;
                    bytes_out: number;
                    /** @description Failures since its last success, or since the service started. */
                    consecutive_failures: number;
                    cost: number | null;
                    country: string | null;
                    /** @description Attempts that failed because of the proxy. */
                    failed: number;
                    failing_since: string | null;
                    /**
                     * @description `cooling`: not used for a while after failures. `probing`: tested with one attempt at a time.
                     * @enum {unknown}
                     */
                    health: "healthy" | "cooling" | "probing";
                    in_flight: number;
                    last_failure: string | null;
                    /** @description Attempts that returned a page. */
                    ok: number;
                    retry_in_ms: number | null;
                    /** @description Scheme, host and port. */
                    server: string;
                }[];
                /** @enum {unknown} */
                type: "datacenter" | "residential" | "mobile";
            }[];
            /** @description Attempts waiting for a proxy. */
            waiting: number;
        };
        ProxiesPatch: {
            /** @description Whether requests may choose no proxy (`none`). */
            allow_none: boolean;
        };
        ProxyChoices: {
            /** @description Whether `datacenter` connects directly if no pool is configured. */
            allow_direct: boolean;
            allow_none: boolean;
            pools: {
                /** @description ISO 3166-1 alpha-2 codes. Empty if the operator has not set them. */
                countries: string[];
                name: string;
                /** @enum {unknown} */
                type: "datacenter" | "residential" | "mobile";
            }[];
        };
        ProxyHistory: {
            cost_unit: string;
            /**
             * Format: date-time
             * @description Start of the first step.
             */
            from: string;
            pools: components["schemas"]["PoolHistory"][];
            step_seconds: number;
            /**
             * Format: date-time
             * @description The current time; the last step is still running.
             */
            to: string;
            /** @enum {unknown} */
            window: "1h" | "24h" | "7d" | "30d" | "90d";
        };
        ProxySettings: {
            /** @description Hosts to reach without the proxy: `example.com`, `.example.com` (its subdomains), or `*`. */
            bypass?: string[];
            /** @description City, as the pool or the proxy provider names it: letters, digits, spaces, `.`, `'`, `_`, `-` */
            city?: string;
            /** @description must be two letters (ISO 3166-1 alpha-2) */
            country?: string;
            /** @description Password for `server`. Never returned. */
            password?: string;
            /** @description Name of one pool of this type. */
            pool?: string;
            /** @description Region, as the pool or the proxy provider names it: letters, digits, spaces, `.`, `'`, `_`, `-` */
            region?: string;
            /**
             * @description When to change the exit IP address: for each attempt, once per request, or after a block.
             * @default per_attempt
             * @enum {unknown}
             */
            rotate?: "per_attempt" | "per_request" | "on_block";
            /** @description Your own proxy: `http://`, `https://`, `socks5://` or `socks5h://`, then host and port. Without a scheme, it is an HTTP proxy. */
            server?: string;
            /** @description must be 1 to 64 letters, digits, `_` or `-` */
            session?: string;
            /** @default 600 */
            session_ttl_s?: number;
            /**
             * @description `custom`: the proxy in `server`. `none`: no proxy, if the operator allows it. If no pool is configured, `datacenter` connects directly, without a proxy.
             * @default datacenter
             * @enum {unknown}
             */
            type?: "datacenter" | "residential" | "mobile" | "custom" | "none";
            /** @description User name for `server`. */
            username?: string;
        };
        ReadingRequest: {
            /** @description Rules by name, or `template:<name>` for those of a template. */
            extract?: {
                [key: string]: components["schemas"]["ExtractRule"];
            } | string;
            /** @description Extra outputs, returned in `scraper_data` under the same names; null if the page has none. `html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more. `markdown`: the page as Markdown. `main_html`: the main content as clean HTML. `structured`: JSON-LD, microdata, RDFa, tables, and what they describe. `images`: the images of the page. `feed`: the entries of a feed or sitemap. `json`: your schema filled, see the option `json`. `pdf`: the page printed, which takes a browser. */
            formats?: ("html" | "text" | "links" | "metadata" | "markdown" | "main_html" | "structured" | "images" | "feed" | "json" | "pdf")[];
            /** @description Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`. */
            json?: {
                /**
                 * @description Each source also has the text of the page as `quote`.
                 * @default false
                 */
                evidence?: boolean;
                /**
                 * @description What the model gets of the page. `structured`: only the structured data and tables of the page, which are then also all that is read without a model.
                 * @default markdown
                 * @enum {unknown}
                 */
                from?: "markdown" | "html" | "text" | "structured";
                /**
                 * @description `auto`: the model of the operator, if there is one, looks for what the page does not say in its data and labels. `always`: it looks for everything; without a model the request is refused.
                 * @default auto
                 * @enum {unknown}
                 */
                model?: "auto" | "always" | "never";
                /** @description What to find, in words. Needs a model. With a schema, it explains the schema. */
                prompt?: string;
                /** @description A JSON Schema (2020-12), at most 32,768 characters: the data to find. */
                schema?: Record<string, never>;
            };
            /** @description What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is. */
            main_content?: {
                /** @description CSS selectors of what does not belong to the main content. */
                exclude?: string[];
                /** @description CSS selectors of what is the main content. It is not searched for then. */
                include?: string[];
                /**
                 * @description `page`: `links` and `images` are those of the page without its header, navigation, asides, footer and layers, whatever its main content is.
                 * @default content
                 * @enum {unknown}
                 */
                links_from?: "content" | "page";
                /**
                 * @description Only in crawls: text that is on most pages of a host is left out of the main content, once the crawl has seen it on three pages.
                 * @default false
                 */
                site_boilerplate?: boolean;
            };
            /** @description How the Markdown is written. Setting any of these also asks for the format `markdown`. */
            markdown?: {
                /**
                 * @description Where to begin, as `content.more` said.
                 * @default 0
                 */
                content_offset?: number;
                /**
                 * @description Begin with title, URL and dates as YAML.
                 * @default false
                 */
                front_matter?: boolean;
                /**
                 * @description Write tables that Markdown cannot express as HTML.
                 * @default false
                 */
                html?: boolean;
                /**
                 * @description `alt`: only the alternative text.
                 * @default all
                 * @enum {unknown}
                 */
                images?: "all" | "alt" | "none";
                /**
                 * @description `reference`: the URLs are at the end. `text`: without URLs.
                 * @default inline
                 * @enum {unknown}
                 */
                links?: "inline" | "reference" | "text";
                /** @description Return no more than this many UTF-16 units, cut between blocks. The warning `content.more` then has the offset of the rest. */
                max_chars?: number;
            };
            /**
             * @description Read `text`, `markdown`, `links`, `images`, `metadata`, `html` and the tables of `structured` from the main content only, without navigation, sidebars, consent layers and the like. `scraper_data.main` says what it is.
             * @default false
             */
            only_main_content?: boolean;
        };
        /** @description What was read from the content of a stored scrape. */
        ReadingResult: {
            /** @description Of the cost of the model. */
            cost_unit: string;
            /** @description What is missing or incomplete in `scraper_data`. */
            errors: components["schemas"]["ErrorEntry"][];
            /**
             * Format: uuid
             * @description Id of the stored record.
             */
            id: string;
            /** @description The model that was asked; null: none was. */
            model: {
                calls: number;
                /** @description null: the model has no price. */
                cost: number | null;
                name: string;
                tokens_in: number;
                tokens_out: number;
            } | null;
            scraper_data: components["schemas"]["ScraperData"];
            warnings: components["schemas"]["WarningEntry"][];
        };
        /** @description Number of records by outcome. Every outcome is included. */
        RecordOutcomes: {
            blocked: number;
            failed: number;
            ok: number;
            partial: number;
            planned: number;
            target_error: number;
            unaccepted: number;
        };
        RecoveryCodes: {
            /** @description Shown only once. Each works once. */
            recovery_codes: string[];
        };
        /** @description Reloads the page and waits for its `load` event. */
        ReloadAction: {
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reload";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Removes every matching element from the page. */
        RemoveAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "remove";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        RouterAsk: {
            /** @description Your own definition of success. All conditions must be met. */
            accept?: {
                /** @description Text that the content must contain. Case-sensitive. */
                contains?: string;
                /** @description A JSONPath (RFC 9535) that must match in the JSON content. */
                json_path?: string;
                /**
                 * @description Minimum size of the decoded content.
                 * @default 0
                 */
                min_bytes?: number;
                /** @description Text that the content must not contain. Case-sensitive. */
                not_contains?: string;
                /** @description A CSS selector that must match in the HTML or XML page. */
                selector?: string;
                /** @description The status of the page must be one of these. */
                status?: number[];
            };
            /**
             * @description If true, other methods may be tried after those in `order`.
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
            /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
            channels?: string[];
            compare_to?: components["schemas"]["CompareTo"];
            /**
             * @description Plan the request without fetching anything.
             * @default false
             */
            dry_run?: boolean;
            /** @description Proxy types that may be tried after the type in `proxy`, in this order. */
            escalate_proxy?: false | ("datacenter" | "residential" | "mobile")[];
            /**
             * @description Vendors get the credentials of the request: `Authorization`, cookies, user and password of the URL. If false, a request with credentials uses no vendor.
             * @default false
             */
            forward_credentials?: boolean;
            /** @description Never use these. */
            ignore?: string[];
            /** @description Default: 3 with `auto`, 1 with a named scraper. */
            max_attempts?: number;
            /** @description Maximum cost of all attempts together, in `cost_unit`. 0: only free methods. Methods without a price are not used. */
            max_cost?: number;
            /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
            notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
            /**
             * @description What to do with a block page. `return`: respond with 200 and the page. `fail`: respond with 502 `target.blocked`; the page is still included.
             * @default return
             * @enum {unknown}
             */
            on_blocked?: "return" | "fail";
            /** @description Use only these. */
            only?: string[];
            /** @description Try these first, in this order: `scraper` or `scraper/proxy_type`. */
            order?: string[];
            /**
             * @description What the stored record keeps. `metadata`: everything except content and headers. `none`: little more than the outcome.
             * @default full
             * @enum {unknown}
             */
            retain?: "full" | "metadata" | "none";
            /**
             * @description How to treat robots.txt (RFC 9309). `report`: read it and include the result. `respect`: respond with 403 `policy.robots` if it forbids the page. The operator can enforce a stricter setting.
             * @default ignore
             * @enum {unknown}
             */
            robots?: "ignore" | "report" | "respect";
            /**
             * @description What `auto` optimises for.
             * @default balanced
             * @enum {unknown}
             */
            sort?: "balanced" | "cheapest" | "fastest" | "reliable";
            /** @description Labels for finding the scrape later. Names and values have at most 64 characters. */
            tags?: {
                [key: string]: string;
            };
            /**
             * @description If false, `router` in the response has only the basic fields.
             * @default true
             */
            trace?: boolean;
            webhook?: components["schemas"]["Webhook"];
        };
        /** @description How the page was fetched. With `router.trace: false` only the first six fields are included. */
        RouterMeta: {
            attempts?: components["schemas"]["Attempt"][];
            body_type?: ("json" | "form" | "raw" | "binary" | "multipart") | null;
            cache?: {
                age_ms: number | null;
                hit: boolean;
            };
            candidates?: components["schemas"]["Candidate"][];
            /** @description false: the request set `return_content: false`, so that `content` is null although there may be one. Else absent. */
            content_returned?: boolean;
            /** @description Cost items; their sum is `request_cost`. Free items are left out. Empty if `request_cost` is null. */
            cost_details?: {
                /** @description null: of the model, which belongs to no attempt. */
                attempt: number | null;
                cost: number;
                /** @enum {unknown} */
                item: "scraper" | "vendor" | "proxy_request" | "proxy_traffic" | "model_tokens_in" | "model_tokens_out";
                /** @description The scraper, proxy type or model. */
                name: string;
                /** @description Attempts, requests, bytes sent and received, or tokens. */
                quantity: number;
                /** @description Price per attempt, request, 10⁹ bytes or 10⁶ tokens. */
                unit_price: number;
            }[];
            /** @description Currency set by the operator, or `effort` if no prices are configured. */
            cost_unit?: string;
            /** @description Whether no proxy was used, so that the target saw the address of this service. `proxy_type` is the type that was asked for, `datacenter` by default. null: there was no attempt. */
            direct?: boolean | null;
            /** @description What was done, why, and what it cost, in a sentence or two of plain English. */
            explanation?: string;
            model?: {
                calls: number;
                /** @description null: the model has no price. */
                cost: number | null;
                name: string;
                tokens_in: number;
                tokens_out: number;
            } | null;
            /** @enum {unknown} */
            outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
            proxy_type: ("datacenter" | "residential" | "mobile" | "custom" | "none") | null;
            redirects?: {
                status_code: number | null;
                url: string;
            }[];
            remote_ip?: string | null;
            request_cost: number | null;
            /** @description Request headers as sent to the target, with secrets masked. */
            request_headers: {
                [key: string]: string;
            };
            requested_scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
            robots?: {
                /** @description User agent whose rules were applied. */
                agent: string;
                allowed: boolean | null;
                /** @enum {unknown} */
                mode: "report" | "respect";
                rule: string | null;
                status_code: number | null;
                /** @description URL of the robots.txt file. */
                url: string;
            } | null;
            scraper: (("http" | "http_impersonate" | "browser" | "browser_stealth") | string) | null;
            /**
             * Format: date-time
             * @description When the work began. `created_at` of the record is when the request was accepted.
             */
            started_at?: string;
            stopped?: {
                message: string;
                /** @enum {unknown} */
                reason: "max_attempts" | "timeout" | "max_cost" | "method" | "sort" | "refused_before" | "answered";
            } | null;
            timing?: {
                actions: number | null;
                connect: number | null;
                dns: number | null;
                download: number | null;
                load: number | null;
                pause: number | null;
                queue: number | null;
                read?: number | null;
                tls: number | null;
                total: number | null;
                ttfb: number | null;
                wait: number | null;
            };
            verdict?: {
                by?: string | null;
                confidence: number;
                /** @enum {unknown} */
                kind: "ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty";
                signals: string[];
            } | null;
            warnings: components["schemas"]["WarningEntry"][];
        };
        /** @description A scrape request under a name, for the playground. */
        SavedRequest: {
            /** Format: uuid */
            id: string;
            /** @description must be 1 to 64 characters in one line, without white space at its ends */
            name: string;
            /** @description A scrape request, as for `POST /api/v1/scrape/`. Secrets are stored masked, as in records. */
            request: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            updated_at: string;
        };
        SavedRequestCreate: {
            /** @description must be 1 to 64 characters in one line, without white space at its ends */
            name: string;
            /** @description A scrape request, as for `POST /api/v1/scrape/`. Secrets are stored masked, as in records. */
            request: {
                [key: string]: unknown;
            };
        };
        SavedRequestList: {
            items: components["schemas"]["SavedRequest"][];
        };
        /** @description Either `cron` or `every_s`. */
        Schedule: {
            /** @description Five fields, such as `0 8 * * 1-5`. */
            cron?: string;
            /** @description Instead of `cron`: seconds between runs. */
            every_s?: number;
            /**
             * @description Time zone of `cron`, such as Europe/Berlin.
             * @default UTC
             */
            timezone?: string;
        };
        ScheduledJob: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            jitter_s: number;
            /** @description The job, with secrets masked; of a batch with `urls` (the first 1,000) and `requests_total` instead of `requests`. */
            job: Record<string, never>;
            name: string;
            next_run_at: string | null;
            /** @enum {unknown} */
            overlap: "skip" | "queue";
            pause_reason: ("asked" | "key" | "user") | null;
            schedule: components["schemas"]["Schedule"];
            /** @enum {unknown} */
            state: "active" | "paused";
            /**
             * Format: uuid
             * @description The owner.
             */
            user_id: string;
        };
        /** @description `job` is replaced as a whole. A run under way goes on as it began. */
        ScheduledJobChange: {
            /**
             * @description Spreads the runs of those with the same schedule over this time.
             * @default 0
             */
            jitter_s?: number;
            job?: components["schemas"]["JobOfSchedule"];
            name?: string;
            /**
             * @description A run that is due while the one before has not ended is missed (`skip`), or begins afterwards (`queue`); at most one waits.
             * @default skip
             * @enum {unknown}
             */
            overlap?: "skip" | "queue";
            schedule?: components["schemas"]["Schedule"];
        };
        ScheduledJobList: {
            items: components["schemas"]["ScheduledJob"][];
            next_cursor: string | null;
        };
        ScheduledJobRequest: {
            /**
             * @description Spreads the runs of those with the same schedule over this time.
             * @default 0
             */
            jitter_s?: number;
            job: components["schemas"]["JobOfSchedule"];
            name: string;
            /**
             * @description A run that is due while the one before has not ended is missed (`skip`), or begins afterwards (`queue`); at most one waits.
             * @default skip
             * @enum {unknown}
             */
            overlap?: "skip" | "queue";
            schedule: components["schemas"]["Schedule"];
        };
        ScheduledJobRun: {
            /** Format: date-time */
            due_at: string;
            ended_at: string | null;
            job_id: string | null;
            /** @description null: there is no such job, or none any more. */
            job_state: ("queued" | "running" | "paused" | "done" | "cancelled" | "failed") | null;
            /**
             * Format: date-time
             * @description The last of the due times that were missed in a row.
             */
            last_due_at: string;
            /** @description The error in words. */
            message: string | null;
            /** @description Due times from `due_at` to `last_due_at` that were missed; at most 10,080 are counted at once. */
            missed: number;
            /** @description Numbers grow, and may have gaps. */
            n: number;
            /** @description Why the run was missed: `down` (the service did not run), `overlap`, `paused`, or the code of the error that did not let the job start, such as `limit.jobs` and `budget.exhausted`. Of a run whose job was deleted before its end: `request.not_found`. */
            reason: string | null;
            started_at: string | null;
            /**
             * @description `waiting`: for the end of the run before. `missed`: nothing ran, for `reason`. `ended`: its job has ended, whatever its state.
             * @enum {unknown}
             */
            state: "waiting" | "running" | "ended" | "missed";
        };
        ScheduledJobRunList: {
            items: components["schemas"]["ScheduledJobRun"][];
            next_cursor: string | null;
        };
        ScrapeChange: {
            added: number;
            /** @description Unified diff. */
            diff: string | null;
            /** @description Of `extract`, `json` and `structured`: values that differ. A missing value is null. */
            fields: {
                after: unknown;
                before: unknown;
                path: string;
            }[];
            /** @description Of `screenshot`: the share of pixels that differ. */
            picture: {
                height: number;
                share: number;
                width: number;
            } | null;
            /** @description The scrape that was compared with. */
            previous_id: string | null;
            /** @description Why it is an error, such as `signed_out`. */
            reason: string | null;
            removed: number;
            /** @description Share of lines that are the same. */
            similarity: number;
            /** @enum {unknown} */
            state: "first" | "same" | "changed" | "gone" | "back" | "error";
        };
        ScrapeList: {
            items: components["schemas"]["ScrapeSummary"][];
            /** @description Cursor of the next page. null on the last page. A short or empty page can still have a next one. */
            next_cursor: string | null;
        };
        /** @description Problem details (RFC 9457) of a failed scrape. Also has every field of the scrape response. */
        ScrapeProblem: {
            code: components["schemas"]["ErrorCode"];
            content: string | null;
            content_encoding: ("utf-8" | "base64") | null;
            cookies: components["schemas"]["Cookie"][];
            detail: string;
            errors: components["schemas"]["ErrorEntry"][];
            final_url: string | null;
            /** @description Names in lower case; repeated headers are joined. */
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
        /** @description What a running scrape does now: `data` of an event `progress`. */
        ScrapeProgress: {
            /** @description The page action that runs in the phase `action`. null in other phases. */
            action: {
                /** @description Its number in `page_actions`, from 1. Actions in a branch of an `if` have the number of the `if`. */
                n: number;
                /** @description Number of `page_actions`. */
                of: number;
                type: string;
            } | null;
            /** @description The attempt that runs, or that begins after the wait. null: not known yet. */
            attempt: {
                n: number;
                /** @description The most attempts that there may be. */
                of: number;
                proxy_type: string;
                scraper: string;
            } | null;
            /** @description Time since the request had been received. */
            elapsed_ms: number;
            /**
             * @description `fetching`: the page is fetched; in a browser it also loads. `reading`: the response is judged, and formats and data are read from it.
             * @enum {unknown}
             */
            phase: "waiting" | "fetching" | "action" | "reading";
            /** @description What a scrape that is `waiting` waits for. `other_request`: an equal request, whose first attempt shows which method works; `site`: its turn at the site: a free slot, or the end of a pause that the site asked for; `retry`: the pause before the same method is tried again; `proxy`: a free proxy; `browser`: a free slot of a browser, or for the browser to start; `worker`: a worker to take the scrape. null in other phases. */
            waiting_for: ("other_request" | "site" | "retry" | "proxy" | "browser" | "worker") | null;
        };
        /** @description The requested formats and extracted data. null if the page has none. */
        ScraperData: {
            /** @description Results of all page actions in order. For an `if`, only the actions of the branch that was run are included. */
            actions?: components["schemas"]["ActionResult"][];
            change?: components["schemas"]["ScrapeChange"];
            charset?: {
                name: string;
                source: string;
            };
            document?: components["schemas"]["DocumentInfo"];
            /** @description The page itself, if it was sent as an attachment, and the files that actions saved. */
            downloads?: components["schemas"]["Download"][];
            /** @description Extracted values by rule name: a string, number, boolean or object, a list of these, or null if nothing matched. */
            extract?: {
                [key: string]: unknown;
            } | null;
            /** @description The template whose rules were used, and its version. */
            extract_template?: {
                name: string;
                version: number;
            };
            feed?: components["schemas"]["Feed"] | null;
            html?: string | null;
            images?: components["schemas"]["PageImage"][] | null;
            json?: components["schemas"]["JsonResult"] | null;
            links?: components["schemas"]["PageLink"][] | null;
            main?: components["schemas"]["MainContent"] | null;
            /** @description The main content as HTML without scripts, styles and classes. */
            main_html?: string | null;
            /** @description CommonMark with tables of GFM. */
            markdown?: string | null;
            metadata?: components["schemas"]["PageMetadata"] | null;
            /** @description Requests that match `capture`, in the order the page sent them. Each redirect is an entry of its own. */
            network?: components["schemas"]["CapturedExchange"][];
            /** @description The printed page. null if it could not be printed. */
            pdf?: {
                bytes: number;
                pages: number;
                url: string | null;
            } | null;
            structured?: components["schemas"]["StructuredData"] | null;
            text?: string | null;
            vendor?: components["schemas"]["VendorUse"];
        };
        /** @description A stored scrape. Parts that were not kept are null or empty. */
        ScrapeRecord: {
            content: string | null;
            content_encoding: ("utf-8" | "base64") | null;
            cookies: components["schemas"]["Cookie"][];
            errors: components["schemas"]["ErrorEntry"][];
            final_url: string | null;
            /** @description Names in lower case; repeated headers are joined. */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description Id of the stored record.
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
                /** @description false: the request set `return_content: false`, so that `content` is null although there may be one. Else absent. */
                content_returned?: boolean;
                /** @description Cost items; their sum is `request_cost`. Free items are left out. Empty if `request_cost` is null. */
                cost_details?: {
                    /** @description null: of the model, which belongs to no attempt. */
                    attempt: number | null;
                    cost: number;
                    /** @enum {unknown} */
                    item: "scraper" | "vendor" | "proxy_request" | "proxy_traffic" | "model_tokens_in" | "model_tokens_out";
                    /** @description The scraper, proxy type or model. */
                    name: string;
                    /** @description Attempts, requests, bytes sent and received, or tokens. */
                    quantity: number;
                    /** @description Price per attempt, request, 10⁹ bytes or 10⁶ tokens. */
                    unit_price: number;
                }[];
                /** @description Currency set by the operator, or `effort` if no prices are configured. */
                cost_unit?: string;
                /** Format: date-time */
                created_at: string;
                /** @description Whether no proxy was used, so that the target saw the address of this service. `proxy_type` is the type that was asked for, `datacenter` by default. null: there was no attempt. */
                direct?: boolean | null;
                /** @description What was done, why, and what it cost, in a sentence or two of plain English. */
                explanation?: string;
                /** @description Status of the response to the caller. null if the caller disconnected, or it was not stored. */
                http_status: number | null;
                /** @description Id of the API key used. null for a session of the dashboard. */
                key_id: string | null;
                model?: {
                    calls: number;
                    /** @description null: the model has no price. */
                    cost: number | null;
                    name: string;
                    tokens_in: number;
                    tokens_out: number;
                } | null;
                /** @enum {unknown} */
                outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
                proxy_type: ("datacenter" | "residential" | "mobile" | "custom" | "none") | null;
                redirects?: {
                    status_code: number | null;
                    url: string;
                }[];
                remote_ip?: string | null;
                request_cost: number | null;
                /** @description Request headers as sent to the target, with secrets masked. */
                request_headers: {
                    [key: string]: string;
                };
                requested_scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
                robots?: {
                    /** @description User agent whose rules were applied. */
                    agent: string;
                    allowed: boolean | null;
                    /** @enum {unknown} */
                    mode: "report" | "respect";
                    rule: string | null;
                    status_code: number | null;
                    /** @description URL of the robots.txt file. */
                    url: string;
                } | null;
                scraper: (("http" | "http_impersonate" | "browser" | "browser_stealth") | string) | null;
                /**
                 * Format: date-time
                 * @description When the work began. `created_at` of the record is when the request was accepted.
                 */
                started_at?: string;
                stopped?: {
                    message: string;
                    /** @enum {unknown} */
                    reason: "max_attempts" | "timeout" | "max_cost" | "method" | "sort" | "refused_before" | "answered";
                } | null;
                timing?: {
                    actions: number | null;
                    connect: number | null;
                    dns: number | null;
                    download: number | null;
                    load: number | null;
                    pause: number | null;
                    queue: number | null;
                    read?: number | null;
                    tls: number | null;
                    total: number | null;
                    ttfb: number | null;
                    wait: number | null;
                };
                /**
                 * Format: uuid
                 * @description Owner of the scrape. Only in sessions of administrators.
                 */
                user_id?: string;
                verdict?: {
                    by?: string | null;
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
             * @description Follow redirects. If false, the redirect response is the result.
             * @default true
             */
            allow_redirects?: boolean;
            /**
             * @description Browser to use (default: `chromium`). Browser only.
             * @enum {unknown}
             */
            browser_type?: "chromium" | "firefox" | "webkit" | "chrome" | "msedge" | "edge";
            /** @description Cookies for the host of the URL: `{name: value}`, or an array of objects, `[name, value]` or `"name=value"`. Null leaves a cookie out. */
            cookies?: {
                [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
            } | ({
                /** @description `hasCrossSiteAncestor` of `partitionKey`. */
                _crHasCrossSiteAncestor?: boolean;
                domain?: string;
                /** @description The same as `expires`. */
                expirationDate?: number;
                /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
                expires?: number;
                /** @description The same as `expires`. */
                expiry?: number;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                firstPartyDomain?: string;
                /** @description true: subdomains of `domain` are excluded. */
                hostOnly?: boolean;
                http_only?: boolean;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                id?: number | string;
                name: string;
                /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
                partitionKey?: string | {
                    hasCrossSiteAncestor?: boolean;
                    sourceOrigin?: string;
                    topLevelSite?: string;
                };
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                partitionKeyOpaque?: boolean;
                path?: string;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                priority?: string;
                /** @description `strict`, `lax` or `none`, in any letter case. */
                same_site?: string;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                sameParty?: boolean;
                secure?: boolean;
                /** @description true: a session cookie, whatever `expires` says. */
                session?: boolean;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                size?: number;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                sourcePort?: number;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                sourceScheme?: string;
                /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                storeId?: string;
                value: (string | number | boolean) | null;
            } | [
                string,
                (string | number | boolean) | null
            ] | string)[];
            /** @description The request body. Sluice detects JSON, form or raw text. To choose the format yourself, use `$json`, `$form`, `$raw`, `$base64` or `$multipart`. */
            data?: unknown;
            /** @description Request headers, sent in this order: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"Name: value"`. An array as the value repeats the header; null leaves it out. */
            headers?: {
                [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
            } | ({
                name: string;
                value: (string | number | boolean) | null;
            } | [
                string,
                (string | number | boolean) | null
            ] | string)[];
            /**
             * @description Run the browser without a window. Browser only.
             * @default true
             */
            headless?: boolean;
            /**
             * @description GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.
             * @default GET
             */
            method?: string;
            /** @description Actions to run in the page, in order. Browser only. */
            page_actions?: components["schemas"]["PageAction"][];
            /**
             * @description `datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.
             * @default datacenter
             */
            proxy?: string | components["schemas"]["ProxySettings"];
            /** @description Appended to the query string of the URL: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"name=value"`. An array as the value repeats the name; null leaves it out. Values are percent-encoded. */
            query?: {
                [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
            } | ({
                name: string;
                value: (string | number | boolean) | null;
            } | [
                string,
                (string | number | boolean) | null
            ] | string)[];
            /** @description Routing options. A string is shorthand for `sort`. */
            router?: ("balanced" | "cheapest" | "fastest" | "reliable") | components["schemas"]["RouterAsk"];
            /**
             * @description `auto` picks the cheapest scraper likely to work, and falls back to others if it fails.
             * @default auto
             */
            scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
            scraper_options?: components["schemas"]["ScraperOptions"];
            /**
             * @description Take a screenshot. Browser only.
             * @default false
             */
            screenshot?: boolean;
            /**
             * @description Time limit for the whole request: queueing, all attempts and waits.
             * @default 60000
             */
            timeout_ms?: number;
            /** @description Absolute `http:` or `https:` URL, at most 8,192 characters. */
            url: string;
            /**
             * @description Load state to wait for (default: `load`). Browser only.
             * @enum {unknown}
             */
            wait_for_load_state?: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
            /** @description Wait until this element is visible: a CSS selector, `xpath=…` or `text=…`. `scraper_options.wait_for_selector_state` sets another state to wait for. Browser only. */
            wait_for_selector?: string;
            /** @description Additional fixed wait, after the other waits. Browser only. */
            wait_for_timeout_ms?: number;
        };
        ScrapeResponse: {
            content: string | null;
            content_encoding: ("utf-8" | "base64") | null;
            cookies: components["schemas"]["Cookie"][];
            errors: components["schemas"]["ErrorEntry"][];
            final_url: string | null;
            /** @description Names in lower case; repeated headers are joined. */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description Id of the stored record.
             */
            id: string;
            router: components["schemas"]["RouterMeta"];
            scraper_data: components["schemas"]["ScraperData"];
            screenshot_url: string | null;
            /** @description Status of the target's response. */
            status_code: number | null;
        };
        ScraperList: {
            /** @description Browsers available to `scraper: browser`. */
            browsers: {
                /** @description Browsers on this machine, preferred ones first. */
                items: {
                    /** @enum {unknown} */
                    browser_type: "chromium" | "chrome" | "msedge" | "firefox" | "webkit";
                    build_age_days: number | null;
                    /** @description Whether it can run with `headless: false`. */
                    headed: boolean;
                    headless: boolean;
                    reason: string | null;
                    /**
                     * @description `configured`: set by the operator. `package`: bundled with Sluice.
                     * @enum {unknown}
                     */
                    source: "configured" | "installed" | "playwright" | "package";
                    /** @description Whether scrapes with this `browser_type` and `headless: true` use it. */
                    used: boolean;
                    version: string | null;
                }[];
                /**
                 * @description `off`: the operator has turned off the browser sandbox.
                 * @enum {unknown}
                 */
                sandbox: "on" | "off";
            };
            /** @description Currency set by the operator, or `effort` if no prices are configured. */
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
                /** @description JSON Schema of `scraper_options` for this scraper. */
                options: {
                    [key: string]: unknown;
                };
                price: number | null;
                reason: string | null;
            }[];
        };
        /** @description Options of the scraper. */
        ScraperOptions: {
            /** @description Sub-resources to block. */
            block?: {
                /** @default false */
                ads?: boolean;
                resource_types?: ("stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "other")[];
                url_patterns?: string[];
            };
            /** @description Records the requests of the page that match one of these filters, in `scraper_data.network`: at most 500 requests and 5 MiB. Covers the page and its same-site frames, but not workers or cross-site frames. */
            capture?: {
                /**
                 * @description Include the response bodies.
                 * @default false
                 */
                body?: boolean;
                method?: string;
                /** @enum {unknown} */
                resource_type?: "document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "other";
                /** @description A Playwright glob that must match the whole URL: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either. */
                url: string;
            }[];
            /**
             * @description Value of the `prefers-color-scheme` media feature.
             * @enum {unknown}
             */
            color_scheme?: "light" | "dark" | "no-preference";
            /**
             * @description `base64` returns the raw bytes, whatever the content type. `auto` returns text as UTF-8 and everything else as base64.
             * @default auto
             * @enum {unknown}
             */
            content_encoding?: "auto" | "base64";
            /**
             * @description Emulates this device from the list of Playwright: screen size, touch and `User-Agent`.
             * @enum {unknown}
             */
            device?: "Blackberry PlayBook" | "Blackberry PlayBook landscape" | "BlackBerry Z30" | "BlackBerry Z30 landscape" | "Galaxy Note 3" | "Galaxy Note 3 landscape" | "Galaxy Note II" | "Galaxy Note II landscape" | "Galaxy S III" | "Galaxy S III landscape" | "Galaxy S5" | "Galaxy S5 landscape" | "Galaxy S8" | "Galaxy S8 landscape" | "Galaxy S9+" | "Galaxy S9+ landscape" | "Galaxy S24" | "Galaxy S24 landscape" | "Galaxy A55" | "Galaxy A55 landscape" | "Galaxy Tab S4" | "Galaxy Tab S4 landscape" | "Galaxy Tab S9" | "Galaxy Tab S9 landscape" | "Galaxy Z Fold 6" | "Galaxy Z Fold 6 landscape" | "Galaxy Z Fold 6 Cover" | "Galaxy Z Fold 6 Cover landscape" | "Galaxy Z Fold 7" | "Galaxy Z Fold 7 landscape" | "Galaxy Z Fold 7 Cover" | "Galaxy Z Fold 7 Cover landscape" | "Galaxy Z Flip 6" | "Galaxy Z Flip 6 landscape" | "Galaxy Z Flip 6 Cover" | "Galaxy Z Flip 6 Cover landscape" | "Galaxy Z Flip 7" | "Galaxy Z Flip 7 landscape" | "Galaxy Z Flip 7 Cover" | "Galaxy Z Flip 7 Cover landscape" | "iPad (gen 5)" | "iPad (gen 5) landscape" | "iPad (gen 6)" | "iPad (gen 6) landscape" | "iPad (gen 7)" | "iPad (gen 7) landscape" | "iPad (gen 11)" | "iPad (gen 11) landscape" | "iPad Mini" | "iPad Mini landscape" | "iPad Pro 11" | "iPad Pro 11 landscape" | "iPhone 6" | "iPhone 6 landscape" | "iPhone 6 Plus" | "iPhone 6 Plus landscape" | "iPhone 7" | "iPhone 7 landscape" | "iPhone 7 Plus" | "iPhone 7 Plus landscape" | "iPhone 8" | "iPhone 8 landscape" | "iPhone 8 Plus" | "iPhone 8 Plus landscape" | "iPhone SE" | "iPhone SE landscape" | "iPhone SE (3rd gen)" | "iPhone SE (3rd gen) landscape" | "iPhone X" | "iPhone X landscape" | "iPhone XR" | "iPhone XR landscape" | "iPhone 11" | "iPhone 11 landscape" | "iPhone 11 Pro" | "iPhone 11 Pro landscape" | "iPhone 11 Pro Max" | "iPhone 11 Pro Max landscape" | "iPhone 12" | "iPhone 12 landscape" | "iPhone 12 Pro" | "iPhone 12 Pro landscape" | "iPhone 12 Pro Max" | "iPhone 12 Pro Max landscape" | "iPhone 12 Mini" | "iPhone 12 Mini landscape" | "iPhone 13" | "iPhone 13 landscape" | "iPhone 13 Pro" | "iPhone 13 Pro landscape" | "iPhone 13 Pro Max" | "iPhone 13 Pro Max landscape" | "iPhone 13 Mini" | "iPhone 13 Mini landscape" | "iPhone 14" | "iPhone 14 landscape" | "iPhone 14 Plus" | "iPhone 14 Plus landscape" | "iPhone 14 Pro" | "iPhone 14 Pro landscape" | "iPhone 14 Pro Max" | "iPhone 14 Pro Max landscape" | "iPhone 15" | "iPhone 15 landscape" | "iPhone 15 Plus" | "iPhone 15 Plus landscape" | "iPhone 15 Pro" | "iPhone 15 Pro landscape" | "iPhone 15 Pro Max" | "iPhone 15 Pro Max landscape" | "iPhone 16" | "iPhone 16 landscape" | "iPhone 16 Plus" | "iPhone 16 Plus landscape" | "iPhone 16 Pro" | "iPhone 16 Pro landscape" | "iPhone 16 Pro Max" | "iPhone 16 Pro Max landscape" | "iPhone 16e" | "iPhone 16e landscape" | "iPhone 17" | "iPhone 17 landscape" | "iPhone Air" | "iPhone Air landscape" | "iPhone 17 Pro" | "iPhone 17 Pro landscape" | "iPhone 17 Pro Max" | "iPhone 17 Pro Max landscape" | "iPhone 17e" | "iPhone 17e landscape" | "Kindle Fire HDX" | "Kindle Fire HDX landscape" | "LG Optimus L70" | "LG Optimus L70 landscape" | "Microsoft Lumia 550" | "Microsoft Lumia 550 landscape" | "Microsoft Lumia 950" | "Microsoft Lumia 950 landscape" | "Nexus 10" | "Nexus 10 landscape" | "Nexus 4" | "Nexus 4 landscape" | "Nexus 5" | "Nexus 5 landscape" | "Nexus 5X" | "Nexus 5X landscape" | "Nexus 6" | "Nexus 6 landscape" | "Nexus 6P" | "Nexus 6P landscape" | "Nexus 7" | "Nexus 7 landscape" | "Nokia Lumia 520" | "Nokia Lumia 520 landscape" | "Nokia N9" | "Nokia N9 landscape" | "Pixel 2" | "Pixel 2 landscape" | "Pixel 2 XL" | "Pixel 2 XL landscape" | "Pixel 3" | "Pixel 3 landscape" | "Pixel 4" | "Pixel 4 landscape" | "Pixel 4a (5G)" | "Pixel 4a (5G) landscape" | "Pixel 5" | "Pixel 5 landscape" | "Pixel 6" | "Pixel 6 landscape" | "Pixel 6 Pro" | "Pixel 6 Pro landscape" | "Pixel 6a" | "Pixel 6a landscape" | "Pixel 7" | "Pixel 7 landscape" | "Pixel 7 Pro" | "Pixel 7 Pro landscape" | "Pixel 7a" | "Pixel 7a landscape" | "Pixel 8" | "Pixel 8 landscape" | "Pixel 8 Pro" | "Pixel 8 Pro landscape" | "Pixel 8a" | "Pixel 8a landscape" | "Pixel 9" | "Pixel 9 landscape" | "Pixel 9 Pro" | "Pixel 9 Pro landscape" | "Pixel 9 Pro XL" | "Pixel 9 Pro XL landscape" | "Pixel 10" | "Pixel 10 landscape" | "Pixel 10 Pro" | "Pixel 10 Pro landscape" | "Pixel 10 Pro XL" | "Pixel 10 Pro XL landscape" | "Moto G4" | "Moto G4 landscape" | "Desktop Chrome HiDPI" | "Desktop Edge HiDPI" | "Desktop Firefox HiDPI" | "Desktop Safari" | "Desktop Chrome" | "Desktop Edge" | "Desktop Firefox";
            /** @description Rules by name, or `template:<name>` for those of a template. */
            extract?: {
                [key: string]: components["schemas"]["ExtractRule"];
            } | string;
            /** @description Extra outputs, returned in `scraper_data` under the same names; null if the page has none. `html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more. `markdown`: the page as Markdown. `main_html`: the main content as clean HTML. `structured`: JSON-LD, microdata, RDFa, tables, and what they describe. `images`: the images of the page. `feed`: the entries of a feed or sitemap. `json`: your schema filled, see the option `json`. `pdf`: the page printed, which takes a browser. */
            formats?: ("html" | "text" | "links" | "metadata" | "markdown" | "main_html" | "structured" | "images" | "feed" | "json" | "pdf")[];
            /** @description The position that the page gets from the Geolocation API. Permission is granted to every page of the scrape. */
            geolocation?: {
                /**
                 * @description Accuracy in metres.
                 * @default 0
                 */
                accuracy?: number;
                latitude: number;
                longitude: number;
            };
            /**
             * @description `true`: HTTP/2 only. `false`: HTTP/1.1 only. `auto`: negotiated with the target.
             * @default auto
             */
            http2?: "auto" | boolean;
            /**
             * @description Browser to imitate (default: `chrome`). A name without a version means the newest version listed. With `auto`, only `http_impersonate` is used.
             * @enum {unknown}
             */
            impersonate?: "chrome" | "firefox" | "safari" | "edge" | "chrome_149" | "chrome_148" | "chrome_147" | "chrome_146" | "chrome_145" | "chrome_144" | "chrome_143" | "chrome_142" | "chrome_141" | "chrome_140" | "firefox_151" | "firefox_150" | "firefox_149" | "firefox_148" | "firefox_147" | "firefox_146" | "firefox_145" | "firefox_144" | "firefox_143" | "firefox_142" | "safari_26_4" | "safari_26_3" | "safari_26_2" | "safari_26_1" | "safari_26" | "safari_18_5" | "safari_ios_26_2" | "safari_ios_26" | "edge_148" | "edge_147" | "edge_146" | "edge_145" | "edge_144" | "edge_143" | "edge_142" | "edge_141" | "edge_140";
            /**
             * @description Run the scripts of the page.
             * @default true
             */
            javascript?: boolean;
            /** @description Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`. */
            json?: {
                /**
                 * @description Each source also has the text of the page as `quote`.
                 * @default false
                 */
                evidence?: boolean;
                /**
                 * @description What the model gets of the page. `structured`: only the structured data and tables of the page, which are then also all that is read without a model.
                 * @default markdown
                 * @enum {unknown}
                 */
                from?: "markdown" | "html" | "text" | "structured";
                /**
                 * @description `auto`: the model of the operator, if there is one, looks for what the page does not say in its data and labels. `always`: it looks for everything; without a model the request is refused.
                 * @default auto
                 * @enum {unknown}
                 */
                model?: "auto" | "always" | "never";
                /** @description What to find, in words. Needs a model. With a schema, it explains the schema. */
                prompt?: string;
                /** @description A JSON Schema (2020-12), at most 32,768 characters: the data to find. */
                schema?: Record<string, never>;
            };
            /** @description A language tag such as `de-CH`. Sets `Accept-Language`, `navigator.language` and number formats. */
            locale?: string;
            /** @description What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is. */
            main_content?: {
                /** @description CSS selectors of what does not belong to the main content. */
                exclude?: string[];
                /** @description CSS selectors of what is the main content. It is not searched for then. */
                include?: string[];
                /**
                 * @description `page`: `links` and `images` are those of the page without its header, navigation, asides, footer and layers, whatever its main content is.
                 * @default content
                 * @enum {unknown}
                 */
                links_from?: "content" | "page";
                /**
                 * @description Only in crawls: text that is on most pages of a host is left out of the main content, once the crawl has seen it on three pages.
                 * @default false
                 */
                site_boilerplate?: boolean;
            };
            /** @description How the Markdown is written. Setting any of these also asks for the format `markdown`. */
            markdown?: {
                /**
                 * @description Where to begin, as `content.more` said.
                 * @default 0
                 */
                content_offset?: number;
                /**
                 * @description Begin with title, URL and dates as YAML.
                 * @default false
                 */
                front_matter?: boolean;
                /**
                 * @description Write tables that Markdown cannot express as HTML.
                 * @default false
                 */
                html?: boolean;
                /**
                 * @description `alt`: only the alternative text.
                 * @default all
                 * @enum {unknown}
                 */
                images?: "all" | "alt" | "none";
                /**
                 * @description `reference`: the URLs are at the end. `text`: without URLs.
                 * @default inline
                 * @enum {unknown}
                 */
                links?: "inline" | "reference" | "text";
                /** @description Return no more than this many UTF-16 units, cut between blocks. The warning `content.more` then has the offset of the rest. */
                max_chars?: number;
            };
            /**
             * @description Longer content is truncated. Counted after decompression.
             * @default 10485760
             */
            max_content_bytes?: number;
            /**
             * @description The scrape fails after this many redirects.
             * @default 20
             */
            max_redirects?: number;
            /**
             * @description Read `text`, `markdown`, `links`, `images`, `metadata`, `html` and the tables of `structured` from the main content only, without navigation, sidebars, consent layers and the like. `scraper_data.main` says what it is.
             * @default false
             */
            only_main_content?: boolean;
            /** @description How the page is printed. Setting any of them also asks for the format `pdf`. The file is in `scraper_data.pdf`, at most 50 MiB. Browser only. */
            pdf?: {
                /**
                 * @description Paper size.
                 * @default Letter
                 * @enum {unknown}
                 */
                format?: "Letter" | "Legal" | "Tabloid" | "Ledger" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5" | "A6";
                /** @default false */
                landscape?: boolean;
                /** @description Margins of the paper (default: none). */
                margin?: {
                    bottom?: number | string;
                    left?: number | string;
                    right?: number | string;
                    top?: number | string;
                };
                /**
                 * @description Media type of the style sheets.
                 * @default print
                 * @enum {unknown}
                 */
                media?: "print" | "screen";
                /**
                 * @description Make an outline of the headings.
                 * @default false
                 */
                outline?: boolean;
                /** @description Pages to print, such as `1-3, 5` (default: all). */
                page_ranges?: string;
                /**
                 * @description Print background graphics.
                 * @default false
                 */
                print_background?: boolean;
                /** @default 1 */
                scale?: number;
                /**
                 * @description Make a tagged (accessible) PDF.
                 * @default false
                 */
                tagged?: boolean;
            };
            /**
             * @description Value of the `prefers-reduced-motion` media feature.
             * @enum {unknown}
             */
            reduced_motion?: "reduce" | "no-preference";
            /**
             * @description `false`: `content` and `content_encoding` are null in the answer, in results of jobs and in messages to webhooks. The record keeps the content: `/api/v1/scrape/{id}/content/` and `…/read/` have it.
             * @default true
             */
            return_content?: boolean;
            /** @description Screenshot settings. Setting any of them also takes the screenshot. At most 16,384 pixels per side (WebP: 16,383) and 50 megapixels; a larger screenshot is cropped at the right and bottom, with the warning `screenshot.clamped`. */
            screenshot?: {
                /**
                 * @description Capture the whole page, not just the visible part.
                 * @default false
                 */
                full_page?: boolean;
                /** @description Quality of JPEG and WebP images. */
                quality?: number;
                /** @description Capture only this element. Same syntax as `wait_for_selector`. */
                selector?: string;
                /**
                 * @default png
                 * @enum {unknown}
                 */
                type?: "png" | "jpeg" | "webp";
            };
            /** @description Cookies, `localStorage` and IndexedDB to set before the page loads, in the storage state format of Playwright. */
            storage_state?: {
                cookies?: {
                    /** @description `hasCrossSiteAncestor` of `partitionKey`. */
                    _crHasCrossSiteAncestor?: boolean;
                    /** @description With a leading dot, subdomains are included. */
                    domain: string;
                    /** @description The same as `expires`. */
                    expirationDate?: number;
                    /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
                    expires?: number;
                    /** @description The same as `expires`. */
                    expiry?: number;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    firstPartyDomain?: string;
                    /** @description true: subdomains of `domain` are excluded. */
                    hostOnly?: boolean;
                    httpOnly?: boolean;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    id?: number | string;
                    name: string;
                    /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
                    partitionKey?: string | {
                        hasCrossSiteAncestor?: boolean;
                        sourceOrigin?: string;
                        topLevelSite?: string;
                    };
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    partitionKeyOpaque?: boolean;
                    path: string;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    priority?: string;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    sameParty?: boolean;
                    /** @description `Strict`, `Lax` or `None`, in any letter case. */
                    sameSite?: string;
                    secure?: boolean;
                    /** @description true: a session cookie, whatever `expires` says. */
                    session?: boolean;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    size?: number;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    sourcePort?: number;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    sourceScheme?: string;
                    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
                    storeId?: string;
                    value: string;
                }[];
                origins?: {
                    indexedDB?: {
                        name: string;
                        stores: {
                            autoIncrement: boolean;
                            indexes: {
                                keyPath?: string;
                                keyPathArray?: string[];
                                multiEntry: boolean;
                                name: string;
                                unique: boolean;
                            }[];
                            keyPath?: string;
                            keyPathArray?: string[];
                            name: string;
                            records: {
                                key?: unknown;
                                keyEncoded?: unknown;
                                value?: unknown;
                                valueEncoded?: unknown;
                            }[];
                        }[];
                        version: number;
                    }[];
                    localStorage: {
                        name: string;
                        value: string;
                    }[];
                    origin: string;
                }[];
            };
            /** @description An IANA time zone such as `Europe/Berlin`. */
            timezone?: string;
            /** @description The `User-Agent` header. If `headers` has one too, that one is sent. */
            user_agent?: string;
            /**
             * @description Verify the TLS certificate of the target. If false, invalid certificates are accepted.
             * @default true
             */
            verify_tls?: boolean;
            /** @description Viewport size in CSS pixels (default: 1280 × 720). Overrides the values of `device`. */
            viewport?: {
                device_scale_factor?: number;
                height?: number;
                /** @description Use the `<meta name="viewport">` of the page, and enable touch. */
                is_mobile?: boolean;
                width?: number;
            };
            /**
             * @description State that `wait_for_selector` waits for (default: `visible`).
             * @enum {unknown}
             */
            wait_for_selector_state?: "visible" | "attached" | "hidden" | "detached";
        };
        ScrapeSummary: {
            content_bytes: number | null;
            /** Format: date-time */
            created_at: string;
            /** @description Whether no proxy was used. null: there was no attempt, or it is not stored. */
            direct: boolean | null;
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
            /** @description Size of the stored screenshot. null: there is none. */
            screenshot_bytes: number | null;
            status_code: number | null;
            tags: {
                [key: string]: string;
            };
            url: string | null;
            /**
             * Format: uuid
             * @description Owner of the scrape. Only in sessions of administrators.
             */
            user_id?: string;
        };
        ScrapeTotals: {
            /** @description Total size of their contents. */
            content_bytes: number;
            /** @description Total of `request_cost`, in the unit that the prices had when each scrape ran. null if none has a cost. */
            cost: number | null;
            /** @description Currency set by the operator, or `effort` if no prices are configured. */
            cost_unit: string;
            /** @description Continues with the older records. null if all were examined. */
            next_cursor: string | null;
            outcomes: components["schemas"]["RecordOutcomes"];
            /** @description Records that match, dry runs included. */
            scrapes: number;
            /** @description Older records were not examined. null: all were. */
            searched_to: string | null;
            /** @description Length of a step. */
            step_seconds: number;
            /** @description Steps in which matching scrapes began, oldest first; at most 120. */
            steps: {
                /**
                 * Format: date-time
                 * @description Start of the step.
                 */
                at: string;
                outcomes: components["schemas"]["RecordOutcomes"];
            }[];
            /** @description Records without a `request_cost`. */
            unpriced: number;
        };
        /** @description Takes a PNG screenshot of the viewport, the whole page or an element. `result` is `{name, url, width, height, type}`. */
        ScreenshotAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @default false */
            full_page?: boolean;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            name?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "screenshot";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Scrolls the page, or `container`: to the top or bottom, to a position, or until an element is in view. */
        ScrollAction: {
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            container?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
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
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
            /** @description Pixels from the left edge of the viewport. */
            x?: number;
            /** @description Pixels from the top edge of the viewport. */
            y?: number;
        };
        SecondFactor: {
            /** @description null: it is off. */
            enabled_at: string | null;
            recovery_codes_left: number;
        };
        SecondFactorConfirm: {
            /** @description Code of the authenticator app, or a recovery code. */
            code: string;
        };
        SecondFactorDisable: {
            /** @description Code of the authenticator app, or a recovery code. */
            code: string;
            password: string;
        };
        SecondFactorEnrol: {
            password: string;
        };
        SecondFactorEnrolment: {
            /** @description For the authenticator app, in base32. */
            secret: string;
            /** @description The same for a QR code: `otpauth://…`. */
            uri: string;
        };
        /** @description Selects options of a `<select>`. `result.values` lists the selected values. */
        SelectAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            label?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
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
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        SentInvitation: {
            /** Format: date-time */
            created_at: string;
            email: string;
            /**
             * Format: date-time
             * @description When the link stops working.
             */
            expires_at: string;
            /**
             * Format: uuid
             * @description Also the id of the user.
             */
            id: string;
            /** @description Why it was not mailed; null: it was, or no mail server is set (`SLUICE_SMTP_URL`). */
            mail_error: string | null;
            /** @description Whether the mail server has accepted the mail with the link. */
            mailed: boolean;
            /**
             * @description `viewer`: reads what an administrator reads, and changes nothing.
             * @enum {unknown}
             */
            role: "admin" | "user" | "viewer";
            /**
             * @description `expired`: no link works. Send it again.
             * @enum {unknown}
             */
            state: "pending" | "expired";
            /** @description Link that sets the password of the user. Works once. Shown only once. */
            url: string;
        };
        Session: {
            session: components["schemas"]["SessionEntry"];
            user: components["schemas"]["User"];
        };
        SessionEntry: {
            /** Format: date-time */
            created_at: string;
            /** @description Whether this is the session of the request. */
            current: boolean;
            /**
             * Format: date-time
             * @description When the session expires if it is not used.
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /** @description IP address at sign-in. */
            ip: string | null;
            /**
             * Format: date-time
             * @description Accurate to about a minute.
             */
            last_seen_at: string;
            /** @description User agent at sign-in. */
            user_agent: string | null;
        };
        SessionList: {
            items: components["schemas"]["SessionEntry"][];
        };
        SetUp: {
            /** @description Code of the authenticator app, or a recovery code. */
            code?: string;
            password: string;
            /** @description The part of the link after `#`. */
            token: string;
        };
        SetUpLink: {
            /** @description User whose password the link sets. */
            email: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Whether the user has a password already. */
            has_password: boolean;
        };
        SetUpLinkCheck: {
            /** @description The part of the link after `#`. */
            token: string;
        };
        SignIn: {
            /** @description Code of the authenticator app, or a recovery code. */
            code?: string;
            email: string;
            password: string;
        };
        SingleSignOn: {
            /** @description Whether the operator has set a provider (`SLUICE_OIDC_ISSUER`). */
            enabled: boolean;
            /** @description Name of the provider; null: none is set. */
            name: string | null;
        };
        /** @description What Sluice knows about a site. */
        Site: {
            /** @description Host name, with the port unless it is the default port. */
            host: string;
            pages: {
                /** @description Attempts recorded, including old ones with little weight. */
                attempts: number;
                /** @description Protections the site may use, most likely first. */
                demands: {
                    name: string;
                    probability: number;
                    words: string;
                }[];
                /** @description The protection that this kind of page was believed to have (with a probability of at least 0.7), the newest first, at most 10. */
                history: {
                    name: string;
                    /** Format: date-time */
                    since: string;
                    words: string;
                }[];
                /** @description The method that `auto` would try first for a plain request without proxy settings. */
                next: components["schemas"]["SiteStep"] | null;
                /** @description First two path segments. `*` replaces names of single items. */
                pattern: string;
                reason: string;
                ways: {
                    /** @description Relative cost; a plain HTTP request is 1. */
                    est_cost: number;
                    est_success: number;
                    /** @enum {unknown} */
                    proxy_type: "datacenter" | "residential" | "mobile";
                    /** @description Weighted number of attempts with this method. */
                    remembered: number;
                    scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
                }[];
            }[];
            /** @description Method pinned by an administrator. null: none. */
            pinned: components["schemas"]["SiteStep"] | null;
        };
        SiteBill: {
            /** @description Currency set by the operator, or `effort` if no prices are configured. */
            cost_unit: string;
            host: string;
            /** @description The last twelve, oldest first; the last one is still running. */
            months: components["schemas"]["SiteBillMonth"][];
            saving: components["schemas"]["SiteSaving"];
            total: {
                /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
                cost: number | null;
                /** @description Scrapes with outcome `ok`. */
                ok: number;
                /** @description Without dry runs. */
                scrapes: number;
                /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
                unpriced: number;
                /** @description By method, the most attempts first. */
                ways: components["schemas"]["SiteBillWay"][];
            };
        };
        SiteBillMonth: {
            /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
            cost: number | null;
            /** @description `YYYY-MM`, UTC. */
            month: string;
            /** @description Scrapes with outcome `ok`. */
            ok: number;
            /** @description Without dry runs. */
            scrapes: number;
            /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
            unpriced: number;
            /** @description By method, the most attempts first. */
            ways: components["schemas"]["SiteBillWay"][];
        };
        SiteBillWay: {
            attempts: number;
            /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
            cost: number | null;
            /** @description Attempts that got the page. Of the language model: successful scrapes. */
            ok: number;
            proxy_type: ("datacenter" | "residential" | "mobile" | "custom" | "none") | null;
            /** @description null: the language model that read the pages. */
            scraper: (("http" | "http_impersonate" | "browser" | "browser_stealth") | string) | null;
            /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
            unpriced: number;
        };
        SiteList: {
            /** @description Currency set by the operator, or `effort` if no prices are configured. */
            cost_unit: string;
            /**
             * Format: date-time
             * @description Start of the last month: the figures begin there.
             */
            from: string;
            items: components["schemas"]["SiteListItem"][];
            /** @description Cursor of the next page. null on the last page. */
            next_cursor: string | null;
        };
        SiteListItem: {
            /** @description Share of blocked scrapes in the last 24 hours, and in the 7 days before. null: no scrapes, or the host was not among the first 100 of an hour. */
            blocked_trend: {
                last_day: number | null;
                week_before: number | null;
            };
            /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
            cost: number | null;
            /** @description Host name without the port. `other` combines the rarest hosts of a month beyond 10,000 of a user. */
            host: string;
            /** @description The latest change of the protection. null: none is known. */
            last_change: {
                /** @description What this kind of page demands since then, in words. */
                after: string;
                /** Format: date-time */
                at: string;
                before: string;
                /** @description Kind of page, as in `GET /api/v1/sites/{host}/`. */
                pattern: string;
            } | null;
            /**
             * Format: date-time
             * @description End of the last scrape.
             */
            last_seen_at: string;
            median_ms: number | null;
            /** @description Method that got the most pages, of those that still work. null if none is known to. */
            method: components["schemas"]["SiteMethod"] | null;
            ok_share: number;
            /** @description How far the site is slowed down, because it asked for it. null: it is not. */
            pace: {
                /** @description What is left of a pause that the site asked for. */
                pause_s: number;
                /** @description Attempts per second that Sluice makes at most. */
                per_second: number;
            } | null;
            /** @description Without dry runs. */
            scrapes: number;
            /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
            unpriced: number;
        };
        /** @description A page in a sitemap, or a sitemap in an index. */
        SitemapEntry: {
            change_frequency: string | null;
            priority: number | null;
            updated: string | null;
            url: string;
        };
        SiteMethod: {
            /** @enum {unknown} */
            proxy_type: "datacenter" | "residential" | "mobile" | "custom" | "none";
            scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
        };
        /** @description The method that `auto` tries first on this site, if the request allows it. */
        SitePin: {
            /**
             * @default datacenter
             * @enum {unknown}
             */
            proxy_type?: "datacenter" | "residential" | "mobile";
            scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
        };
        SiteSaving: {
            /** @description Why, in a sentence. */
            reason: string;
            /** @description In `cost_unit`: what the cheapest method that works at least as well would have saved in these months. null: not known. */
            value: number | null;
            /** @description That method. null: there is no cheaper one, or it is not known. */
            way: components["schemas"]["SiteMethod"] | null;
        };
        SiteStep: {
            /** @enum {unknown} */
            proxy_type: "datacenter" | "residential" | "mobile";
            scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
        };
        Stats: {
            /** @description The first error of each failed scrape, most frequent first. */
            errors: {
                code: components["schemas"]["ErrorCode"];
                count: number;
            }[];
            /**
             * Format: date-time
             * @description Start of the first step.
             */
            from: string;
            /** @description Most frequent first. */
            hosts: {
                /** @description Scrapes with outcome `blocked`. */
                blocked: number;
                /** @description Scrapes with outcome `failed`. */
                failed: number;
                /** @description `other` combines the hosts beyond the first 100 of each step. */
                host: string;
                /** @description Scrapes with outcome `ok`. */
                ok: number;
                /** @description Scrapes, not counting dry runs. */
                scrapes: number;
            }[];
            in_flight: {
                /** @description Limit of the user. null if the figures cover all users. */
                limit: number | null;
                /** @description Running requests that count towards the limit. */
                now: number;
            };
            /** @description Time from receiving the request to sending the response, without pauses (`timing.pause`), accurate to 5 %. */
            latency_ms: {
                /** @description null if there was no scrape. */
                p50: number | null;
                /** @description null if there was no scrape. */
                p95: number | null;
                /** @description null if there was no scrape. */
                p99: number | null;
            };
            /** @description All steps, oldest first, including those without scrapes. */
            series: components["schemas"]["StatsStep"][];
            step_seconds: number;
            /**
             * Format: date-time
             * @description The current time; the last step is still running.
             */
            to: string;
            totals: {
                /** @description Total size of the contents returned. */
                bytes: number;
                outcomes: components["schemas"]["OutcomeCounts"];
                /** @description Without dry runs. */
                scrapes: number;
            };
            /** @enum {unknown} */
            window: "1h" | "24h" | "7d" | "30d" | "90d";
        };
        StatsStep: {
            /**
             * Format: date-time
             * @description Start of the step.
             */
            at: string;
            outcomes: components["schemas"]["OutcomeCounts"];
            /** @description null if there was no scrape. */
            p50_ms: number | null;
            /** @description null if there was no scrape. */
            p95_ms: number | null;
            /** @description Without dry runs. */
            scrapes: number;
        };
        /** @description Structured data and tables of the page. */
        StructuredData: {
            /** @description What the page is about, from all of the above, merged: a `type` and properties of schema.org. Each property is a list of `{value, from, path}`; `path` is a JSON Pointer into `structured`. */
            entities: ({
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The objects of all JSON-LD blocks, as the page writes them. */
            json_ld: {
                [key: string]: unknown;
            }[];
            /** @description The items of microdata: `{type, id, properties}`. */
            microdata: {
                [key: string]: unknown;
            }[];
            /** @description Names without the prefix `og:`. Other prefixes are kept. */
            open_graph: {
                [key: string]: string | string[];
            };
            /** @description RDFa as expanded JSON-LD. */
            rdfa: {
                [key: string]: unknown;
            }[];
            /** @description The tables with data. A cell that spans others is repeated in them. */
            tables: {
                caption: string | null;
                header: string[];
                rows: string[][];
            }[];
            /** @description Names without the prefix `twitter:`. */
            twitter: {
                [key: string]: string | string[];
            };
        };
        /** @description The current state of the service. */
        System: {
            /** Format: date-time */
            at: string;
            browsers: {
                kinds: components["schemas"]["SystemBrowserKind"][];
                pages_served: number;
                /** @description Scrapes refused because too many were waiting. */
                refused: number;
                remote: components["schemas"]["SystemRemoteBrowser"][];
                /** @enum {unknown} */
                sandbox: "on" | "off";
                slots: {
                    total: number;
                    used: number;
                    /** @description Scrapes waiting for a slot. */
                    waiting: number;
                };
                /**
                 * @description As in `/readyz`. `unknown`: not checked yet. `down`: a browser should start but does not.
                 * @enum {unknown}
                 */
                state: "ready" | "unknown" | "unavailable" | "down";
            };
            /** @description The memory of the machine, or the limit of its container, and the disk of the data folder. */
            machine: {
                disk: components["schemas"]["MachineSpace"];
                memory: components["schemas"]["MachineSpace"];
            };
            /** @description Memory for page contents (`SLUICE_MEMORY_BYTES`). */
            memory: {
                /** @description Bytes. */
                in_use_bytes: number;
                /** @description Bytes. */
                limit_bytes: number;
                /** @description Scrapes waiting for memory. */
                waiting: number;
            };
            node: string;
            permits: {
                /** @description Limit of users without an individual limit. */
                default_limit: number;
                /** @description Running requests of all users that count towards a limit. */
                in_flight: number;
            };
            process: {
                /** @description Since the previous request for these figures by anyone. null at the first request. */
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
                /** @description `SLUICE_STORAGE_BYTES`. null with `SLUICE_DATABASE_URL`. */
                limit_bytes: number | null;
                ok: boolean;
                /** @description Why records cannot be stored. null if there is no problem. */
                trouble: string | null;
                /** @description Bytes. */
                used_bytes: number;
            };
            uptime_s: number;
            version: string;
        };
        SystemBrowser: {
            age_s: number;
            /** @description Private memory of the main process. null if unknown. */
            memory_bytes: number | null;
            pages_open: number;
            pages_served: number;
            pid: number;
            /** @description Accepts no new pages; closes after its last page. */
            retired: boolean;
            version: string | null;
        };
        /** @description A kind of browser used since the service started. */
        SystemBrowserKind: {
            /** @description For pages that recently slowed others down. Runs with lower priority. */
            apart: boolean;
            /** @enum {unknown} */
            browser_type: "chromium" | "chrome" | "msedge" | "firefox" | "webkit";
            browsers: components["schemas"]["SystemBrowser"][];
            /** @description Browsers that ended unexpectedly. */
            crashes: number;
            headless: boolean;
            /**
             * @description `fast`: simple pages, with few protocol messages. `full`: everything else.
             * @enum {unknown}
             */
            lane: "full" | "fast";
            launches: number;
            /** @description Browsers replaced routinely because of their page count, age or memory. */
            recycles: number;
            /** @description Browsers replaced because they hung or may have been damaged. */
            replaced: number;
            starting: boolean;
            /** @description Why the browser cannot run. null if there is no problem. */
            trouble: string | null;
        };
        SystemHistory: {
            /**
             * Format: date-time
             * @description Start of the first step.
             */
            from: string;
            points: components["schemas"]["SystemPoint"][];
            step_seconds: number;
            /**
             * Format: date-time
             * @description The current time; the last step is still running.
             */
            to: string;
            /** @enum {unknown} */
            window: "1h" | "24h" | "7d" | "30d" | "90d";
        };
        /** @description The highest value of each step, but the lowest of `disk_free_bytes`. Shares of the replicas are added; of what all see alike, or of each alone, the worst counts. null: not measured. */
        SystemPoint: {
            /** Format: date-time */
            at: string;
            disk_free_bytes: number | null;
            /** @description Share of this disk that is in use. */
            disk_share: number | null;
            /** @description 99th percentile of ten seconds. */
            event_loop_delay_ms: number | null;
            jobs_queued: number | null;
            /** @description Share of the memory of the machine or container that is in use. */
            machine_memory_share: number | null;
            memory_bytes: number | null;
            memory_limit_bytes: number | null;
            replicas: number | null;
            requests: number | null;
            rss_bytes: number | null;
            slots_total: number | null;
            slots_used: number | null;
            slots_waiting: number | null;
            storage_bytes: number | null;
            storage_limit_bytes: number | null;
        };
        /** @description A browser on another machine (`SLUICE_BROWSERS`). */
        SystemRemoteBrowser: {
            /** @description Whether `scraper: auto` may use it. */
            auto: boolean;
            browser_types: ("chromium" | "chrome" | "msedge" | "firefox" | "webkit")[];
            /** @description Connections that failed. */
            failures: number;
            /** @enum {unknown} */
            kind: "cdp" | "playwright";
            name: string;
            /** @enum {unknown} */
            network: "proxied" | "direct";
            pages_served: number;
            slots: {
                total: number;
                used: number;
                /** @description Scrapes waiting for a slot. */
                waiting: number;
            };
            /**
             * @description `unknown`: not checked yet. `down`: the last try failed; it is tried again.
             * @enum {unknown}
             */
            state: "ready" | "unknown" | "down";
            /** @description Why it is down. null if it is not. */
            trouble: string | null;
            /** @description Who may use it: everybody, administrators, or users by e-mail address. */
            users: ("all" | "admins") | string[];
            /** @description Version of the browser. null if unknown. */
            version: string | null;
        };
        /** @description Named rules for `extract`. */
        Template: {
            /** @description must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit */
            name: string;
            rules: {
                [key: string]: components["schemas"]["ExtractRule"];
            };
            /** Format: date-time */
            updated_at: string;
            /** @description One more with each change of the rules. */
            version: number;
        };
        TemplateCreate: {
            /** @description must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit */
            name: string;
            rules: {
                [key: string]: components["schemas"]["ExtractRule"];
            };
        };
        TemplateList: {
            items: components["schemas"]["Template"][];
        };
        TemplatePatch: {
            rules: {
                [key: string]: components["schemas"]["ExtractRule"];
            };
        };
        TestError: {
            code: components["schemas"]["ErrorCode"];
            message: string;
        };
        /** @description Types text key by key, into an element or the focused element. */
        TypeAction: {
            delay_ms?: number;
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector?: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            text: string;
            /** @description Time limit for the action. Default: 5,000 ms plus the delays. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "type";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Unchecks a checkbox. */
        UncheckAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
            selector: string | {
                nth?: number;
                /** @enum {unknown} */
                type: "css" | "xpath" | "text";
                value: string;
            };
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "uncheck";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        UnreadCount: {
            unread: number;
        };
        Usage: {
            /** @description Daily budgets of the keys that the figures cover, those that are used most first. */
            budgets: components["schemas"]["UsageBudget"][];
            /** @enum {unknown} */
            by: "day" | "hour" | "key" | "host" | "scraper" | "proxy" | "vendor" | "user" | "outcome";
            change: components["schemas"]["UsageChange"];
            /** @description Currency set by the operator, or `effort` if no prices are configured. */
            cost_unit: string;
            /** @description When counting began, for all users; as exact as what is still kept. null: nothing was counted. */
            counted_from: string | null;
            forecast: components["schemas"]["UsageForecast"];
            /**
             * Format: date-time
             * @description Start of the first step.
             */
            from: string;
            items: components["schemas"]["UsageItem"][];
            /** @description What is in no item: those beyond `limit`, and names that are counted together. Items and `other` add up to `total`. null: nothing. */
            other: components["schemas"]["UsageSums"] | null;
            /** @description The time before, of the same length. null: it was not counted from its begin, or is deleted. */
            previous: {
                /** @description With the calls of the language model. */
                attempts: number;
                /** @description Scrapes with outcome `blocked`. */
                blocked: number;
                /** @description Total size of the contents returned. */
                bytes: number;
                /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
                cost: number | null;
                /** @description Scrapes with outcome `failed`. */
                failed: number;
                /** Format: date-time */
                from: string;
                /** @description Scrapes with outcome `ok`. */
                ok: number;
                /** @description Without dry runs. */
                scrapes: number;
                /** Format: date-time */
                to: string;
                /** @description Sent and received by the attempts. */
                traffic_bytes: number;
                /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
                unpriced: number;
            } | null;
            /** @description All steps, oldest first, including those without scrapes. */
            series: components["schemas"]["UsageStep"][];
            /** @description 300, 3600 or 86400. */
            step_seconds: number;
            /**
             * Format: date-time
             * @description End of the last step, or the current time.
             */
            to: string;
            total: components["schemas"]["UsageSums"];
        };
        UsageBudget: {
            amount: number;
            key_id: string;
            name: string;
            /** @enum {unknown} */
            unit: "scrapes" | "cost";
            /** @description Since 00:00 UTC. */
            used: number;
            /** Format: uuid */
            user_id: string;
        };
        /** @description Change per unit of time, because the last step is still running: 0.5 is half more, -1 is nothing any more. null: there was nothing before, or it is not known. */
        UsageChange: {
            cost: number | null;
            scrapes: number | null;
        };
        /** @description Of the whole month. */
        UsageEstimate: {
            high: number;
            low: number;
            value: number;
        };
        /** @description This month, with the same filters: so far, and for the rest the mean of the last one to four whole weeks. With steady use, four of five months end between `low` and `high`. */
        UsageForecast: {
            cost: components["schemas"]["UsageEstimate"] | null;
            /** @description `YYYY-MM`, UTC. */
            month: string;
            /** @description Why an estimate is null, in a sentence. */
            reason: string | null;
            scrapes: components["schemas"]["UsageEstimate"] | null;
            so_far: components["schemas"]["UsageSums"];
        };
        UsageItem: {
            /** @description With the calls of the language model. */
            attempts: number;
            /** @description Scrapes with outcome `blocked`. */
            blocked: number;
            /** @description Total size of the contents returned. */
            bytes: number;
            change: components["schemas"]["UsageChange"];
            /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
            cost: number | null;
            /** @description Scrapes with outcome `failed`. */
            failed: number;
            /** @description Name of the key, e-mail address of the user. null for other items, and if it is not known any more. */
            label: string | null;
            /** @description Start of the day or hour; id of the key or user; host; scraper (`model`: the language model); proxy type; vendor; outcome. null: a session instead of a key, no attempt, or no vendor. */
            name: string | null;
            /** @description Scrapes with outcome `ok`. */
            ok: number;
            /** @description In the time before. null for days and hours, and if it is not known. */
            previous: components["schemas"]["UsageSums"] | null;
            /** @description Without dry runs. */
            scrapes: number;
            /** @description Sent and received by the attempts. */
            traffic_bytes: number;
            /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
            unpriced: number;
            /** @description Owner of the key; null for other items. */
            user_id: string | null;
        };
        UsageStep: {
            /** Format: date-time */
            at: string;
            /** @description With the calls of the language model. */
            attempts: number;
            /** @description Scrapes with outcome `blocked`. */
            blocked: number;
            /** @description Total size of the contents returned. */
            bytes: number;
            /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
            cost: number | null;
            /** @description Scrapes with outcome `failed`. */
            failed: number;
            /** @description Scrapes with outcome `ok`. */
            ok: number;
            /** @description Without dry runs. */
            scrapes: number;
            /** @description Sent and received by the attempts. */
            traffic_bytes: number;
            /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
            unpriced: number;
        };
        UsageSums: {
            /** @description With the calls of the language model. */
            attempts: number;
            /** @description Scrapes with outcome `blocked`. */
            blocked: number;
            /** @description Total size of the contents returned. */
            bytes: number;
            /** @description In `cost_unit`, attempts that failed included. null: the cost of no attempt is known. */
            cost: number | null;
            /** @description Scrapes with outcome `failed`. */
            failed: number;
            /** @description Scrapes with outcome `ok`. */
            ok: number;
            /** @description Without dry runs. */
            scrapes: number;
            /** @description Sent and received by the attempts. */
            traffic_bytes: number;
            /** @description Attempts that are missing in `cost`: without a price, or paid in another currency than that of today. */
            unpriced: number;
        };
        User: {
            /** @description Maximum concurrent requests, over all keys of the user. */
            concurrency: number;
            /** @description Whether `concurrency` is the default of the service. */
            concurrency_is_default: boolean;
            /** Format: date-time */
            created_at: string;
            disabled_at: string | null;
            email: string;
            /** @description Whether the user has signed in by the OpenID provider. */
            has_identity: boolean;
            /** @description Whether the user has set a password. */
            has_password: boolean;
            /** @description Whether sign-in asks for a code. */
            has_second_factor: boolean;
            /** Format: uuid */
            id: string;
            /** @description Requests running now. */
            in_flight: number;
            /** @description Items of jobs that may run at once, over all jobs of the user. */
            job_concurrency: number;
            /** @description Last use of the dashboard, accurate to about a minute. */
            last_seen_at: string | null;
            limits: {
                monitors: number;
                /** @description Jobs that have not ended. */
                open_jobs: number;
                /** @description Items of these jobs that wait. */
                queued_items: number;
                schedules: number;
                /** @description Streams of events and results that are open at once. */
                streams: number;
                templates: number;
            };
            /**
             * @description `viewer`: reads what an administrator reads, and changes nothing.
             * @enum {unknown}
             */
            role: "admin" | "user" | "viewer";
        };
        UserCreate: {
            concurrency?: number | null;
            /** @description An e-mail address. */
            email: string;
            job_concurrency?: number | null;
            /** @description null restores the default. */
            limits?: {
                monitors?: number | null;
                open_jobs?: number | null;
                queued_items?: number | null;
                schedules?: number | null;
                streams?: number | null;
                templates?: number | null;
            };
            password?: string | null;
            /**
             * @description `viewer`: reads what an administrator reads, and changes nothing.
             * @enum {unknown}
             */
            role?: "admin" | "user" | "viewer";
        };
        UserLink: {
            /** Format: date-time */
            expires_at: string;
            /** @description Link that sets the password of the user. Works once. */
            url: string;
        };
        UserList: {
            items: components["schemas"]["User"][];
        };
        /** @description Fields left out stay unchanged. `concurrency: null` restores the default. */
        UserPatch: {
            concurrency?: number | null;
            disabled?: boolean;
            job_concurrency?: number | null;
            /** @description null restores the default. */
            limits?: {
                monitors?: number | null;
                open_jobs?: number | null;
                queued_items?: number | null;
                schedules?: number | null;
                streams?: number | null;
                templates?: number | null;
            };
            /**
             * @description `viewer`: reads what an administrator reads, and changes nothing.
             * @enum {unknown}
             */
            role?: "admin" | "user" | "viewer";
        };
        /** @description The key is shown as `***`. `options` are shown as they are. */
        Vendor: {
            auto?: boolean;
            base_url?: string;
            concurrency?: number;
            /** @description most that is spent in a day (UTC), in the currency of SLUICE_PRICES */
            daily_cap?: number;
            key?: string;
            key_file?: string;
            /** @enum {unknown} */
            kind: "zyte" | "scrapfly" | "scrapingbee" | "scraperapi" | "zenrows" | "scrapedo" | "brightdata" | "oxylabs" | "firecrawl" | "browserless" | "flaresolverr" | "sluice" | "http";
            /** @description Why it is left alone. null if it is not. */
            left_alone: ("auth" | "credits" | "throttled" | "timeout" | "blocked" | "protocol" | "unsupported") | null;
            /** @description Since when it has been left alone again and again. null if it is not left alone. */
            left_alone_since: string | null;
            /** @description When it is tried again. null if it is not left alone. */
            left_alone_until: string | null;
            /** @description must be 1 to 40 lower-case letters, digits, `_`, `-` */
            name: string;
            options?: Record<string, never>;
            price?: {
                /** @description of one credit, in the currency of SLUICE_PRICES */
                per_credit?: number;
                /** @description of each request, in the currency of SLUICE_PRICES */
                per_request?: number;
                /** @description of each request that the vendor charges for, in the currency of SLUICE_PRICES */
                per_success?: number;
            };
            /** @description Why it is not used, such as a price without `SLUICE_PRICES`. Empty: it is used. */
            problems: string[];
            proxy_types?: ("datacenter" | "residential" | "mobile")[];
            /**
             * @description `left_alone`: not asked for a while after failures. `spent`: the daily cap is reached. `unused`: see `problems`.
             * @enum {unknown}
             */
            state: "ready" | "left_alone" | "spent" | "unused";
        };
        VendorCreate: {
            auto?: boolean;
            base_url?: string;
            concurrency?: number;
            /** @description most that is spent in a day (UTC), in the currency of SLUICE_PRICES */
            daily_cap?: number;
            key?: string;
            /** @enum {unknown} */
            kind: "zyte" | "scrapfly" | "scrapingbee" | "scraperapi" | "zenrows" | "scrapedo" | "brightdata" | "oxylabs" | "firecrawl" | "browserless" | "flaresolverr" | "sluice" | "http";
            /** @description must be 1 to 40 lower-case letters, digits, `_`, `-` */
            name: string;
            options?: Record<string, never>;
            price?: {
                /** @description of one credit, in the currency of SLUICE_PRICES */
                per_credit?: number;
                /** @description of each request, in the currency of SLUICE_PRICES */
                per_request?: number;
                /** @description of each request that the vendor charges for, in the currency of SLUICE_PRICES */
                per_success?: number;
            };
            proxy_types?: ("datacenter" | "residential" | "mobile")[];
        };
        VendorHistory: {
            cost_unit: string;
            /**
             * Format: date-time
             * @description Start of the first step.
             */
            from: string;
            step_seconds: number;
            /**
             * Format: date-time
             * @description The current time; the last step is still running.
             */
            to: string;
            vendors: components["schemas"]["VendorHistoryItem"][];
            /** @enum {unknown} */
            window: "1h" | "24h" | "7d" | "30d" | "90d";
        };
        VendorHistoryItem: {
            name: string;
            points: components["schemas"]["VendorPoint"][];
            totals: components["schemas"]["VendorTotals"];
        };
        VendorList: {
            items: components["schemas"]["Vendor"][];
            /** @description What a vendor can be. */
            kinds: {
                /** @description null: `base_url` must be set. */
                base_url: string | null;
                /** @enum {unknown} */
                kind: "zyte" | "scrapfly" | "scrapingbee" | "scraperapi" | "zenrows" | "scrapedo" | "brightdata" | "oxylabs" | "firecrawl" | "browserless" | "flaresolverr" | "sluice" | "http";
                needs_key: boolean;
                /** @description The value of `proxy_types` if it is not set. */
                proxy_types: ("datacenter" | "residential" | "mobile")[];
            }[];
            /**
             * @description `file`: the file of the operator, which this API cannot change.
             * @enum {unknown}
             */
            source: "file" | "database";
        };
        VendorPatch: {
            auto?: boolean | null;
            base_url?: string | null;
            concurrency?: number | null;
            daily_cap?: number | null;
            key?: string | null;
            /** @enum {unknown} */
            kind?: "zyte" | "scrapfly" | "scrapingbee" | "scraperapi" | "zenrows" | "scrapedo" | "brightdata" | "oxylabs" | "firecrawl" | "browserless" | "flaresolverr" | "sluice" | "http";
            options?: Record<string, never> | null;
            price?: {
                /** @description of one credit, in the currency of SLUICE_PRICES */
                per_credit?: number;
                /** @description of each request, in the currency of SLUICE_PRICES */
                per_request?: number;
                /** @description of each request that the vendor charges for, in the currency of SLUICE_PRICES */
                per_success?: number;
            } | null;
            proxy_types?: ("datacenter" | "residential" | "mobile")[] | null;
        };
        VendorPoint: {
            /** Format: date-time */
            at: string;
            /** @description In `cost_unit`, without requests whose cost is not known. null if none is known. */
            cost: number | null;
            /** @description Requests that failed: `vendor.failed`. */
            failed: number;
            /** @description Whether the vendor was left alone for a part of the step. null: unknown. */
            left_alone: boolean | null;
            /** @description Requests that returned a page. */
            ok: number;
            requests: number;
        };
        VendorTest: {
            /** @description What the request cost, in `cost_unit`. null if it is not known. */
            cost: number | null;
            /** @description As in `scraper_data.vendor`. null if the vendor was not asked. */
            cost_source: ("reported" | "estimated" | "unknown") | null;
            cost_unit: string;
            /** @description Credits that the vendor says it charged. */
            credits: number | null;
            error: components["schemas"]["TestError"] | null;
            /** @description The address in the response: its text is an IP address, or JSON with a member `ip` or `origin`. null if it has none. */
            exit_ip: string | null;
            /** @description How long it took. */
            ms: number;
            /** @description Whether the URL was fetched, with a status below 400. */
            ok: boolean;
            /** @description Status of the response of the target. null if there was none, or the vendor does not report it. */
            status_code: number | null;
        };
        VendorTestRequest: {
            /** @description The URL to fetch. There is no default, because every request goes to somebody. A URL that answers with the address of the caller shows `exit_ip`. */
            url: string;
        };
        VendorTotals: {
            /** @description In `cost_unit`, without requests whose cost is not known. null if none is known. */
            cost: number | null;
            /** @description Requests that failed: `vendor.failed`. */
            failed: number;
            /** @description Requests that returned a page. */
            ok: number;
            requests: number;
        };
        /** @description The vendor that fetched the page. */
        VendorUse: {
            /**
             * @description Source of the cost: reported by the vendor, calculated from the prices of the operator, or unknown.
             * @enum {unknown}
             */
            cost_source: "reported" | "estimated" | "unknown";
            credits: number | null;
            /** @enum {unknown} */
            kind: "zyte" | "scrapfly" | "scrapingbee" | "scraperapi" | "zenrows" | "scrapedo" | "brightdata" | "oxylabs" | "firecrawl" | "browserless" | "flaresolverr" | "sluice" | "http";
            /** @description Name in the file of vendors. */
            name: string;
            request_id: string | null;
        };
        /** @description Waits for a fixed time. */
        WaitAction: {
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            ms: number;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description The action fails if the wait would be longer than this. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits until a script returns a truthy value. */
        WaitForFunctionAction: {
            /** @description A JSON value, available to the script as `arg`. */
            arg?: unknown;
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both. */
            script: string;
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_function";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits until the page reaches a load state. `networkidle` waits at most 10 s, then continues with a warning. */
        WaitForLoadStateAction: {
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @enum {unknown} */
            state: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
            /** @description Time limit for the action. Default: 5,000 ms; 15,000 ms with `networkidle`. */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_load_state";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits for a response to a request of the page. A response received since the start of the previous action counts too. `result` is `{url, method, status}`. */
        WaitForResponseAction: {
            /**
             * @description `result` also has `resource_type`, `request_headers`, `headers`, `body`, `body_encoding`, `truncated`.
             * @default false
             */
            capture?: boolean;
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /** @description Case-insensitive. */
            method?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            status?: number;
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_response";
            /** @description A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either. */
            url: string;
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits until an element has the given state. */
        WaitForSelectorAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
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
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_selector";
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @description Waits until the URL of the page matches. */
        WaitForUrlAction: {
            /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
            frame?: string;
            /** @description A name of your choice, repeated in the result of the action. */
            id?: string;
            /**
             * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
             * @default stop
             * @enum {unknown}
             */
            on_error?: "stop" | "continue" | "fail";
            /**
             * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
             * @default false
             */
            optional?: boolean;
            /**
             * @description Time limit for the action.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wait_for_url";
            /** @description A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either. */
            url: string;
            /**
             * @description Pause after the action.
             * @default 0
             */
            wait_after_ms?: number;
        };
        /** @enum {unknown} */
        WarningCode: "proxy.direct" | "data.on_get" | "wait.networkidle_timeout" | "screenshot.clamped" | "vendor.not_told" | "vendor.key_masked" | "egress.blocked" | "egress.remote" | "content.gzip" | "charset.replaced" | "frames.unread" | "json_ld.unread" | "content.more" | "content.refetched" | "content.truncated" | "extract.ungrounded" | "extract.drift" | "robots.disallowed" | "document.no_text" | "document.truncated" | "document.hidden" | "page.js_shell" | "page.empty" | "page.opened" | "page.download";
        WarningEntry: {
            attempt?: number;
            code: components["schemas"]["WarningCode"];
            details?: {
                [key: string]: unknown;
            };
            /** @constant */
            level: "warning";
            /** @description What is wrong, what is allowed, and what was given. */
            message: string;
            /** @description JSON Pointer (RFC 6901) into the request. */
            pointer?: string;
            /** @description Whether retrying the same request may succeed. */
            retryable: boolean;
            /** @enum {unknown} */
            source: "request" | "service" | "route" | "proxy" | "vendor" | "target" | "browser" | "action" | "extract";
        };
        /** @description Where events are sent, signed as Standard Webhooks say. Missing members are taken from your default webhook. */
        Webhook: {
            /** @description What is sent; an empty list: nothing. Default: `done`, `failed` and `changed`. `page` and `item_failed`: each item that has ended. `changed`: of monitors. */
            events?: ("started" | "page" | "item_failed" | "done" | "changed" | "failed" | "cancelled")[];
            /**
             * @description The form of messages of batches and crawls. `firecrawl`: as Firecrawl sends them, also signed by `X-Firecrawl-Signature`; the default of `include` is then `full`.
             * @default standard
             * @enum {unknown}
             */
            format?: "standard" | "firecrawl";
            /** @description Headers to send. Their values are masked when the job is read. */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description What is sent of the job and the item: their ids, what lists show (`metadata`, the default), or also the whole scrape, up to 10 MiB (`full`).
             * @enum {unknown}
             */
            include?: "none" | "metadata" | "full";
            /** @description Any JSON object; sent with each message. */
            metadata?: Record<string, never>;
            /** @description http or https. Redirects are not followed. */
            url?: string;
        };
        WebhookDelivery: {
            /** @description The first 2 KiB of the last answer. Only with a session. */
            answer: string | null;
            /** Format: date-time */
            created_at: string;
            duration_ms: number | null;
            /** @description Why the last try failed. */
            error: string | null;
            /** @description `webhook-id` of the message, the same for each try. */
            id: string;
            last_at: string | null;
            /** @description When it is tried next; null: it has ended. */
            next_at: string | null;
            /** @description Number of the event in its source. */
            sequence: number;
            /** @enum {unknown} */
            source: "job" | "scrape" | "monitor" | "alert" | "channel" | "test";
            /**
             * Format: uuid
             * @description Id of the job, of the scrape, of the monitor, of the channel of an alert, or of the test.
             */
            source_id: string;
            /**
             * @description `failed`: given up.
             * @enum {unknown}
             */
            state: "queued" | "sending" | "delivered" | "failed";
            /** @description Status of the last answer; null: there was none. */
            status: number | null;
            tries: number;
            /** @description Such as `job.page`. */
            type: string;
            /** @description Of mail `mailto:`. The path of a Slack URL is masked. */
            url: string;
        };
        WebhookDeliveryList: {
            items: components["schemas"]["WebhookDelivery"][];
            next_cursor: string | null;
        };
        WebhookSecret: {
            /** @description The secret before the last rotation signs as well. */
            previous: string | null;
            previous_until: string | null;
            /** @description Signs all messages: `whsec_` and base64. */
            secret: string;
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
    listAlerts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rules. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRequest"];
            };
        };
        responses: {
            /** @description The rule. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many rules: `limit.alerts`; or requests: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertChange"];
            };
        };
        responses: {
            /** @description The changed rule. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    silenceAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertSilence"];
            };
        };
        responses: {
            /** @description The rule. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it ended, by channel. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTestResult"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlertEvents: {
        parameters: {
            query?: {
                /** @description Only of this rule. */
                alert?: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertEventList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAttention: {
        parameters: {
            query?: {
                /** @description Entries at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attention"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Only this action. */
                action?: "user.created" | "user.updated" | "key.created" | "key.updated" | "key.revoked" | "key.rotated" | "session.created" | "session.refused" | "session.ended" | "password.changed" | "second_factor.enabled" | "second_factor.disabled" | "second_factor.reset" | "recovery_code.used" | "link.created" | "link.used" | "invitation.created" | "invitation.resent" | "invitation.revoked" | "identity.linked" | "identity.removed" | "alert.created" | "alert.updated" | "alert.deleted" | "alert.silenced" | "channel.created" | "channel.updated" | "channel.deleted" | "pool.created" | "pool.updated" | "pool.deleted" | "proxies.updated" | "vendor.created" | "vendor.updated" | "vendor.deleted" | "site.forgotten" | "site.pinned" | "site.unpinned" | "webhook_secret.rotated" | "default_webhook.changed" | "default_webhook.deleted";
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description `jsonl` (one JSON object per line) and `csv` export all entries that match, without pages. */
                format?: "json" | "jsonl" | "csv";
                /** @description At or after this time. */
                from?: string;
                /** @description Maximum number of entries per page. */
                limit?: number;
                /** @description Only what concerns the user, key, session, site, pool, vendor or alert with this id. */
                target_id?: string;
                /** @description Before this time. */
                to?: string;
                /** @description Only what this user did, or what concerns the account of this user. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, or the export. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request. If the request is sent again with the same key within 24 hours, the response to the first one is returned, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The job is stored. */
            202: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this `Idempotency-Key` is running (`idempotency.conflict`), or its result is not known (`idempotency.unknown`). */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of channels. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelRequest"];
            };
        };
        responses: {
            /** @description The channel. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many channels: `limit.channels`; or requests: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: {
                /** @description `1`: also removes it from all that uses it. */
                detach?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is in use: `channel.in_use`; `details.used_by` lists by what. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelChange"];
            };
        };
        responses: {
            /** @description The changed channel. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description It is not paused: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the channel. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it ended. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelTestResult"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compareWays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompareRequest"];
            };
        };
        responses: {
            /** @description The methods, side by side. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed: `auth.*`, or `policy.domain`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The service is shutting down, or cannot store records: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createCrawl: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request. If the request is sent again with the same key within 24 hours, the response to the first one is returned, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CrawlRequest"];
            };
        };
        responses: {
            /** @description The job is stored. */
            202: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this `Idempotency-Key` is running (`idempotency.conflict`), or its result is not known (`idempotency.unknown`). */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorsTable"];
                    "text/html": string;
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportRequest"];
            };
        };
        responses: {
            /** @description The scrape request. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResult"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations, the oldest first. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCreate"];
            };
        };
        responses: {
            /** @description The invitation with the link. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation is revoked. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the invitation. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation with the new link. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentInvitation"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Created at or after this time. */
                from?: string;
                /** @description Only jobs of this kind. */
                kind?: "scrape" | "batch" | "crawl";
                /** @description Jobs per page. */
                limit?: number;
                /** @description Only jobs in this state. */
                state?: "queued" | "running" | "paused" | "done" | "cancelled" | "failed";
                /** @description A tag, as `name:value`. */
                tag?: string;
                /** @description Created before this time. */
                to?: string;
                /** @description Also jobs that are runs of monitors and schedules. */
                with_runs?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: {
                /** @description `1`: delete everything. */
                purge?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled, or deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the job does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobChange"];
            };
        };
        responses: {
            /** @description The changed job. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the job does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cloneJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new job. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The job is an asynchronous scrape: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJobEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description There are no more events, and there will be none. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many streams (`limit.streams`) or requests (`limit.concurrency`). */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportJob: {
        parameters: {
            query?: {
                /** @description Format of the file. */
                format?: "jsonl" | "csv" | "xlsx" | "zip";
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/x-ndjson": string;
                    "application/zip": string;
                    "text/csv": string;
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listJobFolders: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description The folder whose folders are listed, such as `example.com/docs/`. Default: the hosts. */
                folder?: string;
                /** @description Folders per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of folders. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobFolders"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paused job. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the job does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getJobResults: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only items whose URLs are in this folder or below it, such as `example.com/docs/` (as `GET …/folders/` lists them). */
                folder?: string;
                /** @description `1`, with `Accept: application/x-ndjson`: the stream goes on until the job has ended. */
                follow?: "0" | "1";
                /** @description What is returned of each scrape: nothing, its `scraper_data` (`formats`), or the whole scrape (`full`). */
                include?: "none" | "formats" | "full";
                /** @description Items per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results, or all of them. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResults"];
                    "application/x-ndjson": string;
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many streams (`limit.streams`) or requests (`limit.concurrency`). */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resumed job. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the job does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryFailedItems: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job, which goes on. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the job does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request has a session instead of a key. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description The key. Shown only once. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the key. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the key. */
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
            /** @description The new key. Shown only once. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createMap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MapRequest"];
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MapResult"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No scraper and proxy can do this request; `candidates` says why. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMonitors: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of monitors. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request. If the request is sent again with the same key within 24 hours, the response to the first one is returned, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorRequest"];
            };
        };
        responses: {
            /** @description The monitor. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this `Idempotency-Key` is running (`idempotency.conflict`), or its result is not known (`idempotency.unknown`). */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No scraper and proxy can do a request of the monitor; `candidates` says why. Or there is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many monitors: `limit.monitors`; or requests: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorChange"];
            };
        };
        responses: {
            /** @description The changed monitor. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No scraper and proxy can do a request of the monitor; `candidates` says why. Or there is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMonitorNoise: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proposals. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoiseList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paused monitor. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the monitor does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Monitor"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the monitor does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of the run. */
            202: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        n: number;
                    };
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the monitor does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMonitorRuns: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the monitor. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorRunList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
                /** @description `1`: only those that are not read. */
                unread?: "0" | "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notifications. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRead"];
            };
        };
        responses: {
            /** @description How many are not read now. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnreadCount"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description The OpenAPI 3.1 document. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proxies"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeProxies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProxiesPatch"];
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SLUICE_PROXIES` is set, so the settings are in that file: `settings.file`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProxyChoices"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProxyHistory: {
        parameters: {
            query?: {
                /** @description The last hour (in steps of one minute), day (15 minutes), 7 days (one hour), 30 days (6 hours) or 90 days (one day). */
                window?: "1h" | "24h" | "7d" | "30d" | "90d";
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProxyHistory"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPoolSettings: {
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolSettingsList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Pool"];
            };
        };
        responses: {
            /** @description The pool. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolSettings"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SLUICE_PROXIES` is set, so the settings are in that file: `settings.file`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPoolSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the pool. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pool. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolSettings"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deletePool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the pool. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SLUICE_PROXIES` is set, so the settings are in that file: `settings.file`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changePool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the pool. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PoolPatch"];
            };
        };
        responses: {
            /** @description The pool. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolSettings"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SLUICE_PROXIES` is set, so the settings are in that file: `settings.file`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the pool. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PoolTestRequest"];
            };
        };
        responses: {
            /** @description The results. The status is 200 whatever they are. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolTest"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProxyCa: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certificate as PEM. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description There is no proxy port: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSavedRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your saved requests, by name. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedRequestList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    saveRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedRequestCreate"];
            };
        };
        responses: {
            /** @description The saved request. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedRequest"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There are too many saved requests already: `limit.saved_requests`. Or too many concurrent requests: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSavedRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the saved request. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of schedules. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledJobList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this request. If the request is sent again with the same key within 24 hours, the response to the first one is returned, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduledJobRequest"];
            };
        };
        responses: {
            /** @description The schedule. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledJob"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this `Idempotency-Key` is running (`idempotency.conflict`), or its result is not known (`idempotency.unknown`). */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No scraper and proxy can do a request of the job; `candidates` says why. Or there is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many schedules: `limit.schedules`; or requests: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the schedule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledJob"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the schedule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the schedule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduledJobChange"];
            };
        };
        responses: {
            /** @description The changed schedule. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledJob"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No scraper and proxy can do a request of the job; `candidates` says why. Or there is no such template: `template.unknown`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the schedule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paused schedule. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledJob"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the schedule does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the schedule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledJob"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the schedule does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the schedule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of the run. */
            202: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        n: number;
                    };
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The state of the schedule does not allow it: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the schedule. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledJobRunList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description `next_cursor` of the previous page. Keep order and filters unchanged. */
                cursor?: string;
                /** @description Code of the first error. */
                error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "template.unknown" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "action.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
                /** @description Created at or after this time. */
                from?: string;
                /** @description Host of the target, or a pattern such as `*shop*` in which `*` matches any characters. */
                host?: string;
                /** @description Only these records: at most 200 ids, separated by commas. */
                ids?: string;
                /** @description Id of the API key used. */
                key_id?: string;
                /** @description Maximum number of records per page. */
                limit?: number;
                /** @description By start time: newest first (`desc`) or oldest first (`asc`). */
                order?: "asc" | "desc";
                /** @description Outcome of the scrape. */
                outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
                /** @description Text that the path or the query of the URL contains, in any case. */
                path?: string;
                /** @description Scraper that produced the result. */
                scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
                /** @description Status of the target response. */
                status?: number;
                /** @description A tag, as `name:value`. */
                tag?: string;
                /** @description Created before this time. */
                to?: string;
                /** @description Owner of the scrape. Only for sessions of administrators, which see all users. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    /** @description How far back this page searched. Absent on the last page. */
                    "X-Searched-To"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            header?: {
                /** @description A key of your choice for this request. If the request is sent again with the same key within 24 hours, the response to the first one is returned, with `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScrapeRequest"];
            };
        };
        responses: {
            /** @description The page; or, with `Accept: text/event-stream`, what the scrape does and its result. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description With `Prefer: respond-async`: the scrape is stored and will run. */
            202: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AsyncState"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed: `auth.*` or `policy.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] | components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description The record of `router.compare_to` is not there: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A request with this `Idempotency-Key` is running (`idempotency.conflict`), or its result is not known (`idempotency.unknown`). */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record of `router.compare_to` has expired: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No scraper and proxy can do this request; `candidates` says why. Or there is no such template: `template.unknown`. Or a browser did not take a cookie or the storage state. Or the record of `router.compare_to` cannot be compared: `record.no_content`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] | components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] | components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description The target did not return a page: `dns.*`, `connect.*`, `tls.invalid`, … */
            502: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"] | components["schemas"]["ScrapeProblem"];
                };
            };
            /** @description Timed out without a page: `timeout.*`. */
            504: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            query?: {
                /** @description Whether `content` and `content_encoding` are in the answer. Default: as the request of the scrape said, `true` if it said nothing. */
                return_content?: "true" | "false";
                /** @description How long to wait for the end of an asynchronous scrape. */
                wait_ms?: number;
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scrape. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeRecord"];
                };
            };
            /** @description An asynchronous scrape that has not ended. See `Retry-After`. */
            202: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AsyncState"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has expired: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has expired: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compareScrapes: {
        parameters: {
            query?: {
                /** @description Id of the record to compare with, usually the earlier one. */
                before?: string;
                /** @description What is compared. `source`: the lines of the content as it was stored. `markdown`, `text` and `main_html` are those of the main content. */
                format?: "source" | "markdown" | "text" | "main_html" | "extract" | "json" | "structured";
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The difference. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeChange"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has expired: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description `1`: for display in a sandboxed frame of the dashboard instead. Only HTML, text and images. */
                view?: "1";
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has expired: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getScrapeFile: {
        parameters: {
            query?: {
                /** @description Part of a signed link: expiry as Unix time in seconds. */
                expires?: number;
                /** @description Part of a signed link; replaces the API key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
                /** @description Number of the file. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The link has expired: `file.expired`. Or the record: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readScrape: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadingRequest"];
            };
        };
        responses: {
            /** @description What was read. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadingResult"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has expired: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has no content: `record.no_content`; `details.reason` says why. Or there is no such template: `template.unknown`; or `json` needs a model and there is none: `scraper.unsupported_option`. */
            422: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The record has expired: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Part of a signed link: expiry as Unix time in seconds. */
                expires?: number;
                /** @description Part of a signed link; replaces the API key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The link has expired: `screenshot.expired`. Or the record: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Part of a signed link: expiry as Unix time in seconds. */
                expires?: number;
                /** @description Part of a signed link; replaces the API key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: string;
                /** @description Number of the screenshot. */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The link has expired: `screenshot.expired`. Or the record: `record.expired`. */
            410: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Code of the first error. */
                error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "template.unknown" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "action.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
                /** @description `jsonl`: one JSON object per line. */
                format?: "jsonl" | "csv";
                /** @description Created at or after this time. */
                from?: string;
                /** @description Host of the target, or a pattern such as `*shop*` in which `*` matches any characters. */
                host?: string;
                /** @description Only these records: at most 200 ids, separated by commas. */
                ids?: string;
                /** @description Id of the API key used. */
                key_id?: string;
                /** @description Outcome of the scrape. */
                outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
                /** @description Text that the path or the query of the URL contains, in any case. */
                path?: string;
                /** @description Scraper that produced the result. */
                scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
                /** @description Status of the target response. */
                status?: number;
                /** @description A tag, as `name:value`. */
                tag?: string;
                /** @description Created before this time. */
                to?: string;
                /** @description Owner of the scrape. Only for sessions of administrators, which see all users. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exported records. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getScrapeTotals: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous response. Keep the filters unchanged. */
                cursor?: string;
                /** @description Code of the first error. */
                error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "template.unknown" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "action.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
                /** @description Created at or after this time. */
                from?: string;
                /** @description Host of the target, or a pattern such as `*shop*` in which `*` matches any characters. */
                host?: string;
                /** @description Only these records: at most 200 ids, separated by commas. */
                ids?: string;
                /** @description Id of the API key used. */
                key_id?: string;
                /** @description Outcome of the scrape. */
                outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
                /** @description Text that the path or the query of the URL contains, in any case. */
                path?: string;
                /** @description Scraper that produced the result. */
                scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
                /** @description Status of the target response. */
                status?: number;
                /** @description A tag, as `name:value`. */
                tag?: string;
                /** @description Created before this time. */
                to?: string;
                /** @description Owner of the scrape. Only for sessions of administrators, which see all users. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The totals. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScrapeTotals"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScraperList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials or the link are not valid: `auth.invalid`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many sign-in attempts: `limit.sign_in`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description Your sessions, latest first. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description The other sessions have ended. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description The link is valid. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetUpLink"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials or the link are not valid: `auth.invalid`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many sign-in attempts: `limit.sign_in`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSingleSignOn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SingleSignOn"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishSingleSignOn: {
        parameters: {
            query?: {
                /** @description Of the provider. */
                code?: string;
                /** @description Of the provider, if it refuses. */
                error?: string;
                /** @description Of the first step. */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the page that was requested, or to the sign-in page with `error`. */
            302: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The operator has set no provider: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startSingleSignOn: {
        parameters: {
            query?: {
                /** @description Path of the dashboard to which the sign-in leads. Others lead to the overview. */
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider, or to the sign-in page with `error`. */
            302: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The operator has set no provider: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many sign-in attempts: `limit.sign_in`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    enrolSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorEnrol"];
            };
        };
        responses: {
            /** @description The secret. Shown only once. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorEnrolment"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many sign-in attempts: `limit.sign_in`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorConfirm"];
            };
        };
        responses: {
            /** @description The recovery codes. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorDisable"];
            };
        };
        responses: {
            /** @description Sign-in asks only for the password. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many sign-in attempts: `limit.sign_in`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials or the link are not valid: `auth.invalid`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many sign-in attempts: `limit.sign_in`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSites: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Per page. */
                limit?: number;
                /** @description Only hosts whose name contains this text. */
                q?: string;
                /** @description Id of a user, or `all` (default). Only for sessions of administrators. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sites. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Host as in the URL, with `:port` unless it is the default port. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The site. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Host as in the URL, with `:port` unless it is the default port. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSiteBill: {
        parameters: {
            query?: {
                /** @description Id of a user, or `all` (default). Only for sessions of administrators. */
                user_id?: string;
            };
            header?: never;
            path: {
                /** @description Host as in the URL, with `:port` unless it is the default port. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bill. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteBill"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Host as in the URL, with `:port` unless it is the default port. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Host as in the URL, with `:port` unless it is the default port. */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pin is removed. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of a user, or `all` (default). Only for sessions of administrators. */
                user_id?: string;
                /** @description The last hour (in steps of one minute), 24 hours (15 minutes), 7 days (one hour), 30 or 90 days (days of UTC). */
                window?: "1h" | "24h" | "7d" | "30d" | "90d";
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSystemHistory: {
        parameters: {
            query?: {
                /** @description The last hour (in steps of one minute), day (15 minutes), 7 days (one hour), 30 days (6 hours) or 90 days (one day). */
                window?: "1h" | "24h" | "7d" | "30d" | "90d";
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemHistory"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your templates, by name. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateCreate"];
            };
        };
        responses: {
            /** @description The template. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description There are too many templates already: `limit.templates`. Or too many concurrent requests: `limit.concurrency`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the template. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the template. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the template. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplatePatch"];
            };
        };
        responses: {
            /** @description The template with its new version. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description How `items` are split. Days and hours are those of UTC; `hour` is for at most 7 days within the last two weeks. */
                by?: "day" | "hour" | "key" | "host" | "scraper" | "proxy" | "vendor" | "user" | "outcome";
                /** @description Start, at most 189 days ago. Rounded down to a step. */
                from?: string;
                /** @description Only scrapes of this host, without the port. */
                host?: string;
                /** @description Only scrapes with this API key. */
                key_id?: string;
                /** @description Maximum number of items; what is left is `other`. Days and hours are never left out. */
                limit?: number;
                /** @description Only attempts by this type of proxy, and scrapes whose result is from one. */
                proxy_type?: "datacenter" | "residential" | "mobile" | "custom" | "none";
                /** @description Only attempts by this scraper (`model`: calls of the language model), and scrapes whose result is from it. */
                scraper?: string;
                /** @description What the items with the most of it come first; days and hours are in their order. */
                sort?: "cost" | "scrapes";
                /** @description End; by default now. Rounded up to a step. */
                to?: string;
                /** @description Id of a user, or `all` (default). Only for sessions of administrators. */
                user_id?: string;
                /** @description Like `scraper`, by the name of the vendor. */
                vendor?: string;
                /** @description The time until now. Not together with `from` and `to`. */
                window?: "1h" | "6h" | "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportUsage: {
        parameters: {
            query?: {
                /** @description How `items` are split. Days and hours are those of UTC; `hour` is for at most 7 days within the last two weeks. */
                by?: "day" | "hour" | "key" | "host" | "scraper" | "proxy" | "vendor" | "user" | "outcome";
                /** @description `jsonl`: one JSON object per line. */
                format?: "csv" | "jsonl";
                /** @description Start, at most 189 days ago. Rounded down to a step. */
                from?: string;
                /** @description Only scrapes of this host, without the port. */
                host?: string;
                /** @description Only scrapes with this API key. */
                key_id?: string;
                /** @description Only attempts by this type of proxy, and scrapes whose result is from one. */
                proxy_type?: "datacenter" | "residential" | "mobile" | "custom" | "none";
                /** @description Only attempts by this scraper (`model`: calls of the language model), and scrapes whose result is from it. */
                scraper?: string;
                /** @description What the items with the most of it come first; days and hours are in their order. */
                sort?: "cost" | "scrapes";
                /** @description End; by default now. Rounded up to a step. */
                to?: string;
                /** @description Id of a user, or `all` (default). Only for sessions of administrators. */
                user_id?: string;
                /** @description Like `scraper`, by the name of the vendor. */
                vendor?: string;
                /** @description The time until now. Not together with `from` and `to`. */
                window?: "1h" | "6h" | "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The items. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the user. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is not linked. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The user is not linked: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                /** @description Id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. Shown only once. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sign-in asks only for the password. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The user has none: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listVendors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The vendors. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorList"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createVendor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorCreate"];
            };
        };
        responses: {
            /** @description The vendor. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vendor"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SLUICE_VENDORS` is set, so the settings are in that file: `settings.file`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVendor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the vendor. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The vendor. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vendor"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteVendor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the vendor. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SLUICE_VENDORS` is set, so the settings are in that file: `settings.file`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeVendor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the vendor. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorPatch"];
            };
        };
        responses: {
            /** @description The vendor. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vendor"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `SLUICE_VENDORS` is set, so the settings are in that file: `settings.file`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testVendor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the vendor. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorTestRequest"];
            };
        };
        responses: {
            /** @description The result. The status is 200 whatever it is. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorTest"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVendorHistory: {
        parameters: {
            query?: {
                /** @description The last hour (in steps of one minute), day (15 minutes), 7 days (one hour), 30 days (6 hours) or 90 days (one day). */
                window?: "1h" | "24h" | "7d" | "30d" | "90d";
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorHistory"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The version of the API.
                         * @constant
                         */
                        api: "v1";
                        /** @description The version of Node.js, without `v`. */
                        node: string;
                        /**
                         * Format: date-time
                         * @description When the service started.
                         */
                        started_at: string;
                        /** @description The version of Sluice. */
                        version: string;
                    };
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Deliveries per page. */
                limit?: number;
                /** @description Only of this job or scrape. */
                source?: string;
                /** @description Only in this state. */
                state?: "queued" | "sending" | "delivered" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description A query parameter is unknown or not valid: `request.validation`. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which waits to be sent. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found, or not yours: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The delivery has not ended: `job.state`. */
            409: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDefaultWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The default webhook; null: there is none. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DefaultWebhook"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setDefaultWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        responses: {
            /** @description Stored. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDefaultWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description The session is missing or has ended: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The user is disabled (`auth.disabled`), or the request was not sent by the dashboard (`auth.origin`). */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        responses: {
            /** @description The delivery, which waits to be sent. */
            201: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description The request is not valid: `request.invalid_json`, or `request.validation` with a pointer for each error. */
            400: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session is missing or not valid: `auth.*`. */
            401: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The API key or session lacks permission: `auth.*`. */
            403: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The request took too long to arrive: `request.slow`. */
            408: {
                headers: {
                    /** @description Id of this request in the logs. */
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The body is not `application/json`: `request.media_type`. */
            415: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many concurrent requests: `limit.concurrency`. See `Retry-After`. */
            429: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description A bug in the service: `service.internal`. Or an asynchronous scrape was in flight when the process ended: `job.interrupted`. */
            500: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Service temporarily unavailable: `service.*`. See `Retry-After`. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description The page. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getDocsApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description The process is running. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getLlms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The description, as Markdown. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
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
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Not available to remote callers: `request.not_found`. */
            404: {
                headers: {
                    /** @description Id of this request in the logs. */
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
            /** @description The service accepts requests. */
            200: {
                headers: {
                    /** @description Id of this request in the logs. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        browser: {
                            /** @enum {unknown} */
                            sandbox: "on" | "off";
                            /**
                             * @description `unknown`: not checked yet. `unavailable`: this machine has no usable browser; `GET /api/v1/scrapers/` says why. `down`: a browser should start but does not. HTTP scrapers work in every case.
                             * @enum {unknown}
                             */
                            state: "ready" | "unknown" | "unavailable" | "down";
                        };
                        read_replica?: {
                            /**
                             * @description Of `SLUICE_DATABASE_READ_URL`; absent: it is not set. `down`: it does not answer, so the database itself is asked for lists and statistics.
                             * @enum {unknown}
                             */
                            state: "ready" | "down";
                        };
                        /**
                         * @description `SLUICE_ROLE`.
                         * @enum {unknown}
                         */
                        role: "all" | "api" | "worker";
                        /**
                         * @description `degraded`: the browser does not start, the role is `api` and no worker runs, or large contents cannot be stored. The service still accepts requests.
                         * @enum {unknown}
                         */
                        status: "ok" | "degraded";
                        /** @description Messages for the operator. */
                        warnings: string[];
                    };
                };
            };
            /** @description The service does not accept requests now. */
            503: {
                headers: {
                    /** @description Id of this request in the logs. */
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
