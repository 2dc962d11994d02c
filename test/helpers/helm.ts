import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runChild } from './child.ts';
import { ROOT } from './repository.ts';

const CHART = join(ROOT, 'deploy/helm/sluice');

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The program Helm: that of `TEST_HELM`, or one on the path; null: there is none. */
const HELM: string | null =
  [
    process.env.TEST_HELM ?? '',
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'helm')),
  ]
    .filter((path) => path !== '')
    .find(isProgram) ?? null;

/** Why tests with Helm cannot run. */
export const noHelm: string | false = HELM === null && 'there is no Helm; TEST_HELM can name one';

/** `helm COMMAND … our chart OPTIONS`. @returns what it has printed, and whether it succeeded */
export async function helm(
  command: readonly string[],
  options: readonly string[] = [],
): Promise<{ readonly ok: boolean; readonly stdout: string; readonly stderr: string }> {
  const { code, stdout, stderr } = await runChild(HELM!, [...command, CHART, ...options], { cwd: ROOT });
  return { ok: code === 0, stdout, stderr };
}
