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

/** One end of a session: that of the browser (`id` null), or of a target. */
class ConnectionSession {
  readonly #connection: CdpConnection;
  readonly #id: string | null;
  readonly #listeners = new Map<string, Set<EventListener>>();
  readonly #pending = new Map<number, PendingCommand>();
  /** Why nothing can be asked any more. */
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
    const known = this.#listeners.get(event);
    if (known === undefined) this.#listeners.set(event, new Set([listener]));
    else known.add(listener);
    return this;
  }

  off(event: string, listener: EventListener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  onResponse(id: number, { error, result }: CdpMessage): void {
    const question = this.#pending.get(id);
    this.#pending.delete(id);
    if (question === undefined) return;
    if (error === undefined) question.resolve(result);
    else question.reject(new Error(`Protocol error (${question.method}): ${error.message}`));
  }

  emit(event: string, params: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params);
  }

  close(why: Error): void {
    this.#closeReason ??= why;
    for (const { reject } of this.#pending.values()) reject(why);
    this.#pending.clear();
    this.#listeners.clear();
  }
}

/** The DevTools Protocol of one browser: questions with their answers, and events, by session. */
export class CdpConnection {
  /** Of the browser as a whole. */
  readonly browserSession: CdpSession;
  /** Aborts when the browser is gone. */
  readonly closed: AbortSignal;
  readonly #transport: PipeTransport;
  readonly #rootSession: ConnectionSession;
  readonly #sessions = new Map<string, ConnectionSession>();
  readonly #senders = new Map<number, ConnectionSession>();
  #lastId = 0;

  constructor(transport: PipeTransport) {
    const gone = new AbortController();
    this.closed = gone.signal;
    this.#transport = transport;
    this.#rootSession = new ConnectionSession(this, null);
    this.browserSession = this.#rootSession as unknown as CdpSession;
    transport.onmessage = (message) => this.#onMessage(message as CdpMessage);
    transport.onclose = () => {
      const why = new Error('the browser is gone');
      for (const session of [this.#rootSession, ...this.#sessions.values()]) session.close(why);
      this.#sessions.clear();
      this.#senders.clear();
      gone.abort(why);
    };
  }

  /** That of a target, from the event that tells of it on. */
  session(id: string): CdpSession {
    return this.#sessionOf(id) as unknown as CdpSession;
  }

  /** For sessions alone. Throws when the browser is gone. */
  sendCommand(method: string, params: object, sessionId: string | null, asker: ConnectionSession): number {
    const id = ++this.#lastId;
    this.#transport.send(sessionId === null ? { id, method, params } : { id, method, params, sessionId });
    this.#senders.set(id, asker);
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
      const asker = this.#senders.get(id);
      this.#senders.delete(id);
      asker?.onResponse(id, message);
      return;
    }
    if (method === undefined) return;
    const session = sessionId === undefined ? this.#rootSession : this.#sessions.get(sessionId);
    try {
      session?.emit(method, params);
    } catch (error) {
      // What a page makes happen must not end more than that page; of the browser as a whole, not more than that browser.
      if (session === this.#rootSession) this.#transport.close();
      else session?.close(error as Error);
    }
    if (method !== 'Target.detachedFromTarget' || params?.sessionId === undefined) return;
    this.#sessions.get(params.sessionId)?.close(new Error('the page is gone'));
    this.#sessions.delete(params.sessionId);
  }
}
