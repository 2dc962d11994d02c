import { rfc3339Date } from '../../base/rfc3339-date.ts';
import { absoluteUrl } from '../document/parsed-page.ts';
import type { Fact } from './facts.ts';
import { labelKey } from './labels.ts';
import { numberIn } from './page-numbers.ts';
import type { ScalarChoice, ScalarKind, SchemaNode } from './schema-node.ts';

export interface PageFacts {
  /** Base of relative URLs. */
  readonly base: string;
  /** Language of the page as it says itself, such as `de`; null: it does not. */
  readonly language: string | null;
}

const ANY_KIND: readonly ScalarKind[] = ['string', 'number', 'boolean'];
const YES: ReadonlySet<string> = new Set(
  'yes true ja oui si sim instock onlineonly instoreonly limitedavailability available onbackorder'.split(
    ' ',
  ),
);
const NO: ReadonlySet<string> = new Set(
  'no false nein non nao outofstock soldout discontinued unavailable notavailable'.split(' '),
);
const SCHEMA_ADDRESS = /^https?:\/\/(?:www\.)?schema\.org\//i;
const EMAIL = /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+$/;
const FULL_DATE = /\d{4}-\d{2}-\d{2}|\d{8}T?|[a-z]{3}|\d{1,2}\.\d{1,2}\.\d{4}/i;
const DOTTED_DATE = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;

/** The value of a fact as the schema wants it; null: it is nothing of this kind. */
export function convert(fact: Fact, node: SchemaNode, page: PageFacts): ScalarChoice | null {
  const { value } = fact;
  if (typeof value === 'object') return null;
  if (node.choices !== null) return choiceOf(value, node.choices);
  const kinds = node.kinds.length === 0 ? ANY_KIND : node.kinds;
  // A number or boolean of the page stays one, if the schema allows it.
  const same = kinds.filter((kind) => typeof value === (kind === 'integer' ? 'number' : kind));
  for (const kind of [...same, ...kinds]) {
    const converted = convertTo(kind, fact, value, node, page);
    if (converted !== null) return converted;
  }
  return null;
}

function convertTo(
  kind: ScalarKind,
  fact: Fact,
  value: ScalarChoice,
  { format }: SchemaNode,
  page: PageFacts,
): ScalarChoice | null {
  switch (kind) {
    case 'boolean':
      return booleanOf(value);
    case 'integer': {
      const number = numberOf(value, fact, page);
      return number !== null && Number.isInteger(number) ? number : null;
    }
    case 'number':
      return numberOf(value, fact, page);
    case 'string':
      return textOf(fact, String(value).trim(), format, page);
  }
}

function textOf(fact: Fact, text: string, format: string | null, { base }: PageFacts): string | null {
  if (text === '') return null;
  switch (format) {
    case 'date':
      return dateOf(fact.date ?? text)?.slice(0, 10) ?? null;
    case 'date-time': {
      const written = fact.date ?? text;
      // Midnight would be an invention.
      return /\d[T\s]?\d{1,2}:?\d{2}|\d\s?[ap]m/i.test(written) && /:|T\d/.test(written)
        ? dateOf(written)
        : null;
    }
    case 'uri':
    case 'iri':
    case 'url': {
      if (fact.url !== undefined) return fact.url;
      return /\s/.test(text) || !/[/.]/.test(text) ? null : absoluteUrl(text, base);
    }
    case 'email': {
      const address = (fact.url?.startsWith('mailto:') ? decodeURI(fact.url.slice(7)) : text).replace(
        /\?.*$/,
        '',
      );
      return EMAIL.test(address) ? address : null;
    }
    default:
      return SCHEMA_ADDRESS.test(text) ? text.replace(SCHEMA_ADDRESS, '') : text;
  }
}

/** RFC 3339; null: no date with a day. */
function dateOf(written: string): string | null {
  const dotted = DOTTED_DATE.exec(written.trim());
  if (dotted !== null) {
    const [, day, month, year] = dotted;
    return rfc3339Date(`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`);
  }
  return FULL_DATE.test(written) ? rfc3339Date(written) : null;
}

function numberOf(value: ScalarChoice, { from }: Fact, { language }: PageFacts): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return null;
  // Data for programs has the decimal point of programs.
  const isForPrograms = from !== 'text' && from !== 'table' && /^[+-]?\d+(\.\d+)?$/.test(value.trim());
  return isForPrograms ? Number(value) : numberIn(value, language);
}

function booleanOf(value: ScalarChoice): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return null;
  const key = labelKey(value.trim().replace(SCHEMA_ADDRESS, ''));
  return YES.has(key) ? true : NO.has(key) ? false : null;
}

/** The choice that the value means: letter case, white space and separators do not count. */
function choiceOf(value: ScalarChoice, choices: readonly ScalarChoice[]): ScalarChoice | null {
  const same = choices.find((choice) => choice === value);
  if (same !== undefined) return same;
  const key = labelKey(String(value).trim().replace(SCHEMA_ADDRESS, ''));
  if (key === '') return null;
  return choices.find((choice) => typeof choice !== 'boolean' && labelKey(String(choice)) === key) ?? null;
}
