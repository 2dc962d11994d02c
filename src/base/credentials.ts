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

/**
 * `Basic …` of the credentials in a URL, null when it has none. RFC 7617: those of a URL are percent-encoded, those of the
 * header are not.
 */
export function basicAuthFromUrl({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const bytes = Buffer.concat([percentDecoded(username), Buffer.from(':'), percentDecoded(password)]);
  return `Basic ${bytes.toString('base64')}`;
}

/** To bytes, because they need not be UTF-8; a `%` without two digits stays (URL standard, "percent-decode"). */
function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
