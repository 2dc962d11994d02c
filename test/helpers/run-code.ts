import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { PYTHON, pythonClientMissing } from './sdk-packages.ts';

/** How code of a language is run: the file that it is written to, and the command. */
const LANGUAGES: Readonly<Record<string, { file: string; command: readonly string[] }>> = {
  TypeScript: { file: 'example.mts', command: [process.execPath] },
  Python: { file: 'example.py', command: [PYTHON] },
  Go: { file: 'example.go', command: ['go', 'run'] },
  PHP: { file: 'example.php', command: ['php'] },
  Ruby: { file: 'example.rb', command: ['ruby'] },
  Java: { file: 'Example.java', command: ['java'] },
};

/** All others are commands of a shell. */
const SHELL = { file: 'example.sh', command: ['bash', '-euo', 'pipefail'] };

/** The languages that only the tests of tier 3 run: Debian has them, and most machines do not. */
const LONG_ONLY: Readonly<Record<string, readonly string[]>> = {
  Go: ['go', 'version'],
  PHP: ['php', '-r', 'curl_version();'],
  Ruby: ['ruby', '--version'],
  Java: ['java', '--version'],
};

/** Why code of a language is not run here; false: it is. */
export function notRun(language: string): string | false {
  if (language === 'Python') return pythonClientMissing();
  const probe = LONG_ONLY[language];
  if (probe === undefined) return false;
  if (process.env.LONG !== '1') return `${language} is for the tests of tier 3 (LONG=1)`;
  return spawnSync(probe[0]!, probe.slice(1)).status !== 0 && `${language} is not installed`;
}

/**
 * Runs code in a folder, where the packages that it imports are found.
 * @param language its label on the site
 * @returns what it printed
 * @throws with the code and its output if its exit code is not 0
 */
export async function runCode(
  language: string,
  code: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { file, command } = LANGUAGES[language] ?? SHELL;
  writeFileSync(join(folder, file), code);
  const {
    code: exit,
    stdout,
    stderr,
  } = await runChild(command[0]!, [...command.slice(1), file], {
    cwd: folder,
    env,
  });
  if (exit !== 0) throw new Error(`exit ${exit}\n${code}\n${stdout}\n${stderr}`);
  return stdout;
}
