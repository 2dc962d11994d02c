import { parentPort } from 'node:worker_threads';
import { type ErrorNote, noteOf } from './sqlite-errors.ts';

/** `[call, kind, ...arguments]` to the thread, `[call, error, result]` back; call 0 is a line for the log. */
export type Request = readonly [call: number, kind: string, ...args: unknown[]];
export type Reply = readonly [call: number, error: ErrorNote | null, result: unknown];

/** A thread's handlers by kind; what they throw goes back as the error. After `close` the thread ends. */
export function serve(handlers: Readonly<Record<string, (...args: never[]) => unknown>>): void {
  const port = parentPort!;
  port.on('message', ([call, kind, ...args]: Request) => {
    let reply: Reply;
    try {
      reply = [call, null, handlers[kind]!(...(args as never[]))];
    } catch (error) {
      reply = [call, noteOf(error), null];
    }
    port.postMessage(reply);
    if (kind === 'close') port.close();
  });
}

export function logLine(event: string, fields: Record<string, unknown>): void {
  parentPort!.postMessage([0, null, [event, fields]] satisfies Reply);
}
