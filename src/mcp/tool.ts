import type { TObject } from 'typebox';
import type { ApiCall, ApiReply } from '../ports/api.ts';
import { bodyParser, type JsonObject } from '../wire/schema/body-parser.ts';
import type { Problems } from '../wire/schema/problems.ts';
import { invalidArguments, type ToolResult } from './tool-result.ts';

/** Calls the API of one service for one caller. Rejects if the service cannot be reached, or with the reason of `signal`. */
export type CallService = (call: Omit<ApiCall, 'key' | 'remoteAddress'>) => Promise<ApiReply>;

/** What a tool gets with each call. */
export interface ToolCall {
  readonly callService: CallService;
  /** Aborts when the caller has cancelled the call. */
  readonly signal: AbortSignal;
  /**
   * Tells how far the work is; without effect if the caller has not asked for it. Must grow from one call to the next.
   * @param total null: not known
   */
  readonly progress: (done: number, total: number | null, message: string) => void;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: TObject;
  /** Hints for clients: whether the tool changes anything, may destroy something, and reaches other sites. */
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly openWorldHint: boolean;
  };
  /** Rejects only if the service cannot be reached, or if the call was cancelled. */
  readonly run: (args: unknown, call: ToolCall) => Promise<ToolResult>;
}

interface ToolDefinition<T> extends Omit<Tool, 'run'> {
  /** Reads the arguments, which fit the schema; may add problems. */
  readonly read: (args: JsonObject, problems: Problems) => T;
  readonly run: (args: T, call: ToolCall) => Promise<ToolResult>;
}

/** A tool that checks its arguments before it runs. */
export function tool<T>({ read, run, ...description }: ToolDefinition<T>): Tool {
  const parse = bodyParser(description.inputSchema, read);
  return {
    ...description,
    run: async (args, call) => {
      const parsed = parse(args);
      return parsed.problems === null ? run(parsed.value, call) : invalidArguments(parsed.problems);
    },
  };
}
