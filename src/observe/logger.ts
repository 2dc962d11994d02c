import { type DestinationStream, type Logger, pino } from 'pino';
import type { AuditEvent } from '../domain/audit.ts';
import { openLineOutput } from './line-output.ts';

const REDACTED = '[redacted]';

const API_KEY = /slc_(live|test)_([0-9A-Za-z]{12})[0-9A-Za-z]+/g;
/** `user:password@` in a URL: everything up to the last `@` before the path. */
const URL_CREDENTIALS = /(:\/\/)[^\s/?#"']*@/g;

/** Redacts what must not be logged: API keys of this service and credentials in URLs. */
function redactText(text: string): string {
  const clean = text.includes('slc_') ? text.replace(API_KEY, `slc_$1_$2${REDACTED}`) : text;
  return clean.includes('@') ? clean.replace(URL_CREDENTIALS, `$1${REDACTED}@`) : clean;
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

/** @param headers an object, or a list of pairs */
function redactHeaders(headers: unknown): unknown {
  if (Array.isArray(headers)) {
    return headers.map((pair) =>
      Array.isArray(pair) ? [pair[0], redactIfSecret(String(pair[0]), pair[1])] : REDACTED,
    );
  }
  if (typeof headers !== 'object' || headers === null) return REDACTED;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redactIfSecret(name, value)]),
  );
}

function redactIfSecret(name: string, value: unknown): unknown {
  return SECRET_HEADERS.has(name.toLowerCase())
    ? REDACTED
    : typeof value === 'string'
      ? redactText(value)
      : value;
}

/** The members of an error that may be logged, with up to three causes: name, code, message and stack. */
function describeError(error: unknown, maxCauses = 3): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactText(error) : REDACTED;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...(error.cause !== undefined && maxCauses > 0
      ? { cause: describeError(error.cause, maxCauses - 1) }
      : {}),
  };
}

const redact = (): string => REDACTED;

/** By name of the logged member. The logger applies them to every line, so that callers need not redact anything. */
const SERIALIZERS: Readonly<Record<string, (value: never) => unknown>> = {
  authorization: redact,
  cookie: redact,
  cookies: redact,
  set_cookie: redact,
  key: redact,
  api_key: redact,
  password: redact,
  secret: redact,
  token: redact,
  headers: redactHeaders,
  request_headers: redactHeaders,
  err: (error: unknown) => describeError(error),
  error: (error: unknown) => describeError(error),
  url: (url: unknown) => redactText(String(url)),
  msg: (text: unknown) => (typeof text === 'string' ? redactText(text) : text),
};

/** Members that a text line shows at its beginning or end, or that are of no use to a person at a terminal. */
const OMITTED_MEMBERS = new Set(['level', 'time', 'msg', 'err', 'request_id', 'user_id', 'key_id', 'timing']);

/** Rewrites JSON lines as text for people: `12:03:04 info  scrape host=example.com outcome=ok …`. */
function textLines(output: DestinationStream): DestinationStream {
  return { write: (line: string) => output.write(`${formatLine(line)}\n`) };
}

/** @param line one JSON object */
function formatLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const members = Object.entries(rest)
    .filter(([name, value]) => value !== null && !OMITTED_MEMBERS.has(name))
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const head = `${formatTime(time)} ${String(level).padEnd(5)} ${String(msg ?? '')}`;
  return [head, ...members, ...formatError(err)].join(' ');
}

/** Local time of day. */
function formatTime(time: unknown): string {
  const date = new Date(String(time));
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
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
   * Logs a line at info. `members` is JSON text (`"a":1,"b":"x"`); `msg` must need no escaping. Nothing is redacted. Faster than
   * `logger`, for the line of every scrape.
   */
  infoLine(members: string, msg: string): void;
  /** How many lines were dropped, because the reader is too slow or writing failed. */
  dropped(): number;
  /** Writes pending lines, for at most `ms`. Lines can still be logged afterwards. */
  flush(ms: number): Promise<void>;
}

/**
 * Logs one line per event, as JSON or as text for people. Logging never blocks (see `openLineOutput`), except with a
 * `destination` (for tests), to which each line is written at once.
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
  const lineDestination: DestinationStream = output ?? options.destination!;
  const destination = options.format === 'text' ? textLines(lineDestination) : lineDestination;
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

let timeMemberMs = 0;
let timeMemberText = '';

/** The member `time` (RFC 3339). The text is reused for lines of the same millisecond, because formatting is slow. */
function timeMember(): string {
  const now = Date.now();
  if (now !== timeMemberMs) {
    timeMemberMs = now;
    timeMemberText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return timeMemberText;
}

/** @returns a function that logs a line at info for each event of the audit log, without e-mail addresses */
export function auditLog({ logger }: Pick<Logging, 'logger'>): (event: AuditEvent) => void {
  return ({ action, actor, userId, target, address, details: { email: _, ...details } }) =>
    logger.info(
      {
        action,
        actor_user_id: actor.userId,
        actor_key_id: actor.keyId,
        via: actor.via,
        user_id: userId,
        target,
        ip: address,
        ...details,
      },
      'audit',
    );
}
