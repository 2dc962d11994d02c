import type { BrowserContext } from 'playwright-core';
import { type Failure, failure } from '../../../domain/failure.ts';
import type { Job } from '../../../domain/job.ts';
import { callersCookies } from './context-options.ts';

/** Gives the context the caller's cookies; a failure names those that browsers do not take. Rejects with the browser. */
export async function addCookies(context: BrowserContext, job: Job): Promise<Failure | null> {
  const cookies = callersCookies(job);
  if (cookies.length === 0) return null;
  try {
    await context.addCookies(cookies);
    return null;
  } catch (error) {
    const refused: string[] = [];
    for (const cookie of cookies) await context.addCookies([cookie]).catch(() => refused.push(cookie.name));
    // It takes each by itself, or nothing any more: then it was not for the cookies.
    if (refused.length === 0 || !(await takes(context))) throw error;
    const names = refused.map((name) => JSON.stringify(name)).join(', ');
    const why = `Browsers do not take a cookie like ${names} for this URL (prefixes, characters or size).`;
    return failure('scraper.unsupported_option', why, { pointer: '/cookies' });
  }
}

function takes(context: BrowserContext): Promise<boolean> {
  return context.cookies().then(
    () => true,
    () => false,
  );
}
