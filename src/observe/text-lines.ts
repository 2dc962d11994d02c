import type { DestinationStream } from 'pino';

/** Members that the line begins with, or that mean nothing to a person at a terminal. */
const LEFT_OUT = new Set(['level', 'time', 'msg', 'err', 'request_id', 'user_id', 'key_id', 'timing']);

/** JSON lines of the log as people read them: `12:03:04 info scrape  host=example.com outcome=ok …`. */
export function textLines(output: DestinationStream): DestinationStream {
  return { write: (line: string) => output.write(`${textOf(line)}\n`) };
}

/** @param line one JSON object */
export function textOf(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const facts = Object.entries(rest)
    .filter(([name, value]) => value !== null && !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${shown(value)}`);
  const head = `${timeOf(time)} ${String(level).padEnd(5)} ${String(msg ?? '')}`;
  return [head, ...facts, ...errorOf(err)].join(' ');
}

/** Local time of day. */
function timeOf(time: unknown): string {
  const at = new Date(String(time));
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

function errorOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { message, stack } = error as { message?: unknown; stack?: unknown };
  return [`error=${shown(String(message ?? ''))}`, ...(typeof stack === 'string' ? [`\n${stack}`] : [])];
}
