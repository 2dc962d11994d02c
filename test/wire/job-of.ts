import assert from 'node:assert/strict';
import type { Failure } from '../../src/domain/failure.ts';
import type { Task } from '../../src/domain/task.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';

/** The task of a request; asserts that it is valid. */
export function jobOf(request: object): Task {
  const { task, problems } = parseTask({ url: 'http://site.test/', ...request });
  assert.ok(task, JSON.stringify(problems));
  return task;
}

/** The problems of a request; asserts that it is refused. */
export function problemsOf(request: object): readonly Failure[] {
  const { problems } = parseTask({ url: 'http://site.test/', ...request });
  assert.ok(problems !== null, `was accepted: ${JSON.stringify(request)}`);
  assert.ok(problems.length >= 1 && problems.length <= 10);
  for (const problem of problems) {
    assert.equal(problem.code, 'request.validation');
    assert.equal(typeof problem.pointer, 'string');
    assert.ok(problem.message.length < 700, problem.message);
  }
  return problems;
}

/** Asserts that a request is refused with exactly one problem, with this pointer and a message that matches. */
export function refused(request: object, pointer: string, message?: RegExp): void {
  const problems = problemsOf(request);
  assert.deepEqual(
    problems.map((problem) => problem.pointer),
    [pointer],
    JSON.stringify(problems),
  );
  if (message !== undefined) assert.match(problems[0]!.message, message);
}
