import { cpus, release, type } from 'node:os';

/** Date, machine and command, for the top of every report. */
export function provenance(command: string): string {
  const all = cpus();
  return [
    `Date: ${new Date().toISOString().slice(0, 10)}. Node ${process.version}, ${type()} ${release()}, `,
    `${all.length} × ${all[0]?.model.trim() ?? 'unknown processor'}. Command: \`${command}\`.`,
  ].join('');
}

/** A Markdown table; the first column is aligned left, all others right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, n) => (n === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
export const fixed = (value: number, digits = 2): string => value.toFixed(digits);
