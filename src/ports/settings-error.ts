/** What the operator has written cannot be used: said in one text, which needs no stack. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
