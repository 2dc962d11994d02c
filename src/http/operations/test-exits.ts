import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { MicroUnits } from '../../base/numbers.ts';
import type { Principal } from '../../domain/account.ts';
import type { Failure } from '../../domain/failure.ts';
import { closed, count, isObject, orNull, textOrNull } from '../../domain/json-schema.ts';
import type { Step } from '../../domain/scrape.ts';
import type { Task } from '../../domain/task.ts';
import { domainRefusal, urlCheckOf } from '../../domain/url-check.ts';
import type { VendorUse } from '../../domain/vendors.ts';
import type { AttemptResult } from '../../pipeline/attempt-result.ts';
import type { Lease } from '../../ports/proxies.ts';
import { ErrorCodeName } from '../../wire/answer/answer-schema.ts';
import { parseTask } from '../../wire/request/parse-task.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';

/** An exit that does not work takes at most so long. */
const TEST_TIMEOUT_MS = 20_000;
const MAX_BYTES = 1024 * 1024;
/** An answer that tells an address is short. */
const MAX_IP_ANSWER = 4_000;

export const TestUrl = Type.String({
  minLength: 1,
  maxLength: 8000,
  description:
    'The URL to fetch. There is no default, because every request goes to somebody. A URL that answers with the address of the caller shows `exit_ip`.',
});

/** The members of every result of a test. */
export const TEST_MEMBERS = {
  ok: Type.Boolean({ description: 'Whether the URL was fetched, with a status below 400.' }),
  status_code: orNull(Type.Integer({ minimum: 100, maximum: 999 }), {
    description:
      'Status of the response of the target. null if there was none, or the vendor does not report it.',
  }),
  ms: count('How long it took.'),
  exit_ip: textOrNull(
    'The address in the response: its text is an IP address, or JSON with a member `ip` or `origin`. null if it has none.',
  ),
  error: orNull(closed({ code: ErrorCodeName, message: Type.String() }, { title: 'TestError' })),
};

type TestResult = Static<ReturnType<typeof testResultSchema>>;
const testResultSchema = () => closed(TEST_MEMBERS);

interface TestOutcome {
  readonly result: TestResult;
  /** null: not known. */
  readonly cost: MicroUnits | null;
  /** Absent: not by a vendor, or it was not asked. */
  readonly vendor: VendorUse | undefined;
}

/** The task of a test. @throws Refusal if the URL is invalid, or not allowed for the key */
export function testTask(url: string, scraper: Step['scraper'], principal: Principal): Task {
  const { task, problems } = parseTask({
    url,
    scraper,
    timeout_ms: TEST_TIMEOUT_MS,
    scraper_options: { max_content_bytes: MAX_BYTES },
  });
  if (problems !== null) throw new Refusal(problems);
  refuseIf(domainRefusal(principal, new URL(task.url)));
  return task;
}

/** Fetches the task once. @param lease null: by a vendor */
export async function runTest(
  { pipeline, memory, inFlight }: EndpointDeps,
  { task, step, lease }: { readonly task: Task; readonly step: Step; readonly lease: Lease | null },
  principal: Principal,
  request: FastifyRequest,
): Promise<TestOutcome> {
  request.cancel ??= new AbortController();
  const { cancel } = request;
  inFlight.add(cancel);
  try {
    const { userId, domains } = principal;
    const { signal } = cancel;
    const test = { task, step, lease, memory, userId, signal, allowUrl: urlCheckOf(domains) };
    return await pipeline.test(test, outcomeOf);
  } finally {
    inFlight.delete(cancel);
  }
}

function outcomeOf({ attempt, delivered, errors, fetched }: AttemptResult): TestOutcome {
  const { statusCode, durationMs, cost } = attempt;
  const isPage = delivered !== null && statusCode !== null;
  const isTold = delivered?.page.notTold?.includes('status_code') !== true;
  return {
    cost,
    vendor: fetched?.vendor,
    result: {
      ok: isPage && statusCode < 400,
      status_code: isTold ? statusCode : null,
      ms: Math.round(durationMs),
      exit_ip: toldAddress(delivered?.content?.bytes ?? null),
      error: isPage ? null : errorOf(attempt.failure ?? errors[0] ?? null),
    },
  };
}

const errorOf = (cause: Failure | null) =>
  cause === null ? null : { code: cause.code, message: cause.message };

/** The address that an answer such as `203.0.113.7` or `{"ip": "203.0.113.7"}` tells; null: none. */
function toldAddress(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.length > MAX_IP_ANSWER) return null;
  const text = Buffer.from(bytes).toString().trim();
  if (isIP(text) !== 0) return text;
  const json = parsedOrNull(text);
  if (!isObject(json)) return null;
  const told = [json.ip, json.origin].find((value) => typeof value === 'string' && isIP(value) !== 0);
  return typeof told === 'string' ? told : null;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
