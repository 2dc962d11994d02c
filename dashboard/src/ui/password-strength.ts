/** The minimum length that the service requires, in characters. */
import { t } from '@lingui/core/macro';

export const MIN_LENGTH = 8;

interface Strength {
  /** 0: empty, or too short; 4: very strong. */
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly description: string;
}

const TOO_SHORT: Strength = { level: 1, description: t`Too short` };
const LEVELS: readonly Strength[] = [
  { level: 1, description: t`Weak: easy to guess` },
  { level: 2, description: t`Fair: longer is better` },
  { level: 3, description: t`Strong` },
  { level: 4, description: t`Very strong` },
];

/** The bits of entropy from which a password has level 2, 3 and 4. */
const LEVEL_BITS = [36, 52, 72] as const;

/**
 * Estimates the entropy of a password by its length and its character set. Repeated characters count half, and sequences
 * (`abc`, `321`) half a bit. The name in the e-mail address does not count.
 */
export function strengthOf(password: string, email: string): Strength {
  const characters = [...password];
  if (characters.length === 0) return { level: 0, description: '' };
  if (characters.length < MIN_LENGTH) return TOO_SHORT;
  const name = email.split('@')[0]!.toLowerCase();
  const withoutName = name.length < 3 ? password : password.toLowerCase().replaceAll(name, '');
  const bitsPerCharacter = Math.log2(characterSetSize(withoutName));
  let bits = 0;
  const usedCharacters = new Set<string>();
  let previousCode = -1;
  for (const character of withoutName) {
    const code = character.codePointAt(0)!;
    const isSequence = Math.abs(code - previousCode) <= 1;
    const isRepeated = usedCharacters.has(character);
    bits += isSequence ? 0.5 : isRepeated ? bitsPerCharacter / 2 : bitsPerCharacter;
    usedCharacters.add(character);
    previousCode = code;
  }
  return LEVELS[LEVEL_BITS.filter((limit) => bits >= limit).length]!;
}

/** The size of the character set that the text seems to use. For punctuation and non-ASCII, the number of usual characters. */
function characterSetSize(text: string): number {
  // At least 2, so that the logarithm is positive even for an empty text.
  let size = 2;
  if (/[a-z]/.test(text)) size += 26;
  if (/[A-Z]/.test(text)) size += 26;
  if (/\d/.test(text)) size += 10;
  if (/[ -/:-@[-`{-~]/.test(text)) size += 20;
  if (/[^ -~]/.test(text)) size += 60;
  return size;
}
