/** Example requests of the OpenAPI document. Tests check them against the schema. */
export const REQUEST_EXAMPLES: Readonly<Record<string, unknown>> = {
  minimal: { url: 'https://example.com/', scraper: 'auto' },
  post: {
    url: 'https://example.com/search',
    scraper: 'http',
    method: 'POST',
    headers: { Accept: 'application/json' },
    query: { page: 2, tag: ['a', 'b'] },
    data: { q: 'router' },
    timeout_ms: 20_000,
  },
  routed: {
    url: 'https://example.com/',
    scraper: 'auto',
    proxy: 'datacenter',
    router: { accept: { status: [200], contains: 'Example' }, max_attempts: 2, tags: { team: 'news' } },
  },
  compared: {
    url: 'https://example.com/prices',
    router: { compare_to: { record: 'last', ignore: ['dates', '.banner'] } },
  },
  actions: {
    url: 'https://example.com/',
    scraper: 'browser',
    wait_for_selector: '#q',
    page_actions: [
      { type: 'click', selector: '#accept', optional: true, timeout_ms: 1000 },
      { type: 'fill', selector: '#q', value: 'router' },
      { type: 'press', key: 'Enter', selector: '#q', id: 'search' },
      { type: 'wait_for_selector', selector: '.result', on_error: 'fail' },
      { type: 'infinite_scroll', max_scrolls: 5 },
      { type: 'extract', schema: { titles: { selector: '.result h2', type: 'list' } } },
      { type: 'screenshot', name: 'results', full_page: true },
    ],
  },
};

/** An example answer. */
export const SCRAPE_EXAMPLE = {
  id: '01970000-0000-7000-8000-000000000000',
  status_code: 200,
  final_url: 'https://example.com/',
  headers: { 'content-type': 'text/html; charset=utf-8' },
  content: '<!doctype html><title>Example</title>',
  content_encoding: 'utf-8',
  cookies: [],
  errors: [],
  screenshot_url: null,
  scraper_data: { charset: { name: 'UTF-8', source: 'http' } },
  router: {
    scraper: 'http_impersonate',
    request_headers: {
      host: 'example.com',
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
    },
    request_cost: null,
    proxy_type: 'datacenter',
    outcome: 'ok',
    warnings: [],
  },
};
