/** Punycode (RFC 3492), of one label without `xn--`; null: it is none. */
function decodeLabel(label: string): string | null {
  const cut = label.lastIndexOf('-');
  const output = cut > 0 ? [...label.slice(0, cut)] : [];
  let [code, at, bias] = [128, 0, 72];
  for (let next = cut > 0 ? cut + 1 : 0; next < label.length; ) {
    const before = at;
    for (let [weight, k] = [1, 36]; ; k += 36) {
      const digit = digitOf(label[next++]);
      if (digit === null) return null;
      at += digit * weight;
      const threshold = Math.min(26, Math.max(1, k - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapted(at - before, length, before === 0);
    code += Math.floor(at / length);
    at %= length;
    if (code > 0x10ffff) return null;
    output.splice(at++, 0, String.fromCodePoint(code));
  }
  return output.join('');
}

function digitOf(character: string | undefined): number | null {
  if (character === undefined || !/^[a-z0-9]$/i.test(character)) return null;
  return Number.parseInt(character, 36) < 10
    ? Number(character) + 26
    : character.toLowerCase().charCodeAt(0) - 97;
}

function adapted(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(first ? delta / 700 : delta / 2);
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}

/** A host as people write it: `xn--mnchen-3ya.example` → `münchen.example`. */
export function hostText(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decodeLabel(label.slice(4)) || label : label))
    .join('.');
}
