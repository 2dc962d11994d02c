import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/client.ts';
import { extractQuery } from '../../api/reading.ts';
import { isObject } from '../scrape.ts';
import type { ExtractRules } from './extract-rules.ts';

const PREVIEW_DELAY_MS = 350;

interface Found {
  /** What a rule finds; undefined: not known, or not yet. */
  value(name: string): unknown;
  /** Why the service refused a rule; null: it did not. */
  refusal(name: string): string | null;
  /** Why nothing could be read. */
  readonly error: unknown;
  /** `refusal` says of a rule why. */
  readonly isRefused: boolean;
}

/**
 * What the rules find on a stored page, read a moment after the last change. Results of earlier rules are never shown for later
 * ones.
 * @param id of the scrape; null: there is none
 */
export function useFound(id: string | null, rules: ExtractRules): Found {
  const [settled] = useDebouncedValue(rules, PREVIEW_DELAY_MS);
  const { data, error } = useQuery({
    ...extractQuery(id ?? '', settled),
    enabled: id !== null && Object.keys(settled).length > 0,
    placeholderData: keepPreviousData,
  });
  const values: unknown = data?.scraper_data.extract;
  const isCurrent = (name: string) => Object.hasOwn(settled, name) && settled[name] === rules[name];
  const refusals = new Map(
    (error instanceof ApiError ? (error.problem?.errors ?? []) : []).flatMap(({ pointer, message }) => {
      const [, member, name] = pointer?.split('/') ?? [];
      return member === 'extract' && name !== undefined
        ? [[name.replaceAll('~1', '/').replaceAll('~0', '~'), messageOf(message)] as const]
        : [];
    }),
  );
  return {
    value: (name) =>
      isCurrent(name) && isObject(values) && Object.hasOwn(values, name) ? values[name] : undefined,
    refusal: (name) => (isCurrent(name) ? (refusals.get(name) ?? null) : null),
    error,
    isRefused: refusals.size > 0,
  };
}

/** The message of the service without the pointer at its beginning. */
function messageOf(message: string): string {
  const text = message.replace(/^`\/[^`]*` /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
