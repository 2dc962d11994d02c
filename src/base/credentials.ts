/**
 * A user name and a password. They are read by methods only, so that no log, error or JSON text that holds the object
 * shows them.
 */
export class Credentials {
  readonly #username: string;
  readonly #password: string;

  constructor(username: string, password: string) {
    this.#username = username;
    this.#password = password;
  }

  read(): { readonly username: string; readonly password: string } {
    return { username: this.#username, password: this.#password };
  }

  /** For `Authorization` and `Proxy-Authorization` (RFC 7617, UTF-8). */
  basic(): string {
    return `Basic ${Buffer.from(`${this.#username}:${this.#password}`, 'utf8').toString('base64')}`;
  }

  toJSON(): string {
    return '***';
  }
}
