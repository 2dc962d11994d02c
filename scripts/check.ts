/** Everything that can be said about the code without running it: `npm run check`. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { generators } from './generators.ts';

interface Part {
  readonly name: string;
  /** Arguments for Node. */
  readonly args: readonly string[];
  /** What must be there for the part to mean anything; when it is missing the part fails. */
  readonly needs?: string;
}

const root = join(import.meta.dirname, '..');
const inModules = (path: string) => join(root, 'node_modules', path);

// The slow ones first: they are what the whole waits for.
const PARTS: readonly Part[] = [
  {
    name: 'openapi',
    args: [inModules('@redocly/cli/bin/cli.js'), 'lint', 'docs/openapi.json', '--config', 'redocly.yaml'],
    needs: 'docs/openapi.json',
  },
  { name: 'dead code', args: [inModules('knip/bin/knip.js')] },
  // What runs in a browser is checked by itself, so that nothing else knows of `document`.
  ...['.', 'dashboard', 'test/dashboard'].map((folder) => ({
    name: folder === '.' ? 'types' : `types ${folder}`,
    args: [inModules('typescript-native/bin/tsc'), '-p', folder],
  })),
  { name: 'rooms', args: ['scripts/check-rooms.ts'] },
  { name: 'house rules', args: ['scripts/check-house.ts'] },
  ...generators().map((script) => ({ name: basename(script, '.ts'), args: [script, '--check'] })),
  { name: 'format, lint', args: [inModules('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'] },
];

interface Result {
  readonly part: Part;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

function run(part: Part): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const begun = performance.now();
  if (part.needs !== undefined && !existsSync(join(root, part.needs))) {
    resolve({ part, ok: false, seconds: 0, output: `${part.needs} is missing\n` });
    return promise;
  }
  const child = spawn(process.execPath, [...part.args], {
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
    resolve({ part, ok: code === 0, seconds: (performance.now() - begun) / 1000, output });
  });
  return promise;
}

const waiting = [...PARTS];
let passed = 0;
async function worker(): Promise<void> {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const { ok, seconds, output } = await run(part);
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${part.name.padEnd(18)} ${seconds.toFixed(1)} s`);
    if (ok) passed++;
    else console.log(output.trimEnd().replace(/^/gm, '     '));
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
console.log(`check: ${passed} passed, ${PARTS.length - passed} failed`);
process.exitCode = passed === PARTS.length ? 0 : 1;
