import { CommandError, type CommandSpec, type RunCommand, WRONG_USAGE } from '../core/command.ts';
import { bashScript, type Completed, fishScript, zshScript } from '../core/completion-scripts.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const completion: RunCommand = async ({ words }, { commands, out }) => {
  const shell = words[0]!;
  if (!Object.hasOwn(SCRIPTS, shell))
    throw new CommandError(`completion is for bash, zsh and fish; got "${shell}"`, WRONG_USAGE);
  const completed = (await Promise.all(commands.map((spec) => completedOf(spec)))).flat();
  out(SCRIPTS[shell as keyof typeof SCRIPTS](commands, completed));
  return 0;
};

async function completedOf(spec: CommandSpec, parent = ''): Promise<Completed[]> {
  const { name, summary, verbs = [], flags = [], members, words = [] } = spec;
  const path = parent === '' ? name : `${parent} ${name}`;
  const ofRequest = members === undefined ? [] : await members.names();
  const known = new Set(flags.map((flag) => flag.name));
  const options = [
    ...flags.flatMap(({ name: flag, short, value, choices = [], doc }) =>
      [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])].map((option) => ({
        name: option,
        doc: firstSentence(doc),
        hasValue: value !== undefined,
        choices,
        isFile: value?.includes('FILE') === true,
      })),
    ),
    ...ofRequest
      .filter(
        (member, index) =>
          !known.has(member.name) && ofRequest.findIndex((one) => one.name === member.name) === index,
      )
      .map((member) => ({
        name: `--${member.name}`,
        doc: 'member of the request',
        hasValue: true,
        choices: member.choices,
        isFile: false,
      })),
    { name: '--help', doc: 'explains the command', hasValue: false, choices: [], isFile: false },
  ];
  const own = { path, summary, verbs, options, takesFiles: words.some((word) => word.includes('FILE')) };
  const ofVerbs = await Promise.all(verbs.map((verb) => completedOf(verb, path)));
  return [own, ...ofVerbs.flat()];
}

const firstSentence = (doc: string): string => doc.split(/[.:;] |\.$/, 1)[0]!;
