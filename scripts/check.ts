/** `npm run check`: runs all static checks, several at a time. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { generators } from './generators.ts';

interface Check {
  readonly name: string;
  /** Arguments for Node. */
  readonly args: readonly string[];
  /** A file without which the tool would pass without having checked anything; if it is missing, the check fails. */
  readonly needs?: string;
}

const root = join(import.meta.dirname, '..');
const inModules = (path: string) => join(root, 'node_modules', path);

// The slow ones first, so that all ends early.
const CHECKS: readonly Check[] = [
  {
    name: 'openapi',
    args: [inModules('@redocly/cli/bin/cli.js'), 'lint', 'docs/openapi.json', '--config', 'redocly.yaml'],
    needs: 'docs/openapi.json',
  },
  { name: 'dead code', args: [inModules('knip/bin/knip.js')] },
  // Code for browsers is checked separately, so that the types of the DOM exist only there.
  ...['.', 'dashboard', 'test/dashboard', 'clients/typescript'].map((folder) => ({
    name: folder === '.' ? 'types' : `types ${folder}`,
    args: [inModules('typescript-native/bin/tsc'), '-p', folder],
  })),
  { name: 'rooms', args: ['scripts/check-rooms.ts'] },
  { name: 'translations', args: ['scripts/check-translations.ts'] },
  { name: 'house rules', args: ['scripts/check-house.ts'] },
  ...generators().map((script) => ({ name: basename(script, '.ts'), args: [script, '--check'] })),
  { name: 'format, lint', args: [inModules('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'] },
];

interface Result {
  readonly check: Check;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

function run(check: Check): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const begun = performance.now();
  if (check.needs !== undefined && !existsSync(join(root, check.needs))) {
    resolve({
      check,
      ok: false,
      seconds: 0,
      output: `${check.needs} is missing: run \`npm run generate\`\n`,
    });
    return promise;
  }
  const child = spawn(process.execPath, [...check.args], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('close', (code) => {
    resolve({ check, ok: code === 0, seconds: (performance.now() - begun) / 1000, output });
  });
  return promise;
}

const waiting = [...CHECKS];
let passed = 0;
async function worker(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const { ok, seconds, output } = await run(check);
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${check.name.padEnd(18)} ${seconds.toFixed(1)} s`);
    if (ok) passed++;
    else console.log(output.trimEnd().replace(/^/gm, '     '));
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
console.log(`check: ${passed} passed, ${CHECKS.length - passed} failed`);
process.exitCode = passed === CHECKS.length ? 0 : 1;
