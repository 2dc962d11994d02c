import { VERSION } from '../../base/version.ts';
import type { CommandSpec, Flag, RunCommand } from './command.ts';
import { styled } from './output.ts';
import { findCommand } from './read-words.ts';

/** Columns of help; terminals that are narrower get less. */
const MAX_COLUMNS = 110;
const LEFT_COLUMNS = 22;

/** Of all commands. */
const EXIT_CODES =
  'Exit codes: 0: all went well; 1: something failed; 2: wrong usage, or a request that is not valid; 130: interrupted.';

const bold = (text: string): string => styled('bold', text, process.stdout);

/** The list of commands. */
export function overview(commands: readonly CommandSpec[]): string {
  return [
    `Sluice ${VERSION}: a self-hosted scraping router`,
    '',
    ...commands.map((spec) =>
      row(
        [spec.name, ...(spec.words ?? [])].join(' '),
        spec.verbs === undefined
          ? spec.summary
          : `${spec.summary}: ${spec.verbs.map(({ name }) => name).join(', ')}`,
        'sluice ',
      ),
    ),
    '',
    ...wrapped(EXIT_CODES, 0),
    'sluice COMMAND --help explains a command.',
  ].join('\n');
}

/** @param path the words of the command, such as `['keys', 'create']` */
export function helpOf(spec: CommandSpec, path: readonly string[]): string {
  const name = ['sluice', ...path].join(' ');
  if (spec.verbs !== undefined)
    return [
      `${bold(name)}: ${spec.summary}`,
      ...spec.verbs.flatMap((verb) => ['', ...commandHelp(verb, `${name} ${verb.name}`)]),
      '',
      ...wrapped(EXIT_CODES, 0),
    ].join('\n');
  return [...commandHelp(spec, name), '', ...wrapped(EXIT_CODES, 0)].join('\n');
}

function commandHelp(spec: CommandSpec, name: string): string[] {
  const { words = [], flags = [], members, notes = [], examples = [] } = spec;
  const hasOptions = flags.length > 0 || members !== undefined;
  const usage = [bold(name), ...words, ...(hasOptions ? ['[options]'] : [])].join(' ');
  const options = [
    ...flags.map((flag) => row(flagText(flag), flag.doc)),
    ...(members?.docs ?? []).map(([option, doc]) => row(option, doc)),
  ];
  return [
    usage,
    ...wrapped(`${spec.summary[0]!.toUpperCase()}${spec.summary.slice(1)}.`, 2),
    ...(options.length === 0 ? [] : ['', ...options]),
    ...notes.flatMap((note) => ['', ...wrapped(note, 2)]),
    ...(examples.length === 0 ? [] : ['', '  Examples:', ...examples.map((line) => `    ${line}`)]),
  ];
}

const flagText = ({ name, short, value }: Flag): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

/** An option or a command beside its explanation, or above it if it is long. */
function row(left: string, doc: string, prefix = '  '): string {
  const [first = '', ...rest] = wrapped(doc, prefix.length + LEFT_COLUMNS + 2);
  const isLong = left.length > LEFT_COLUMNS;
  const head = `${prefix}${left.padEnd(LEFT_COLUMNS)}`;
  return [isLong ? `${head}\n${first}` : `${head}  ${first.trimStart()}`, ...rest].join('\n');
}

/** The lines of a text, without breaking words. */
function wrapped(text: string, indent: number): string[] {
  const columns = Math.min(MAX_COLUMNS, process.stdout.columns || MAX_COLUMNS);
  const width = Math.max(30, columns - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one);
}

export const help: RunCommand = async ({ words }, { commands, out }) => {
  if (words.length === 0) out(overview(commands));
  else {
    const { spec, path } = findCommand(commands, [...words, '--help']);
    out(helpOf(spec, path));
  }
  return 0;
};

export const version: RunCommand = async (_call, io) => {
  io.out(VERSION);
  return 0;
};
