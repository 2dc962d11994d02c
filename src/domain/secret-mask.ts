/** In place of a secret. */
const MASK = '***';
/** Shorter ones would be found everywhere. */
const MIN_LENGTH = 4;

/** A form is looked up by so many characters, and each is at least as long. */
const START = MIN_LENGTH;
/** From this length on, a piece of Base64 is not found by chance. */
const MIN_BASE64 = 8;

/**
 * Replaces secrets in what a page shows, in each form that a page, an address or a program may give them, in any letter case. The time
 * that it takes depends on the length of the text, and hardly on the number of secrets.
 */
export class SecretMask {
  readonly #forms = new Set<string>();
  /** The forms by their start, the longest first: a form may begin another one. null: to be made. */
  #byStart: ReadonlyMap<number, readonly string[]> | null = null;

  /** Whether there is anything to replace. */
  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** Secrets of less than four characters are not masked. */
  add(secret: string): void {
    if (secret.length < MIN_LENGTH) return;
    for (const form of formsOf(secret)) this.#forms.add(form);
    this.#byStart = null;
  }

  /** A user name with its password, as the header `Authorization` has them (RFC 7617). */
  addPair(username: string, password: string): void {
    this.#forms.add(Buffer.from(`${username}:${password}`).toString('base64'));
    this.#byStart = null;
  }

  text(text: string): string {
    if (this.isEmpty) return text;
    this.#byStart ??= byStart(this.#forms);
    let masked = '';
    let from = 0;
    for (let at = 0; at + START <= text.length; at += 1) {
      const form = this.#byStart.get(startAt(text, at))?.find((one) => isAt(text, at, one));
      if (form === undefined) continue;
      masked += text.slice(from, at) + MASK;
      from = at + form.length;
      at = from - 1;
    }
    return from === 0 ? text : masked + text.slice(from);
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

/** The code of a UTF-16 unit; of an ASCII letter, that of the small one. */
function smallAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function startAt(text: string, at: number): number {
  let start = 0;
  for (let n = 0; n < START; n += 1) start = (start * 31 + smallAt(text, at + n)) | 0;
  return start;
}

function isAt(text: string, at: number, form: string): boolean {
  if (at + form.length > text.length) return false;
  for (let n = 0; n < form.length; n += 1) if (smallAt(text, at + n) !== smallAt(form, n)) return false;
  return true;
}

function byStart(forms: Iterable<string>): ReadonlyMap<number, readonly string[]> {
  const all = [...forms].toSorted((a, b) => b.length - a.length);
  return Map.groupBy(all, (form) => startAt(form, 0));
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    ...htmlForms(secret),
    json,
    JSON.stringify(json).slice(1, -1),
    ...htmlForms(json),
    new URLSearchParams({ s: secret }).toString().slice(2),
    // The second: as a URL has it that was typed as it is (WHATWG URL, query state).
    ...[encodeURIComponent, encodeURI].flatMap((encode) => {
      const encoded = encode(secret.toWellFormed());
      return [encoded, encoded.replaceAll("'", '%27')];
    }),
    ...base64Forms(secret),
  ];
}

/** What programs escape in HTML besides `&`: as little as text or an attribute needs, or more, with the references that they use. */
const ESCAPES: readonly Readonly<Record<string, string>>[] = [
  { '<': '&lt;' },
  { '<': '&lt;', '>': '&gt;' },
  { '"': '&quot;' },
  { '<': '&lt;', '"': '&quot;' },
  { '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  ...['&#39;', '&#039;', '&#x27;', '&apos;'].map((quote) => ({
    ...{ '<': '&lt;', '>': '&gt;', '"': '&quot;' },
    "'": quote,
  })),
  { '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' },
];

const htmlForms = (text: string): readonly string[] =>
  ESCAPES.map((escapes) =>
    text.replaceAll(/[&<>"']/g, (character) =>
      character === '&' ? '&amp;' : (escapes[character] ?? character),
    ),
  );

/** Also as a part of a longer text, at each of the three offsets: then without what depends on the bytes around it. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return (['base64', 'base64url'] as const).flatMap((encoding) => {
    const whole = bytes.toString(encoding);
    const parts = [0, 1, 2].map((shift) => {
      const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
      const text = shifted.subarray(0, shifted.length - (shifted.length % 3)).toString(encoding);
      return shift === 0 ? text : text.slice(4);
    });
    return [whole, whole.replace(/=+$/, ''), ...parts.filter(({ length }) => length >= MIN_BASE64)];
  });
}
