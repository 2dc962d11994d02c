import type { VendorAnswer, VendorPage } from './vendor-kind.ts';

const MASK = '***';
const MASK_BYTES = Buffer.from(MASK);
/** Shorter texts stand in pages by chance, so that they are masked in messages alone. */
const MIN_LENGTH = 8;

/** What of a page had the key of the vendor. */
export type MaskedMember = 'content' | 'headers' | 'cookies' | 'final_url' | 'redirects' | 'screenshot';

/**
 * Masks the key of a vendor in what the vendor answers: as it is, as part of a URL, in JSON and HTML, and in Base64, also as part
 * of a longer text such as that of Basic authentication. The password of a key `user:password` is masked too.
 */
export class KeyMask {
  readonly #secrets: readonly string[];
  readonly #pattern: RegExp | null;
  /** In pages. Longer ones first. */
  readonly #forms: readonly Buffer[];

  constructor(key: string | null) {
    const secrets = key === null ? [] : [key, key.slice(key.indexOf(':') + 1)];
    this.#secrets = secrets.filter((secret) => secret !== '');
    const long = this.#secrets.filter(({ length }) => length >= MIN_LENGTH);
    const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    this.#pattern = forms.length === 0 ? null : new RegExp(forms.map(RegExp.escape).join('|'), 'g');
    this.#forms = forms.map((form) => Buffer.from(form));
  }

  /** A text of the vendor that is told to people. */
  message(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), this.#text(text));
  }

  /** The answer with masked keys, and where they stood. */
  answer(answer: VendorAnswer): readonly [VendorAnswer, readonly MaskedMember[]] {
    if (this.#pattern === null) return [answer, []];
    const requestId = answer.requestId === null ? null : this.#text(answer.requestId);
    if (answer.trouble !== null) return [{ ...answer, requestId }, []];
    const { contentType } = answer;
    const masked: VendorPage = {
      ...answer,
      requestId,
      headers: answer.headers?.map(([name, value]) => [this.#text(name), this.#text(value)]) ?? null,
      ...(contentType != null && { contentType: this.#text(contentType) }),
      finalUrl: answer.finalUrl === null ? null : this.#text(answer.finalUrl),
      cookies:
        answer.cookies?.map((cookie) => ({
          ...cookie,
          name: this.#text(cookie.name),
          value: this.#text(cookie.value),
          domain: this.#text(cookie.domain),
          path: this.#text(cookie.path),
        })) ?? null,
      redirects: answer.redirects.map((redirect) => ({ ...redirect, url: this.#text(redirect.url) })),
      body: this.#bytes(answer.body),
      // A picture would be broken by a mask.
      screenshot: answer.screenshot !== null && this.#isIn(answer.screenshot) ? null : answer.screenshot,
    };
    return [masked, changes(answer, masked)];
  }

  #text(text: string): string {
    return this.#pattern === null ? text : text.replaceAll(this.#pattern, MASK);
  }

  #isIn(bytes: Uint8Array): boolean {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return this.#forms.some((form) => text.includes(form));
  }

  /** The same bytes, if the key is not in them. */
  #bytes(bytes: Uint8Array): Uint8Array {
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const next = this.#forms.map((form) => source.indexOf(form));
    if (next.every((at) => at === -1)) return bytes;
    // No form is shorter than the mask.
    const target = Buffer.alloc(source.length);
    let read = 0;
    let written = 0;
    for (;;) {
      let first = -1;
      for (let i = 0; i < next.length; i++) {
        if (next[i] !== -1 && next[i]! < read) next[i] = source.indexOf(this.#forms[i]!, read);
        if (next[i] !== -1 && (first === -1 || next[i]! < next[first]!)) first = i;
      }
      if (first === -1) break;
      written += source.copy(target, written, read, next[first]);
      written += MASK_BYTES.copy(target, written);
      read = next[first]! + this.#forms[first]!.length;
    }
    written += source.copy(target, written, read);
    return target.subarray(0, written);
  }
}

const NAMES: Readonly<Record<MaskedMember, keyof VendorPage>> = {
  content: 'body',
  headers: 'headers',
  cookies: 'cookies',
  final_url: 'finalUrl',
  redirects: 'redirects',
  screenshot: 'screenshot',
};

function changes(before: VendorPage, after: VendorPage): readonly MaskedMember[] {
  const isChanged = (name: keyof VendorPage) =>
    before[name] instanceof Uint8Array
      ? before[name] !== after[name]
      : JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return (Object.keys(NAMES) as MaskedMember[]).filter((member) => isChanged(NAMES[member]));
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = base64Of(secret);
  const plain = [secret, ...base64, ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
  return [
    ...plain.flatMap((text) => [text, ...percentEncoded(text)]),
    json,
    json.replaceAll('/', '\\/'),
    secret.replace(/[&<>"']/g, (character) => ENTITIES[character]!),
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As in queries, in forms, and with lower-case digits. */
function percentEncoded(text: string): readonly string[] {
  const encoded = encodeURIComponent(text);
  const form = new URLSearchParams({ '': text }).toString().slice(1);
  return [encoded, form, encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())];
}

/** What Base64 of any text with the secret has in it: one for each place that its first byte may have in a group of three. */
const base64Of = (secret: string): readonly string[] =>
  [0, 1, 2].map((before) =>
    Buffer.from('\0'.repeat(before) + secret)
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6)),
  );
