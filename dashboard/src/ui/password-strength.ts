/** The minimum length of the service. */
export const MIN_LENGTH = 8;

interface Strength {
  /** 0: empty, or too short; 4: very strong. */
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly description: string;
}

const TOO_SHORT: Strength = { level: 1, description: 'Too short' };
const LEVELS: readonly Strength[] = [
  { level: 1, description: 'Weak: easy to guess' },
  { level: 2, description: 'Fair: longer is better' },
  { level: 3, description: 'Strong' },
  { level: 4, description: 'Very strong' },
];

/** A rough estimate by length and variety. Repetitions, sequences and parts of the e-mail address count little. */
export function strengthOf(password: string, email: string): Strength {
  const characters = [...password];
  if (characters.length === 0) return { level: 0, description: '' };
  if (characters.length < MIN_LENGTH) return TOO_SHORT;
  const name = email.split('@')[0]!.toLowerCase();
  const rest = name.length < 3 ? password : password.toLowerCase().replaceAll(name, '');
  let bits = 0;
  const pool = poolOf(rest);
  const seen = new Set<string>();
  let before = -1;
  for (const character of rest) {
    const code = character.codePointAt(0)!;
    const follows = Math.abs(code - before) <= 1;
    bits += follows ? 0.5 : seen.has(character) ? Math.log2(pool) / 2 : Math.log2(pool);
    seen.add(character);
    before = code;
  }
  return LEVELS[bits < 36 ? 0 : bits < 52 ? 1 : bits < 72 ? 2 : 3]!;
}

/** The size of the character set that the text seems to use. */
function poolOf(text: string): number {
  let pool = 2;
  if (/[a-z]/.test(text)) pool += 26;
  if (/[A-Z]/.test(text)) pool += 26;
  if (/\d/.test(text)) pool += 10;
  if (/[ -/:-@[-`{-~]/.test(text)) pool += 20;
  if (/[^ -~]/.test(text)) pool += 60;
  return pool;
}
