declare module 'punycode/' {
  export function toUnicode(domain: string): string;
}
