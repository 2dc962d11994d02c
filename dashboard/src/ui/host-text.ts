// Named by its file: `punycode` alone is the built-in module of Node, and tests run this file in Node.
import { toUnicode } from 'punycode/punycode.es6.js';

/** Characters of one language. Japanese has three scripts, and Korean has Chinese characters. */
const ALPHABETS = [
  ['Latn'],
  ['Cyrl'],
  ['Grek'],
  ['Arab'],
  ['Hebr'],
  ['Armn'],
  ['Geor'],
  ['Deva'],
  ['Beng'],
  ['Taml'],
  ['Telu'],
  ['Thai'],
  ['Hani', 'Hira', 'Kana'],
  ['Hang', 'Hani'],
].map((scripts) => new RegExp(`^[-\\d${scripts.map((script) => `\\p{scx=${script}}`).join('')}]+$`, 'u'));

/** Cyrillic and Greek letters that look like Latin ones: a label of these alone may pass for another, such as аррӏе for apple. */
const LIKE_LATIN = /^[-\dавсԁеԍһіјӏкмнорԛгѕтԝхуѵүοανυιρκτχ]+$/u;

/**
 * Decodes Punycode in a host, with or without port: `xn--bcher-kva.example` → `bücher.example`. A label stays as it is if its
 * letters are of several scripts, or all look like Latin ones, because it may imitate another host.
 */
export function hostText(host: string): string {
  return host.replace(/xn--[a-z\d-]+/gi, labelText);
}

function labelText(label: string): string {
  try {
    const text = toUnicode(label.toLowerCase());
    return ALPHABETS.some((alphabet) => alphabet.test(text)) && !LIKE_LATIN.test(text) ? text : label;
  } catch {
    // It is not valid Punycode.
    return label;
  }
}

/** A URL to be read, with its host as of `hostText`. Links need the URL itself. */
export function urlText(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host === '') return url;
  // A host that was written in another form is shown as it is used.
  const written = url.includes(parsed.host) ? url : parsed.href;
  return written.replace(parsed.host, hostText(parsed.host));
}
