/** A user name and a password, in private fields: logging the object, or writing it as JSON, does not reveal them. */
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

  /** The value of `Authorization` or `Proxy-Authorization` (RFC 7617, UTF-8). */
  basic(): string {
    return `Basic ${Buffer.from(`${this.#username}:${this.#password}`, 'utf8').toString('base64')}`;
  }

  toJSON(): string {
    return '***';
  }
}

/** `Basic …` for the credentials in a URL, percent-decoded (RFC 7617); null: the URL has none. */
export function basicAuthFromUrl({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const bytes = Buffer.concat([percentDecoded(username), Buffer.from(':'), percentDecoded(password)]);
  return `Basic ${bytes.toString('base64')}`;
}

/** The bytes need not be UTF-8. A `%` without two hexadecimal digits stays (URL standard, "percent-decode"). */
function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
