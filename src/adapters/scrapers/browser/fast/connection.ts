import type { CdpSession } from '../cdp/cdp-session.ts';
import type { PipeTransport } from '../launch/pipe-transport.ts';

type Listener = (params: unknown) => void;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string };
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Question {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One end of a session: that of the browser (`id` null), or of a target. */
class Session {
  readonly #connection: Connection;
  readonly #id: string | null;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #open = new Map<number, Question>();
  /** Why nothing can be asked any more. */
  #over: Error | null = null;

  constructor(connection: Connection, id: string | null) {
    this.#connection = connection;
    this.#id = id;
  }

  send(method: string, params: object = {}): Promise<unknown> {
    if (this.#over !== null) return Promise.reject(this.#over);
    return new Promise((resolve, reject) => {
      try {
        const id = this.#connection.post(method, params, this.#id, this);
        this.#open.set(id, { method, resolve, reject });
      } catch (error) {
        reject(error as Error);
      }
    });
  }

  on(event: string, listener: Listener): this {
    const known = this.#listeners.get(event);
    if (known === undefined) this.#listeners.set(event, new Set([listener]));
    else known.add(listener);
    return this;
  }

  off(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  answered(id: number, { error, result }: Message): void {
    const question = this.#open.get(id);
    this.#open.delete(id);
    if (question === undefined) return;
    if (error === undefined) question.resolve(result);
    else question.reject(new Error(`Protocol error (${question.method}): ${error.message}`));
  }

  tell(event: string, params: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params);
  }

  end(why: Error): void {
    this.#over ??= why;
    for (const { reject } of this.#open.values()) reject(why);
    this.#open.clear();
    this.#listeners.clear();
  }
}

/** The DevTools Protocol of one browser: questions with their answers, and events, by session. */
export class Connection {
  /** Of the browser as a whole. */
  readonly browser: CdpSession;
  /** Aborts when the browser is gone. */
  readonly gone: AbortSignal;
  readonly #transport: PipeTransport;
  readonly #root: Session;
  readonly #sessions = new Map<string, Session>();
  readonly #askers = new Map<number, Session>();
  #lastId = 0;

  constructor(transport: PipeTransport) {
    const gone = new AbortController();
    this.gone = gone.signal;
    this.#transport = transport;
    this.#root = new Session(this, null);
    this.browser = this.#root as unknown as CdpSession;
    transport.onmessage = (message) => this.#onMessage(message as Message);
    transport.onclose = () => {
      const why = new Error('the browser is gone');
      for (const session of [this.#root, ...this.#sessions.values()]) session.end(why);
      this.#sessions.clear();
      this.#askers.clear();
      gone.abort(why);
    };
  }

  /** That of a target, from the event that tells of it on. */
  session(id: string): CdpSession {
    return this.#sessionOf(id) as unknown as CdpSession;
  }

  /** For sessions alone. Throws when the browser is gone. */
  post(method: string, params: object, sessionId: string | null, asker: Session): number {
    const id = ++this.#lastId;
    this.#transport.send(sessionId === null ? { id, method, params } : { id, method, params, sessionId });
    this.#askers.set(id, asker);
    return id;
  }

  #sessionOf(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = new Session(this, id);
    this.#sessions.set(id, session);
    return session;
  }

  #onMessage(message: Message): void {
    const { id, method, params, sessionId } = message;
    if (id !== undefined) {
      const asker = this.#askers.get(id);
      this.#askers.delete(id);
      asker?.answered(id, message);
      return;
    }
    if (method === undefined) return;
    const session = sessionId === undefined ? this.#root : this.#sessions.get(sessionId);
    try {
      session?.tell(method, params);
    } catch (error) {
      // What a page makes happen must not end more than that page; of the browser as a whole, not more than that browser.
      if (session === this.#root) this.#transport.close();
      else session?.end(error as Error);
    }
    if (method !== 'Target.detachedFromTarget' || params?.sessionId === undefined) return;
    this.#sessions.get(params.sessionId)?.end(new Error('the page is gone'));
    this.#sessions.delete(params.sessionId);
  }
}
