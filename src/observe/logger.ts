import { type DestinationStream, type Logger, pino } from 'pino';
import { openLineOutput } from './line-output.ts';

const HIDDEN = '[redacted]';

const API_KEY = /slc_live_([0-9A-Za-z]{12})[0-9A-Za-z]+/g;
/** `user:password@` of a URL: the last @ before the path ends it. */
const URL_CREDENTIALS = /(:\/\/)[^\s/?#"']*@/g;

/** A text without what must not stand in a log: API keys of our making and credentials in URLs. */
function scrubText(text: string): string {
  const clean = text.includes('slc_live_') ? text.replace(API_KEY, `slc_live_$1${HIDDEN}`) : text;
  return clean.includes('@') ? clean.replace(URL_CREDENTIALS, `$1${HIDDEN}@`) : clean;
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

/** Header fields (an object, or a list of pairs) with the values of secret ones hidden. */
function redactHeaders(headers: unknown): unknown {
  if (Array.isArray(headers)) {
    return headers.map((pair) =>
      Array.isArray(pair) ? [pair[0], hideIfSecret(String(pair[0]), pair[1])] : HIDDEN,
    );
  }
  if (typeof headers !== 'object' || headers === null) return HIDDEN;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, hideIfSecret(name, value)]),
  );
}

function hideIfSecret(name: string, value: unknown): unknown {
  return SECRET_HEADERS.has(name.toLowerCase())
    ? HIDDEN
    : typeof value === 'string'
      ? scrubText(value)
      : value;
}

/** What may be told of an error, with up to three causes: nothing but name, code, message and stack. */
function describeError(error: unknown, depth = 3): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? scrubText(error) : HIDDEN;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: scrubText(error.message),
    stack: scrubText(error.stack ?? ''),
    ...(error.cause !== undefined && depth > 0 ? { cause: describeError(error.cause, depth - 1) } : {}),
  };
}

const hide = (): string => HIDDEN;

/** By the name of the member; the logger applies them, so that no caller has to think of it. */
const SERIALIZERS: Readonly<Record<string, (value: never) => unknown>> = {
  authorization: hide,
  cookie: hide,
  cookies: hide,
  set_cookie: hide,
  key: hide,
  api_key: hide,
  password: hide,
  secret: hide,
  token: hide,
  headers: redactHeaders,
  request_headers: redactHeaders,
  err: (error: unknown) => describeError(error),
  error: (error: unknown) => describeError(error),
  url: (url: unknown) => scrubText(String(url)),
  msg: (text: unknown) => (typeof text === 'string' ? scrubText(text) : text),
};

/** Members that the line begins with, or that mean nothing to a person at a terminal. */
const OMITTED_MEMBERS = new Set(['level', 'time', 'msg', 'err', 'request_id', 'user_id', 'key_id', 'timing']);

/** JSON lines of the log as people read them: `12:03:04 info scrape  host=example.com outcome=ok …`. */
function textLines(output: DestinationStream): DestinationStream {
  return { write: (line: string) => output.write(`${formatLine(line)}\n`) };
}

/** @param line one JSON object */
function formatLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const facts = Object.entries(rest)
    .filter(([name, value]) => value !== null && !OMITTED_MEMBERS.has(name))
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const head = `${formatTime(time)} ${String(level).padEnd(5)} ${String(msg ?? '')}`;
  return [head, ...facts, ...formatError(err)].join(' ');
}

/** Local time of day. */
function formatTime(time: unknown): string {
  const at = new Date(String(time));
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

function formatError(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { message, stack } = error as { message?: unknown; stack?: unknown };
  return [
    `error=${formatValue(String(message ?? ''))}`,
    ...(typeof stack === 'string' ? [`\n${stack}`] : []),
  ];
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
export type { Logger } from 'pino';

export interface Logging {
  readonly logger: Logger;
  /**
   * A line at info whose members are JSON text already (`"a":1,"b":"x"`), nothing in them secret: for what is told of
   * every scrape.
   */
  infoLine(members: string, msg: string): void;
  /** Lines thrown away because the reader of the log is too slow, or the medium failed. */
  dropped(): number;
  /** Writes what is waiting, for at most `ms`. The destination stays open: the process may still say something. */
  flush(ms: number): Promise<void>;
}

/**
 * One line an event: JSON, or text for people. Writing never waits: lines are gathered, and a thread of the pool writes them to the
 * descriptor. With a `destination` (tests) each line goes there as it is made.
 */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
  /** Descriptor to write to; default 1, stdout. */
  readonly fd?: number;
  /** Default: JSON. */
  readonly format?: 'json' | 'text';
}): Logging {
  const output = options.destination === undefined ? openLineOutput(options.fd ?? 1) : null;
  const given: DestinationStream = output ?? options.destination!;
  const destination = options.format === 'text' ? textLines(given) : given;
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: timeMember,
      formatters: { level: (label) => ({ level: label }) },
      serializers: SERIALIZERS as Record<string, (value: unknown) => unknown>,
    },
    destination,
  );
  return {
    logger,
    infoLine(members, msg) {
      if (logger.isLevelEnabled('info'))
        destination.write(`{"level":"info"${timeMember()},${members},"msg":"${msg}"}\n`);
    },
    dropped: () => output?.dropped() ?? 0,
    flush: (ms) => output?.flush(ms) ?? Promise.resolve(),
  };
}

let lastMs = 0;
let lastText = '';

/** RFC 3339, made once a millisecond. */
function timeMember(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastText;
}

/** Changes of users, keys and limits. */
interface AuditLine {
  readonly action: string;
  /** null: the operator at the command line, or at start. */
  readonly actorUserId: string | null;
  readonly actorKeyId: string | null;
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly changed: readonly string[];
  readonly ip?: string;
}

/** A line at info for each change. */
export function auditLog({ logger }: Pick<Logging, 'logger'>): (line: AuditLine) => void {
  return ({ action, actorUserId, actorKeyId, userId, keyId, changed, ip }) =>
    logger.info(
      {
        action,
        actor_user_id: actorUserId,
        actor_key_id: actorKeyId,
        user_id: userId,
        key_id: keyId,
        changed,
        ...(ip === undefined ? {} : { ip }),
      },
      'audit',
    );
}
