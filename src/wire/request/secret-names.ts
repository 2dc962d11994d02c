/** Parts of names of members that hold a secret. `pass` may be a part of other words: `compass`, `passenger`. */
const SECRET_PARTS =
  /(?<!com|by|tres|sur)pass(?!age|eng|port|i|ed|es)|kennwort|contrase|motdepasse|wachtwoord|salasana|lozinka|parola|secret|token|apikey|accesskey|privatekey|authkey|onetime|cardnum|cardno|ccnum|creditcard|securitycode|credential/;
/** Words that say so only if they are not a part of another word: `pin`, not `shipping`. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  'pwd pw psw pswd mdp clave senha haslo heslo parol jelszo otp otpcode totp mfa 2fa tan pin cvv cvv2 cvc cvc2 csc iban jwt sig signature auth authorization bearer'.split(
    ' ',
  ),
);
/** Longer names are judged by their beginning. */
const MAX_NAME_LENGTH = 200;
/** A body has up to 300,000 members of at most 25,000 names (`JSON_LIMITS`), so each name of it is judged once. */
const MAX_KNOWN = 25_000;
const known = new Map<string, boolean>();

/** Whether a member, parameter, field or selector of this name is for a password, a code, a token or the number of a card. */
export function isSecretName(name: string): boolean {
  const judged = name.slice(0, MAX_NAME_LENGTH);
  let isSecret = known.get(judged);
  if (isSecret === undefined) {
    isSecret = judgeName(judged);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(judged, isSecret);
  }
  return isSecret;
}

/** One word as it stands. */
const PLAIN_WORD = /^[a-z\d]+$/;

/** @param name not too long */
function judgeName(name: string): boolean {
  if (PLAIN_WORD.test(name)) return SECRET_WORDS.has(name) || SECRET_PARTS.test(name);
  const words = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PARTS.test(words.join(''));
}
