import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import type { ServiceApi } from '../../helpers/service.ts';

type OldTransport = Parameters<OldClient['connect']>[0];

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** A result as tests read it. */
export interface Answer {
  readonly isError: boolean;
  /** The first content. */
  readonly facts: Record<string, unknown> & { readonly error?: { readonly code: string } };
  /** What the site has written, without the marks around it; null: there is none. */
  readonly page: string | null;
  readonly content: readonly Content[];
}

export interface CallSettings {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
}

/** The official client of either line. */
export interface McpClient extends AsyncDisposable {
  readonly protocol: string | undefined;
  tools(): Promise<readonly { readonly name: string; readonly inputSchema: unknown }[]>;
  call(name: string, args: Record<string, unknown>, settings?: CallSettings): Promise<Answer>;
}

const INFO = { name: 'test', version: '1' };

function answerOf(result: unknown): Answer {
  const { content, isError = false } = result as { content: Content[]; isError?: boolean };
  const foreign = content[1]?.text ?? null;
  const page = foreign === null ? null : /^.*\n--- begin (\w+)\n(.*)\n--- end \1$/s.exec(foreign)![2]!;
  return { isError, facts: JSON.parse(content[0]!.text!) as Answer['facts'], page, content };
}

export interface HttpSettings {
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

export async function newOverHttp(
  { base, key }: ServiceApi,
  settings: HttpSettings = {},
): Promise<McpClient> {
  const headers = { authorization: `Bearer ${settings.key ?? key}`, ...settings.headers };
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } });
  return newClient(transport);
}

export async function newOverStdio(env: Record<string, string>): Promise<McpClient> {
  return newClient(new StdioClientTransport({ command: SLUICE, args: ['mcp'], env, stderr: 'inherit' }));
}

async function newClient(transport: Parameters<Client['connect']>[0]): Promise<McpClient> {
  const client = new Client(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport);
  return {
    protocol: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, settings) =>
      answerOf(await client.callTool({ name, arguments: args }, settings)),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export async function oldOverHttp(
  { base, key }: ServiceApi,
  settings: HttpSettings = {},
): Promise<McpClient> {
  const headers = { authorization: `Bearer ${settings.key ?? key}`, ...settings.headers };
  const transport = new OldHttpTransport(new URL(`${base}/mcp`), { requestInit: { headers } });
  return oldClient(transport as OldTransport, () => transport.protocolVersion);
}

export async function oldOverStdio(env: Record<string, string>): Promise<McpClient> {
  const transport = new OldStdioTransport({ command: SLUICE, args: ['mcp'], env, stderr: 'inherit' });
  return oldClient(transport, () => undefined);
}

async function oldClient(transport: OldTransport, protocol: () => string | undefined): Promise<McpClient> {
  const client = new OldClient(INFO);
  await client.connect(transport);
  return {
    protocol: protocol(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, settings) =>
      answerOf(await client.callTool({ name, arguments: args }, undefined, settings)),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The environment of `sluice mcp`. */
export function stdioEnvironment(more: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(cleanEnvironment()).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...more };
}
