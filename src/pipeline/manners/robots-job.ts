import { ROBOTS_MOST_BYTES } from '../../content/robots-txt.ts';
import type { Job } from '../../domain/job.ts';

/** RFC 9309 §2.3.1.2: at least five redirects are followed. */
const REDIRECTS_MOST = 5;
const AGENT = 'Sluice';

/** The job that fetches the robots.txt of a job's target: the same way out, nothing of the caller's but who it says it is. */
export function robotsJob(job: Job): Job {
  const { origin } = new URL(job.url);
  return {
    ...job,
    url: `${origin}/robots.txt`,
    method: 'GET',
    headers: job.headers.filter(([name]) => name.toLowerCase() === 'user-agent'),
    cookies: [],
    body: null,
    allowRedirects: true,
    browserOnly: [],
    scraper: 'http',
    options: {
      ...job.options,
      maxContentBytes: ROBOTS_MOST_BYTES,
      maxRedirects: REDIRECTS_MOST,
      contentEncoding: 'auto',
      formats: [],
      extract: null,
    },
    router: { ...job.router, accept: null },
  };
}

/** As whom the rules are read: the product token of the caller's own User-Agent, unless that is a browser's; else ours. */
export function robotsAgent({ headers, options }: Job): string {
  const given = headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? options.userAgent ?? '';
  const token = /^[A-Za-z_-]+/.exec(given)?.[0] ?? '';
  return token === '' || token.toLowerCase() === 'mozilla' ? AGENT : token;
}
