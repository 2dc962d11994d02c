import type { Failure } from '../domain/failure.ts';
import { invalid } from './managed.ts';

const LEAST = 8;
const MOST = 1024;

/** What is wrong with a new password; empty: nothing. Length alone counts (NIST SP 800-63B §5.1.1.2). */
export function passwordProblems(pointer: string, password: string): readonly Failure[] {
  if (password.length >= LEAST && password.length <= MOST) return [];
  return [invalid(pointer, `The password must have ${LEAST} to ${MOST} characters.`)];
}
