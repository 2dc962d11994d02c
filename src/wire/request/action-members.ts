import { type TObject, type TProperties, Type } from 'typebox';
import { closed, placeholder } from '../schema/build.ts';
import { shorthandFor } from '../schema/notes.ts';

const opt = Type.Optional;

export const Text = Type.String({ maxLength: 100_000 });
export const Script = Type.String({
  minLength: 1,
  maxLength: 100_000,
  description:
    'An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both.',
});
export const Arg = Type.Unknown({ description: 'A JSON value, available to the script as `arg`.' });
export const Name = Type.String({ minLength: 1, maxLength: 64 });
export const Ms = Type.Number({ minimum: 0, maximum: 60_000 });
export const Glob = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either.',
});
export const Status = Type.Integer({ minimum: 100, maximum: 599 });
export const LoadState = Type.Enum([
  'load',
  'domcontentloaded',
  'networkidle',
  'commit',
  'networkidle0',
  'networkidle2',
  'complete',
]);

export const branch = (description: string) =>
  Type.Array(placeholder<Readonly<Record<string, unknown>>>('PageAction', 'object'), { description });

const timeout = (description: string, byDefault?: number) => ({
  timeout_ms: opt(
    Type.Number({
      minimum: 1,
      maximum: 300_000,
      description,
      ...(byDefault === undefined ? {} : { default: byDefault }),
    }),
  ),
});

/** Every action may have these. */
const COMMON = {
  on_error: opt(
    Type.Enum(['stop', 'continue', 'fail'], {
      default: 'stop',
      description:
        'What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.',
    }),
  ),
  id: opt(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A name of your choice, repeated in the result of the action.',
    }),
  ),
  optional: opt(
    Type.Boolean({
      default: false,
      description:
        'If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.',
    }),
  ),
  wait_after_ms: opt(
    Type.Number({ minimum: 0, maximum: 60_000, default: 0, description: 'Pause after the action.' }),
  ),
};

const FRAME = {
  frame: opt(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Selector of an iframe. The other selectors of the action then apply inside it.',
    }),
  ),
};

export interface ActionKind {
  /** The member that the value of the one-key shorthand stands for; null: the shorthand has no value. */
  readonly main: string | null;
  readonly schema: TObject;
  /** Of each of these groups of members exactly one must be given; a group's members go together. */
  readonly oneOf: readonly (readonly string[])[];
  /** `timeout_ms` when it is not given. */
  readonly timeoutMs: number | null;
}

interface More {
  readonly oneOf?: readonly (readonly string[])[];
  /** false: the page as a whole, which has no frame. */
  readonly frame?: boolean;
  /** What `timeout_ms` means, where it is not 5,000 ms for all of it. */
  readonly timeout?: string;
}

export const DEFAULT_TIMEOUT_MS = 5000;

export function kind(
  type: string,
  description: string,
  main: string | null,
  members: TProperties,
  { oneOf = [], frame = true, timeout: words }: More = {},
): readonly [string, ActionKind] {
  const title = `${type.replace(/(^|_)([a-z])/g, (_all, _bar, letter: string) => letter.toUpperCase())}Action`;
  const schema = closed(
    {
      type: Type.Literal(type),
      ...members,
      ...(words === undefined ? timeout('Time limit for the action.', DEFAULT_TIMEOUT_MS) : timeout(words)),
      ...COMMON,
      ...(frame ? FRAME : {}),
    },
    { title, description, ...(main === null ? {} : shorthandFor(main)) },
  );
  return [type, { main, schema, oneOf, timeoutMs: words === undefined ? DEFAULT_TIMEOUT_MS : null }];
}
