/** A catalog, which the bundler compiles. */
declare module '*.po' {
  export const messages: import('@lingui/core').Messages;
}
