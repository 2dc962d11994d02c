import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { afterwards } from '../../adapters/temp.ts';
import { type ItemBody, resultsOf } from '../../end-to-end/job-calls.ts';
import { sharedSettings } from '../../helpers/cluster.ts';
import { testDatabase } from '../../helpers/postgres.ts';
import { type Service, startService } from '../../helpers/service.ts';

/** Items of a batch that run on one host (contract §13). It takes two services. */
export const PER_HOST = 8;
export const PER_SERVICE = 5;
export const ENV = { SLUICE_JOB_CONCURRENCY: String(PER_SERVICE) };

/** A batch of `url/name/0`, `url/name/1` … */
export const batchOf = (url: string, name: string, count: number, more: object = {}) => ({
  requests: Array.from({ length: count }, (_, n) => ({ url: `${url}/${name}/${n}` })),
  defaults: { scraper: 'http' },
  ...more,
});

/** All ended items of a job, in the order of their ends. */
export async function allResults(service: Pick<Service, 'api'>, id: string) {
  const all: ItemBody[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await resultsOf(service, id, `?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

/** A target that tells what it was asked for. */
export interface CountingTarget {
  readonly url: string;
  /** How often each path was requested. */
  readonly requests: ReadonlyMap<string, number>;
  /** Requests that are under way. */
  readonly inFlight: number;
  readonly maxInFlight: number;
}

/**
 * @param answer writes the answer, at once or later
 * @param host address that it listens on
 */
export async function startTarget(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host = '127.0.0.1',
): Promise<CountingTarget> {
  const requests = new Map<string, number>();
  let inFlight = 0;
  let maxInFlight = 0;
  const server = createServer((request, response) => {
    const path = request.url!;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    inFlight++;
    maxInFlight = Math.max(maxInFlight, inFlight);
    response.once('close', () => {
      inFlight--;
    });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    requests,
    get inFlight() {
      return inFlight;
    },
    get maxInFlight() {
      return maxInFlight;
    },
  };
}

/** Starts services on one new database; more can be added later. They are stopped at the end of the test. */
export async function startReplicas(
  t: TestContext,
  count: number,
  env: NodeJS.ProcessEnv = {},
): Promise<{
  readonly services: readonly Service[];
  readonly databaseUrl: string;
  add(): Promise<Service>;
}> {
  const databaseUrl = await testDatabase();
  const shared = sharedSettings(databaseUrl);
  const add = async () => {
    const service = await startService({ ...shared, ...env });
    afterwards(t, () => service[Symbol.asyncDispose]());
    return service;
  };
  // The first one creates the schema and the user.
  const services = [await add()];
  services.push(...(await Promise.all(Array.from({ length: count - 1 }, add))));
  return { services, databaseUrl, add };
}
