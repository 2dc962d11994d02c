import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VendorKind, VendorReason } from '../../src/domain/vendors.ts';
import { listen } from '../helpers/free-port.ts';

/** A request to the API of a vendor. */
export interface ApiRequest {
  readonly method: string;
  /** Path, without the part that leads to the stand-in, and query. */
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface ApiResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

/** What a target answered to a vendor. */
export interface TargetResponse {
  readonly status: number;
  /** As sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly finalUrl: string;
}

export interface TargetRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | null;
  /** Default: true. */
  readonly followRedirects?: boolean;
}

/** A picture of 1 × 1 pixels, that stand-ins give as screenshot. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const KEY = 'vendor-key-0123456789';

/**
 * A server that answers as the vendor's own description says: it refuses what the description does not allow, and fetches the page
 * from the test site.
 */
export interface StandIn {
  /** Name in the file of vendors. */
  readonly name: string;
  readonly kind: VendorKind;
  /** Where the API is described. */
  readonly described: string;
  /** Members of the entry in the file of vendors. */
  readonly settings?: object;
  /** What the vendor tells of a page. */
  readonly tells: {
    readonly status: boolean;
    readonly headers: boolean;
    readonly cookies: boolean;
    readonly finalUrl: boolean;
    readonly credits: number | null;
  };
  /** What it can do besides GET of a page. */
  readonly can: {
    readonly post: boolean;
    readonly headers: boolean;
    readonly binary: boolean;
    /** Returns the bytes of a PDF, although not those of other files. Default: false. */
    readonly pdf?: boolean;
    readonly country: boolean;
    readonly session: boolean;
    readonly screenshot: boolean;
    readonly noRedirects: boolean;
    /** Sends cookies to the target. */
    readonly cookies: boolean;
    /** Waits before it reads the page. */
    readonly wait: boolean;
  };
  /** The body is the document after its scripts ran. */
  readonly renders: boolean;
  /** Starts what it needs. */
  start?(): Promise<AsyncDisposable>;
  /** @returns what it answers to a request for a page. Throws `Refused` if the description does not allow the request. */
  answer(request: ApiRequest, fetchTarget: typeof fetchPage): Promise<ApiResponse>;
  /** How the description says that failures look. */
  readonly troubles: Readonly<Partial<Record<VendorReason, ApiResponse>>>;
  /** The country and the session that a request asks for. */
  asked(request: ApiRequest): { readonly country: string | null; readonly session: string | null };
}

/** The request is not one that the description allows: a fault of the mapping. */
export class Refused extends Error {}

/** Fetches from the test site, as a vendor would. */
export function fetchPage(target: TargetRequest): Promise<TargetResponse> {
  const { url, method = 'GET', headers = {}, body = null, followRedirects = true } = target;
  return new Promise((resolve, reject) => {
    const outgoing = requestOf(url, { method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { location } = response.headers;
      const status = response.statusCode!;
      if (followRedirects && status >= 300 && status < 400 && location !== undefined)
        return resolve(fetchPage({ ...target, url: new URL(location, url).href }));
      const pairs: [string, string][] = [];
      for (let i = 0; i < response.rawHeaders.length; i += 2)
        pairs.push([response.rawHeaders[i]!, response.rawHeaders[i + 1]!]);
      resolve({ status, headers: pairs, body: Buffer.concat(chunks), finalUrl: url });
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

export interface StandIns extends AsyncDisposable {
  /** Where the API of a stand-in is. */
  base(standIn: StandIn): string;
  /** The requests since the last call. */
  taken(): ApiRequest[];
  /** What the description did not allow since the last call. */
  refused(): string[];
  /** The next request gets this answer; a function writes it itself. */
  next(answer: ApiResponse | ((response: ServerResponse) => void)): void;
}

/** One server for all stand-ins. */
export async function startStandIns(standIns: readonly StandIn[]): Promise<StandIns> {
  const started = await Promise.all(standIns.map((one) => one.start?.()));
  let requests: ApiRequest[] = [];
  let refusals: string[] = [];
  let scripted: ApiResponse | ((response: ServerResponse) => void) | null = null;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const [, name, path] = /^\/([^/?]+)(.*)$/.exec(incoming.url!)!;
    const request = {
      method: incoming.method!,
      url: new URL(path!, 'http://api.test'),
      headers: incoming.headers,
      body: Buffer.concat(chunks),
    };
    requests.push(request);
    const standIn = standIns.find((one) => one.name === name)!;
    const answer = scripted;
    scripted = null;
    if (typeof answer === 'function') return answer(response);
    try {
      send(response, answer ?? (await standIn.answer(request, fetchPage)));
    } catch (error) {
      refusals.push(`${name}: ${error instanceof Refused ? error.message : String((error as Error).stack)}`);
      send(response, { status: 400, body: 'refused' });
    }
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    base: ({ name }) => `http://127.0.0.1:${port}/${name}`,
    taken() {
      const taken = requests;
      requests = [];
      return taken;
    },
    refused() {
      const taken = refusals;
      refusals = [];
      return taken;
    },
    next(answer) {
      scripted = answer;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(started.map((one) => one?.[Symbol.asyncDispose]()));
    },
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: ApiResponse): void {
  for (const [name, value] of Object.entries(headers))
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  response.writeHead(status).end(body);
}

/** The members of a request. Each stand-in knows what its own have. */
// biome-ignore lint/suspicious/noExplicitAny: what a wrong type leads to is a failing test
type Members = Readonly<Record<string, any>>;

/** Throws `Refused` for members that the description does not have. */
export function onlyMembers(value: unknown, names: readonly string[]): Members {
  if (typeof value !== 'object' || value === null) throw new Refused('the body is no JSON object');
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Refused(`unknown members: ${unknown.join(', ')}`);
  return value;
}

/** The body of a request as a JSON object with these members only. */
export const jsonBody = ({ body }: ApiRequest, names: readonly string[]) =>
  onlyMembers(JSON.parse(body.toString()), names);

/** The query of a request; throws `Refused` for parameters that the description does not have. */
export function query({ url }: ApiRequest, names: readonly string[]): Readonly<Record<string, string>> {
  return onlyMembers(Object.fromEntries(url.searchParams), names);
}

/**
 * The headers that a service passes on to the target, of those of the call itself: all, or the type of the body alone. Throws `Refused`
 * if the client adds its own, which would show the target what it is.
 */
export function passedHeaders({ headers }: ApiRequest, all: boolean): Readonly<Record<string, string>> {
  if (all && (headers['user-agent'] === 'node' || headers['sec-fetch-mode'] !== undefined))
    throw new Refused("the target would see the client's own headers");
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      /^(host|connection|content-length|transfer-encoding|accept-encoding)$/.test(name) ||
      !(all || name === 'content-type')
        ? []
        : [[name, String(value)]],
    ),
  );
}
