/**
 * Picks the test files that a change may concern (`npm test -- --changed`): those that import a changed file, directly or through
 * others, and those that reach it through a running service, by the table below. It is for daily work; CI runs everything.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A change of one of these may concern every test. */
const EVERYTHING =
  /^(package(-lock)?\.json|rooms\.cjs|bin\/|scripts\/(test|bundle|setup|cpu)|test\/helpers\/|src\/(domain|base|ports|config)\/|src\/[^/]+$)/;

/** Folder or file → paths of tests that use it through a service. What has no row is used through a service by no test. */
const USED_BY: readonly (readonly [prefix: string, tests: RegExp])[] = [
  [
    'src/account/',
    /key|user|role|session|budget|cost|usage|sign-in|invitation|team|oidc|permits|account|pass/,
  ],
  ['src/adapters/blobs/', /blob|s3|storage|records|export|copy|upgrade/],
  ['src/adapters/coordination/', /coordination|replicas|redis/],
  ['src/adapters/dashboard/', /dashboard/],
  ['src/adapters/documents/', /document/],
  ['src/adapters/exports/', /export/],
  ['src/adapters/mail/', /mail|alert|invitation/],
  ['src/adapters/model/', /model|extract|chat/],
  ['src/adapters/oidc/', /oidc|single-sign-on/],
  ['src/adapters/permits/', /permits|callers|concurrency|replicas/],
  ['src/adapters/postgres/', /postgres|replicas|rolling-update|upgrade/],
  ['src/adapters/proxies/', /prox|pools/],
  ['src/adapters/reader/', /read|format|extract|selector|json|content|conformance/],
  ['src/adapters/replicas/', /replicas|rolling-update|drain/],
  ['src/adapters/settings/', /settings|pools|vendors|route|templates/],
  [
    'src/adapters/store/',
    /store|postgres|records|history|jobs|monitors|alerts|stats|usage|upgrade|idempotency|kill/,
  ],
  ['src/adapters/webhooks/', /webhook|alert/],
  ['src/alerts/', /alert|attention|overview/],
  ['src/assess/', /verdict|assess|zoo|auto|noscript/],
  ['src/browser/', /browser|actions|screenshot|frames|fingerprint|selectors|vectors|acting/],
  ['src/cli/', /cli|first-start|doctor|upgrade|import|export|copy/],
  ['src/content/', /content|read|format|extract|json|conformance|robots|sitemap|template|crawl/],
  ['src/dialects/', /firecrawl|scrapingbee|zyte|dialect/],
  ['src/egress/', /egress|ssrf|prox|impersonate|tls|vectors/],
  ['src/http/', /end-to-end|dashboard|clients/],
  ['src/http-client/', /http|h2|replies|statuses|cookies|tls|hang|encod|body|bodies|compress/],
  ['src/jobs/', /job|batch|crawl|maps|folder/],
  ['src/mcp/', /mcp/],
  ['src/monitors/', /monitor|compare-to|drift/],
  ['src/observe/', /observe|metrics|traces|log|stats|alert|site|system/],
  ['src/pipeline/', /end-to-end|pipeline|zoo/],
  ['src/profiles/', /profile/],
  ['src/proxy-port/', /proxy-port/],
  ['src/router/', /rout|auto|site|learning|zoo|pacing|vendor/],
  ['src/runs/', /monitor|schedule/],
  ['src/schedules/', /schedule/],
  ['src/datasets/', /dataset/],
  ['src/exports/', /export/],
  ['src/scrapers/browser/', /browser|actions|screenshot|frames/],
  ['src/scrapers/http/', /end-to-end|http|conformance/],
  ['src/scrapers/impersonate/', /impersonate|fingerprint|h2|tls/],
  ['src/scrapers/vendor/', /vendor/],
  ['src/snippets/', /snippets|playground|docs|examples/],
  ['src/test-hosts/', /test-hosts|examples/],
  ['src/upkeep/', /upkeep|storage|retain|records|kill/],
  ['src/webhooks/', /webhook|alert|job/],
  ['src/wire/', /end-to-end|clients|openapi/],
  ['dashboard/', /dashboard/],
  ['docs/', /docs|openapi|guides|examples/],
  ['clients/', /clients|sdk/],
  ['deploy/', /deploy|helm/],
  ['test/site/', /end-to-end|zoo/],
];

/** What a source imports, also by a type, and files that it names by `new URL(…, import.meta.url)`. */
const IMPORT = /(?:\bfrom|\bimport|\bURL\()\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** A function that gives a file with all that it imports, directly or through others. */
function importClosures(): (file: string) => ReadonlySet<string> {
  const imported = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    let found = imported.get(file);
    if (found === undefined) {
      const text = /\.tsx?$/.test(file) && existsSync(file) ? readFileSync(file, 'utf8') : '';
      found = [...text.matchAll(IMPORT)].map(([, path]) => normalize(join(dirname(file), path!)));
      imported.set(file, found);
    }
    return found;
  };
  return (file) => {
    const closure = new Set([file]);
    for (const one of closure) for (const other of importsOf(one)) closure.add(other);
    return closure;
  };
}

/** Those of `files` that a change of the files `changed` may concern. All are paths from the root of the repository. */
export function concerned(files: readonly string[], changed: readonly string[]): string[] {
  if (changed.some((file) => EVERYTHING.test(file))) return [...files];
  const tests = USED_BY.filter(([prefix]) => changed.some((file) => file.startsWith(prefix)));
  const closureOf = importClosures();
  return files.filter((file) => {
    if (tests.some(([, pattern]) => pattern.test(file))) return true;
    const closure = closureOf(file);
    return changed.some((one) => closure.has(one));
  });
}

/** What differs between a commit and the files that are there now, with those that Git does not know yet. */
export function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  return [...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')].filter(
    (file) => file !== '',
  );
}
