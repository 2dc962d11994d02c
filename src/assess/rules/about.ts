/**
 * Words of a page that tells of walls and errors, or is called like one: help, encyclopaedias, works of art. Who stands
 * before a page does not talk like that.
 */
export const TELLS_OF =
  /\b(?:means|indicates|describes|occurs|common causes?|how to|what is|what does|status codes?|for example|to fix|troubleshooting|glossary|changelog|tutorial|lyrics|(?:the|this) (?:error|message|answer|response|code) (?:is|says|comes|appears|happens|shows|tells|can)|you get this|novel|movie|album|song|poem|thriller|directed by|written by|\d+ pages|episode|podcast|(?:add to|in your) (?:cart|basket|bag)|in stock|sold out)\b|[$£€¥₽₹]\s?\d|\d\s?(?:€|EUR\b|USD\b|GBP\b|₽|円|원|元|zł|Kč|TL\b)/i;

/** Words of a page that offers goods. */
export const SELLS =
  /\b(?:add to (?:cart|basket|bag)|in stock|sold out|buy now|ready to ship|rent from)\b|[$£€¥₽₹]\s?\d|\d\s?(?:€|EUR\b|USD\b|GBP\b|₽|円|원|元|zł|Kč|TL\b)|\b\d+[.,]\d\d\b/i;
