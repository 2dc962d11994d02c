/** Parts of names of members that hold a secret. */
const SECRET_PARTS =
  /passw|passphrase|passcode|passwort|kennwort|contrase|motdepasse|wachtwoord|salasana|lozinka|parola|secret|token|apikey|accesskey|privatekey|authkey|onetime|cardnumber|cardno|ccnum|creditcard|securitycode|credential/;
/** Words that say so only if they are not a part of another word: `pin`, not `shipping`. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  'pass pwd passwd pw psw pswd mdp clave senha haslo heslo parol jelszo otp totp mfa 2fa tan pin cvv cvv2 cvc cvc2 csc iban jwt sig signature auth authorization bearer'.split(
    ' ',
  ),
);

/** Whether a member, parameter or field of this name holds a password, a code, a token or the number of a card. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PARTS.test(words.join(''));
}
