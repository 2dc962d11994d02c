import { type Failure, failure } from '../../../domain/failure.ts';
import type { Job } from '../../../domain/job.ts';
import { callersCookies } from './context-options.ts';
import type { CookieJar } from './tab.ts';

/** Gives a context the caller's cookies; a failure names those that browsers do not take. Rejects with the browser. */
export async function addCookies(jar: CookieJar, job: Job): Promise<Failure | null> {
  const cookies = callersCookies(job);
  if (cookies.length === 0) return null;
  try {
    await jar.add(cookies);
    return null;
  } catch (error) {
    const refused: string[] = [];
    for (const cookie of cookies) await jar.add([cookie]).catch(() => refused.push(cookie.name));
    // It takes each by itself, or nothing any more: then it was not for the cookies.
    if (refused.length === 0 || !(await takes(jar))) throw error;
    const names = refused.map((name) => JSON.stringify(name)).join(', ');
    const why = `Browsers reject a cookie like ${names} for this URL (prefixes, characters or size).`;
    return failure('scraper.unsupported_option', why, { pointer: '/cookies' });
  }
}

function takes(jar: CookieJar): Promise<boolean> {
  return jar.all().then(
    () => true,
    () => false,
  );
}
