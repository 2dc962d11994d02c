import type { CdpSession } from './cdp-session.ts';
import type { PipeTransport } from './pipe-transport.ts';

type EventListener = (params: unknown) => void;

interface CdpMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string };
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface PendingCommand {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The session of the browser (`id` null) or of a target. */
class ConnectionSession {
  readonly #connection: CdpConnection;
  readonly #id: string | null;
  readonly #listeners = new Map<string, Set<EventListener>>();
  readonly #pending = new Map<number, PendingCommand>();
  /** Why the session has ended; null: it is open. */
  #closeReason: Error | null = null;

  constructor(connection: CdpConnection, id: string | null) {
    this.#connection = connection;
    this.#id = id;
  }

  send(method: string, params: object = {}): Promise<unknown> {
    if (this.#closeReason !== null) return Promise.reject(this.#closeReason);
    return new Promise((resolve, reject) => {
      try {
        const id = this.#connection.sendCommand(method, params, this.#id, this);
        this.#pending.set(id, { method, resolve, reject });
      } catch (error) {
        reject(error as Error);
      }
    });
  }

  on(event: string, listener: EventListener): this {
    const listeners = this.#listeners.get(event);
    if (listeners === undefined) this.#listeners.set(event, new Set([listener]));
    else listeners.add(listener);
    return this;
  }

  off(event: string, listener: EventListener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  onResponse(id: number, { error, result }: CdpMessage): void {
    const command = this.#pending.get(id);
    this.#pending.delete(id);
    if (command === undefined) return;
    if (error === undefined) command.resolve(result);
    else command.reject(new Error(`Protocol error (${command.method}): ${error.message}`));
  }

  emit(event: string, params: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params);
  }

  close(reason: Error): void {
    this.#closeReason ??= reason;
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
    this.#listeners.clear();
  }
}

/** The CDP connection to one browser: commands with their results, and events, by session. */
export class CdpConnection {
  /** `#rootSession`, with Playwright's types of commands and events. */
  readonly browserSession: CdpSession;
  /** Aborts when the browser has ended. */
  readonly closed: AbortSignal;
  readonly #transport: PipeTransport;
  readonly #rootSession: ConnectionSession;
  readonly #sessions = new Map<string, ConnectionSession>();
  /** By id of a command: the session that awaits the response. */
  readonly #senders = new Map<number, ConnectionSession>();
  #lastId = 0;

  constructor(transport: PipeTransport) {
    const closed = new AbortController();
    this.closed = closed.signal;
    this.#transport = transport;
    this.#rootSession = new ConnectionSession(this, null);
    this.browserSession = this.#rootSession as unknown as CdpSession;
    transport.onmessage = (message) => this.#onMessage(message as CdpMessage);
    transport.onclose = () => {
      const reason = new Error('the browser is gone');
      for (const session of [this.#rootSession, ...this.#sessions.values()]) session.close(reason);
      this.#sessions.clear();
      this.#senders.clear();
      closed.abort(reason);
    };
  }

  /** The session of a target. Call it while `Target.attachedToTarget` is handled, so that no event of the session is lost. */
  session(id: string): CdpSession {
    return this.#sessionOf(id) as unknown as CdpSession;
  }

  /** Called by sessions only. Throws when the browser has ended. */
  sendCommand(method: string, params: object, sessionId: string | null, sender: ConnectionSession): number {
    const id = ++this.#lastId;
    this.#transport.send(sessionId === null ? { id, method, params } : { id, method, params, sessionId });
    this.#senders.set(id, sender);
    return id;
  }

  #sessionOf(id: string): ConnectionSession {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new ConnectionSession(this, id);
    this.#sessions.set(id, session);
    return session;
  }

  #onMessage(message: CdpMessage): void {
    const { id, method, params, sessionId } = message;
    if (id !== undefined) {
      const sender = this.#senders.get(id);
      this.#senders.delete(id);
      sender?.onResponse(id, message);
      return;
    }
    if (method === undefined) return;
    const session = sessionId === undefined ? this.#rootSession : this.#sessions.get(sessionId);
    try {
      session?.emit(method, params);
    } catch (error) {
      // A listener threw. That ends only the session of its page, or this browser if it was a listener of the browser.
      if (session === this.#rootSession) this.#transport.close();
      else session?.close(error as Error);
    }
    if (method !== 'Target.detachedFromTarget' || params?.sessionId === undefined) return;
    this.#sessions.get(params.sessionId)?.close(new Error('the page is gone'));
    this.#sessions.delete(params.sessionId);
  }
}
