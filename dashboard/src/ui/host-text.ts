// With the slash, or Node and Vite would take it for the module of Node.
import { toUnicode } from 'punycode/';

/** A host, or a host with its port, in the letters that people know: `xn--bcher-kva.example` → `bücher.example`. */
export function hostText(host: string): string {
  try {
    return toUnicode(host);
  } catch {
    // No name that punycode stands for.
    return host;
  }
}
