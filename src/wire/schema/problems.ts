import { type Failure, failure } from '../../domain/failure.ts';
import { shown } from './shown.ts';

/** How many problems one answer lists (contract §8). */
export const MOST_PROBLEMS = 10;

/** Collects what is wrong with a request; every part of it is read to the end, so that all is told at once. */
export type Problems = Failure[];

/** What stands at `at` is wrong. The message reads on from the name of the place. */
export function wrong(problems: Problems, at: string, message: string): void {
  if (problems.length < MOST_PROBLEMS) {
    problems.push(failure('request.validation', `${placeName(at)} ${message}`, { pointer: at }));
  }
}

/** As `wrong`, with what was given instead at the end. */
export function wrongValue(problems: Problems, at: string, message: string, given: unknown): void {
  wrong(problems, at, `${message}, got ${shown(given, at)}`);
}

/** Known, and of the right type, but not offered by this version. */
export function notAvailable(problems: Problems, at: string, what?: string): void {
  wrong(problems, at, `${what === undefined ? '' : `${what} `}is not available in this version`);
}

function placeName(at: string): string {
  if (at === '') return 'The request';
  return `\`${at.length > 120 ? `${at.slice(0, 120)}…` : at}\``;
}
