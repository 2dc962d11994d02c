import type { RawData } from 'ws';
import type { PipeTransport } from './pipe-transport.ts';

/** The largest messages are bodies and screenshots. V8 cannot make strings of 512 MiB or more. */
const MAX_MESSAGE_BYTES = 384 * 1024 * 1024;

export interface WebSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * CDP over a WebSocket, as of `--remote-debugging-port`. The browser goes on when the transport is closed. Rejects if there is no
 * WebSocket at the URL.
 */
export async function openWebSocketTransport(
  url: string,
  { headers, timeoutMs }: WebSocketOptions,
): Promise<PipeTransport> {
  // Loaded here, because most installations have no remote browsers.
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(url, {
    headers,
    handshakeTimeout: timeoutMs,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve).once('error', reject);
  });
  const transport: PipeTransport = {
    send(message) {
      if (socket.readyState !== WebSocket.OPEN) throw new Error('the browser is gone');
      socket.send(JSON.stringify(message));
    },
    close: () => socket.close(),
  };
  socket.on('message', (data: RawData) => {
    let message: object;
    try {
      message = JSON.parse(data.toString()) as object;
    } catch {
      socket.terminate();
      return;
    }
    // One message per turn of the event loop: Playwright expects its reactions to be finished before the next message.
    setImmediate(() => transport.onmessage?.(message));
  });
  socket.on('error', () => {});
  socket.once('close', () => setImmediate(() => transport.onclose?.()));
  return transport;
}

interface TargetMessage {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly targetInfo?: { readonly type: string; readonly browserContextId?: string };
  };
  readonly result?: { readonly browserContextId?: string };
}

/** Ids of commands that the transport sends by itself. Playwright counts its own from 1. */
const FIRST_OWN_ID = 1_500_000_000;

/**
 * Hides the pages of others: a browser on another machine may have pages of its operator and of other connections. Playwright
 * attaches to all pages of a browser; only targets in contexts that this connection has made get through.
 */
export function withOwnContexts(transport: PipeTransport): PipeTransport {
  const contexts = new Set<string>();
  /** Ids of commands that create a context. */
  const creating = new Set<number>();
  /** Sessions of targets of others. */
  const hidden = new Set<string>();
  let lastId = FIRST_OWN_ID;
  const letGo = (sessionId: string) => {
    hidden.add(sessionId);
    try {
      // The target waits for all connections that have attached to it.
      transport.send({ id: ++lastId, method: 'Runtime.runIfWaitingForDebugger', params: {}, sessionId });
      transport.send({ id: ++lastId, method: 'Target.detachFromTarget', params: { sessionId } });
    } catch {
      // The connection was closed after this message was received; that lets go of all targets.
    }
  };
  const outer: PipeTransport = {
    send(message) {
      const { id, method } = message as TargetMessage;
      if (method === 'Target.createBrowserContext') creating.add(id!);
      transport.send(message);
    },
    close: () => transport.close(),
  };
  transport.onmessage = (message) => {
    const { id, method, params, result, sessionId } = message as TargetMessage;
    if (id !== undefined && id > FIRST_OWN_ID) return;
    if (id !== undefined && creating.delete(id) && result?.browserContextId !== undefined)
      contexts.add(result.browserContextId);
    if (sessionId !== undefined && hidden.has(sessionId)) return;
    if (sessionId === undefined && method === 'Target.attachedToTarget') {
      const { type, browserContextId = '' } = params!.targetInfo!;
      if (type !== 'browser' && !contexts.has(browserContextId)) return letGo(params!.sessionId!);
    } else if (method === 'Target.detachedFromTarget' && hidden.delete(params?.sessionId ?? '')) return;
    outer.onmessage?.(message);
  };
  transport.onclose = (reason) => outer.onclose?.(reason);
  return outer;
}
