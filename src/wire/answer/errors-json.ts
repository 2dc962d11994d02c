import { FAILURES, type Failure, type Source, type Warning, type WarningCode } from '../../domain/failure.ts';

/** Who a notice is about; the table of failures has it for errors. */
export const WARNING_SOURCES: Readonly<Record<WarningCode, Source>> = {
  'proxy.direct': 'proxy',
  'data.on_get': 'request',
  'wait.networkidle_timeout': 'browser',
  'screenshot.clamped': 'browser',
  'egress.blocked': 'service',
  'content.gzip': 'target',
  'charset.replaced': 'target',
  'page.js_shell': 'target',
  'frames.unread': 'target',
  'json_ld.unread': 'target',
  'page.empty': 'target',
  'page.opened': 'browser',
  'page.download': 'browser',
  'robots.disallowed': 'target',
};

/**
 * `errors[]` (contract §4).
 * @param final nothing may be sent again: a method that is sent once may have reached the target
 */
export function errorsJson(errors: readonly Failure[], final: boolean): string {
  if (errors.length === 0) return '[]';
  let text = '[';
  for (let i = 0; i < errors.length; i++) {
    const { code, message, attempt, pointer, details } = errors[i]!;
    const { source, retryable } = FAILURES[code];
    text += `${i === 0 ? '' : ','}{"code":"${code}","message":${JSON.stringify(message)},"level":"error","source":"${source}","retryable":${retryable && !final}`;
    if (attempt !== undefined) text += `,"attempt":${attempt}`;
    text += rest(pointer, details);
  }
  return `${text}]`;
}

/** `router.warnings[]`. */
export function warningsJson(warnings: readonly Warning[]): string {
  if (warnings.length === 0) return '[]';
  let text = '[';
  for (let i = 0; i < warnings.length; i++) {
    const { code, message, pointer, details } = warnings[i]!;
    text += `${i === 0 ? '' : ','}{"code":"${code}","message":${JSON.stringify(message)},"level":"warning","source":"${WARNING_SOURCES[code]}","retryable":false${rest(pointer, details)}`;
  }
  return `${text}]`;
}

function rest(pointer: string | undefined, details: Failure['details']): string {
  const pointing = pointer === undefined ? '' : `,"pointer":${JSON.stringify(pointer)}`;
  return details === undefined ? `${pointing}}` : `${pointing},"details":${JSON.stringify(details)}}`;
}
