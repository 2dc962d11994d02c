import { randomUUID } from 'node:crypto';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { isObject } from '../domain/json-schema.ts';
import { type Cancellation, createMcpServer } from './mcp-server.ts';
import type { CallService } from './tool.ts';

/** Who sends a request. */
export interface McpCaller {
  readonly id: string;
  readonly callService: CallService;
}

export interface McpOverHttp {
  /** @param body of the request, parsed */
  readonly handle: (request: Request, body: unknown, caller: McpCaller) => Promise<Response>;
}

const SESSION_HEADER = 'mcp-session-id';

/** Streams that wait for changes of the list of tools, which never changes: few are enough. */
const MAX_SUBSCRIPTIONS = 100;

/**
 * MCP over POST: the protocol of 2026-07-28 and the streamable HTTP of 2025, both without state.
 *
 * In the protocol of 2025 another request cancels a call. A session id, given at `initialize`, tells to which client the id of
 * the call belongs. There is nothing else to a session: it needs no end, and any process accepts it; only a process that does
 * not run the call cannot cancel it.
 * @param onError what the library reports; replies do not show it
 */
export function createMcpOverHttp(version: string, onError: (error: Error) => void): McpOverHttp {
  const running = new Map<string, AbortController>();
  const keyOf = (caller: McpCaller, session: string | null, requestId: unknown): string =>
    JSON.stringify([caller.id, session, requestId]);
  const handler = createMcpHandler(
    ({ authInfo, era }) => {
      const caller = authInfo!.extra!.caller as McpCaller;
      const { callService } = caller;
      if (era === 'modern') return createMcpServer({ version, callService });
      return createMcpServer({
        version,
        callService,
        cancellation: ({ mcpReq, http }) => {
          const session = http?.req?.headers.get(SESSION_HEADER) ?? null;
          return register(running, keyOf(caller, session, mcpReq.id));
        },
      });
    },
    { onerror: onError, maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  return {
    async handle(request, body, caller) {
      const { method, params } = isObject(body) ? body : {};
      const session = request.headers.get(SESSION_HEADER);
      if (method === 'notifications/cancelled' && session !== null && isObject(params))
        running.get(keyOf(caller, session, params.requestId))?.abort();
      const authInfo = { token: '', clientId: caller.id, scopes: [], extra: { caller } };
      const response = await handler.fetch(request, { parsedBody: body, authInfo });
      if (method === 'initialize' && response.ok) response.headers.set(SESSION_HEADER, randomUUID());
      return response;
    },
  };
}

/** Keeps the controller of a call in `running` until the call has ended. */
function register(running: Map<string, AbortController>, key: string): Cancellation {
  const controller = new AbortController();
  running.set(key, controller);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      if (running.get(key) === controller) running.delete(key);
    },
  };
}
