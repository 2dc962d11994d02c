/** In place of a secret. */
const MASK = '***';
/** Shorter ones would be found everywhere. */
const MIN_LENGTH = 4;

/** Replaces secrets in what a page shows, in each form that a page, an address or a program may give them. */
export class SecretMask {
  readonly #forms = new Set<string>();
  #pattern: RegExp | null = null;

  /** Whether there is anything to replace. */
  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** Secrets of less than four characters are not masked. */
  add(secret: string): void {
    if (secret.length < MIN_LENGTH) return;
    for (const form of formsOf(secret)) this.#forms.add(form);
    this.#pattern = null;
  }

  /** A user name with its password, as the header `Authorization` has them (RFC 7617). */
  addPair(username: string, password: string): void {
    this.#forms.add(Buffer.from(`${username}:${password}`).toString('base64'));
    this.#pattern = null;
  }

  text(text: string): string {
    if (this.isEmpty) return text;
    // The longest first: a form may begin another one.
    this.#pattern ??= new RegExp(
      [...this.#forms]
        .toSorted((a, b) => b.length - a.length)
        .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
        .join('|'),
      'gi',
    );
    return text.replaceAll(this.#pattern, MASK);
  }

  /** Bytes of text in a charset that contains ASCII; the same bytes if nothing was found. */
  bytes(bytes: Uint8Array): Uint8Array {
    if (this.isEmpty) return bytes;
    // As latin1 each byte is a character, and none is lost.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const masked = this.#inLatin1().text(text);
    return masked === text ? bytes : new Uint8Array(Buffer.from(masked, 'latin1'));
  }

  /** A JSON value with all its texts. */
  json<T>(value: T): T {
    if (this.isEmpty) return value;
    return this.#json(value) as T;
  }

  #json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#json(item));
    if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.text(name), this.#json(member)]),
    );
  }

  /** The same forms as their UTF-8 bytes. */
  #inLatin1(): SecretMask {
    const mask = new SecretMask();
    for (const form of this.#forms) mask.#forms.add(Buffer.from(form).toString('latin1'));
    return mask;
  }
}

function formsOf(secret: string): readonly string[] {
  const html = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const url = encodeURIComponent(secret);
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = Buffer.from(secret).toString('base64');
  return [
    secret,
    html(secret),
    html(secret).replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    html(secret).replaceAll('"', '&quot;'),
    json,
    html(json),
    url,
    form,
    // As a URL has it that was typed as it is (WHATWG URL, query state).
    encodeURI(secret),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ];
}
