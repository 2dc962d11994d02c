import type { PipeTransport } from '../launch/pipe-transport.ts';
import { Connection } from './connection.ts';

/** A browser of the fast lane: driven by a few messages of our own. */
export class FastBrowser {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Settles when the browser answers. Rejects with its end. */
  static async over(transport: PipeTransport): Promise<FastBrowser> {
    const connection = new Connection(transport);
    await connection.browser.send('Browser.getVersion');
    return new FastBrowser(connection);
  }

  isConnected(): boolean {
    return !this.#connection.gone.aborted;
  }

  /** Aborts when it is gone. */
  get gone(): AbortSignal {
    return this.#connection.gone;
  }
}
