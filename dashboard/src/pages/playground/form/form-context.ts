import { createContext, use } from 'react';
import { type Json, type JsonObject, type Path, pointerOf, sameJson, valueAt } from '../model/json.ts';
import type { RequestSupport } from '../model/request-fields.ts';

/** A problem with a member of the request. It counts as resolved when the value of the member has changed. */
export interface FieldProblem {
  readonly pointer: string;
  readonly message: string;
  /** The value that has the problem. */
  readonly badValue: Json | undefined;
}

export interface RequestForm {
  readonly request: JsonObject;
  readonly support: RequestSupport;
  readonly problems: readonly FieldProblem[];
  set(path: Path, value: Json | undefined): void;
}

export const RequestFormContext = createContext<RequestForm | null>(null);

export function useRequestForm(): RequestForm {
  const form = use(RequestFormContext);
  if (form === null) throw new Error('a form field must be rendered inside of RequestFormContext');
  return form;
}

interface FieldState {
  readonly value: Json | undefined;
  readonly pointer: string;
  /** An error of this field or of its content. */
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

export const problemAt = (problems: readonly FieldProblem[], pointer: string): FieldProblem | undefined =>
  problems.find((problem) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`));

/** A problem with a message of the service, without the pointer at its beginning: it is shown at the field. */
export function fieldProblem(pointer: string, message: string, request: JsonObject): FieldProblem {
  const text = message.replace(/^`\/[^`]*` /, '');
  return {
    pointer,
    message: text.charAt(0).toUpperCase() + text.slice(1),
    badValue: valueAt(request, pathOfPointer(pointer)),
  };
}

/** The problems of members whose values have not changed. */
export const unresolvedProblems = (
  problems: readonly FieldProblem[],
  request: JsonObject,
): readonly FieldProblem[] =>
  problems.filter(({ pointer, badValue }) => sameJson(valueAt(request, pathOfPointer(pointer)), badValue));

export const pathOfPointer = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
