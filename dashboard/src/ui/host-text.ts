// With the slash, because `punycode` alone is the built-in module of Node.
import { toUnicode } from 'punycode/';

/** Decodes Punycode in a host, with or without port: `xn--bcher-kva.example` → `bücher.example`. */
export function hostText(host: string): string {
  try {
    return toUnicode(host);
  } catch {
    // It is not valid Punycode.
    return host;
  }
}
