import type { IgnoredPart } from '../domain/monitors.ts';

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*';

/** What replaces a part that changes without meaning, so that both sides of a comparison are equal there. */
const REPLACEMENT = '…';

const PATTERNS: Readonly<Record<Exclude<IgnoredPart, 'order'>, readonly RegExp[]>> = {
  dates: [
    // 2026-01-31, 2026-01-31T12:00:00Z
    /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?/g,
    // 31.01.2026, 1/31/26
    /\b\d{1,2}([./])\d{1,2}\1\d{2,4}\b/g,
    // 31 January 2026, Jan 31, 2026
    new RegExp(`(?:\\b${DAY},? )?\\b\\d{1,2}(?:st|nd|rd|th)?\\.? ${MONTH}\\.?,?(?: \\d{4})?\\b`, 'gi'),
    new RegExp(`(?:\\b${DAY},? )?\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b`, 'gi'),
    // 12:00, 12:00:30 PM
    /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?/gi,
  ],
  relative_times: [
    /\b(?:(?:about|over|almost|less than) )?(?:\d+|an?|one|a few|several) ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|yrs?|years?) ago\b/gi,
    /\bin (?:\d+|an?|one) (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/gi,
    /\b(?:just now|moments ago|today|yesterday)\b/gi,
  ],
  // A number on its own or with thousands separators or a unit such as 1.2k. Prices keep their meaning: they have a sign before
  // or after the number.
  counters: [/(?<![\p{Sc}\w.,-] ?)\b\d{1,3}(?:(?:[,.' ]\d{3})+|\d*)(?:[.,]\d+)?[kKmM]?\b(?! ?[\p{Sc}%])/gu],
};

/** The text with these parts replaced. `order` changes nothing here. */
export function withoutParts(text: string, parts: readonly IgnoredPart[]): string {
  let result = text;
  for (const part of parts)
    if (part !== 'order') for (const pattern of PATTERNS[part]) result = result.replace(pattern, REPLACEMENT);
  return result;
}
