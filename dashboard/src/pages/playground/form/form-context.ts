import { createContext, use } from 'react';
import { type Json, type JsonObject, type Path, pointerOf, sameJson, valueAt } from '../model/json.ts';
import type { Offer } from '../model/offer.ts';

/** What is wrong at a place, as long as the value there is the one that it was said of. */
export interface PlacedProblem {
  readonly pointer: string;
  readonly message: string;
  readonly given: Json | undefined;
}

export interface RequestForm {
  readonly request: JsonObject;
  readonly offer: Offer;
  readonly problems: readonly PlacedProblem[];
  set(path: Path, value: Json | undefined): void;
}

export const RequestFormContext = createContext<RequestForm | null>(null);

export function useRequestForm(): RequestForm {
  const form = use(RequestFormContext);
  if (form === null) throw new Error('a field outside of the form');
  return form;
}

interface FieldState {
  readonly value: Json | undefined;
  readonly pointer: string;
  /** About this field or what is in it. */
  readonly error: string | undefined;
  set(value: Json | undefined): void;
}

export function useField(path: Path): FieldState {
  const { request, problems, set } = useRequestForm();
  const pointer = pointerOf(path);
  return {
    value: valueAt(request, path),
    pointer,
    error: problemAt(problems, pointer)?.message,
    set: (value) => set(path, value),
  };
}

export const problemAt = (problems: readonly PlacedProblem[], pointer: string): PlacedProblem | undefined =>
  problems.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));

/** The pointer at the beginning of a message is left out: the field is the place. */
export function placed(pointer: string, message: string, request: JsonObject): PlacedProblem {
  const text = message.replace(/^`\/[^`]*` /, '');
  return {
    pointer,
    message: text.charAt(0).toUpperCase() + text.slice(1),
    given: valueAt(request, stepsOf(pointer)),
  };
}

/** Those whose place still holds what they were said of. */
export const stillTrue = (
  problems: readonly PlacedProblem[],
  request: JsonObject,
): readonly PlacedProblem[] =>
  problems.filter(({ pointer, given }) => sameJson(valueAt(request, stepsOf(pointer)), given));

export const stepsOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
