import type { CommandContext, RunCommand } from '../core/command.ts';
import { remoteOf } from '../core/connect.ts';
import { forTerminal, styled } from '../core/output.ts';
import { type Finding, fail, ok } from './doctor-finding.ts';
import { checkClock, checkDataFolder, checkDisk, checkNode, checkPort } from './doctor-machine.ts';
import { checkRemote } from './doctor-remote.ts';
import { checkScrapes } from './doctor-scrapes.ts';

/** Checks this machine and the configuration, and a service elsewhere if commands use one. */
export const doctor: RunCommand = async (call, io) => {
  let failed = false;
  for await (const finding of findings(io, () => remoteOf(io, call))) {
    failed ||= finding.state === 'fail';
    io.out(call.flags.has('json') ? JSON.stringify(finding) : findingText(finding));
  }
  return failed ? 1 : 0;
};

async function* findings(io: CommandContext, remote: () => ReturnType<typeof remoteOf>) {
  yield checkNode();
  const problems = await io.settingsProblems();
  if (problems.length > 0) {
    yield fail('configuration', problems.join('; '), 'Change these variables; see docs/configuration.md.');
    return;
  }
  const config = io.config();
  const proxies = config.proxiesFile === null ? 'no proxies file' : `proxies of ${config.proxiesFile}`;
  yield ok('configuration', `valid, ${proxies}`);
  yield* checkRemote(remote);
  yield await checkDataFolder(config);
  yield await checkDisk(config);
  yield await checkClock(config);
  yield await checkPort(config);
  yield* checkScrapes(io);
}

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const NAME_COLUMNS = 13;

function findingText({ check, state, text, advice }: Finding): string {
  const head = `${styled(COLOURS[state], state.padEnd(4), process.stdout)}  ${check.padEnd(NAME_COLUMNS)}  `;
  const indent = ' '.repeat(6 + NAME_COLUMNS + 2);
  const lines = [
    forTerminal(text).replaceAll('\n', `\n${indent}`),
    ...(advice === null ? [] : [`→ ${advice}`]),
  ];
  return head + lines.join(`\n${indent}`);
}
