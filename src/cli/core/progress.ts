/** A job of the API, as far as the command line shows it. */
export interface JobView {
  readonly id: string;
  readonly state: 'queued' | 'running' | 'paused' | 'done' | 'cancelled' | 'failed';
  readonly pause: { readonly reason: string; readonly resumes_at: string | null } | null;
  readonly counts: {
    readonly found: number;
    readonly queued: number;
    readonly running: number;
    readonly ok: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly rate_per_s: number | null;
  readonly eta_s: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const BAR_COLUMNS = 24;

/**
 * The line that shows how far a job is: bar, items that have ended and all, failed, rate, time left.
 * @param columns of the terminal; the line is one shorter, because some terminals wrap a full line
 */
export function progressLine(job: JobView, columns: number): string {
  const { found, ok, failed, skipped } = job.counts;
  const ended = ok + failed + skipped;
  const filled = found === 0 ? 0 : Math.floor((ended / found) * BAR_COLUMNS);
  const parts = [
    `[${'#'.repeat(filled)}${'-'.repeat(BAR_COLUMNS - filled)}] ${ended}/${found}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(job.rate_per_s === null ? [] : [`${job.rate_per_s}/s`]),
    ...(job.eta_s === null ? [] : [`${duration(job.eta_s)} left`]),
    ...(job.state === 'running' ? [] : [job.pause === null ? job.state : pauseText(job.pause)]),
  ];
  return parts.join('  ').slice(0, Math.max(0, columns - 1));
}

/** 3725 → `1:02:05` */
function duration(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const padded = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${padded(m)}:${padded(s)}` : `${m}:${padded(s)}`;
}

/** Why a job is paused, and until when. */
export const pauseText = ({ reason, resumes_at }: NonNullable<JobView['pause']>): string =>
  `paused (${reason})${resumes_at === null ? '' : ` until ${resumes_at}`}`;

/** What a job has come to. */
export function summaryLine({ id, state, counts, error }: JobView): string {
  const numbers = (['ok', 'failed', 'skipped', 'queued'] as const)
    .filter((name) => name === 'ok' || counts[name] > 0)
    .map((name) => `${counts[name]} ${name}`);
  const why = error === null ? '' : `; ${error.code}: ${error.message}`;
  return `job ${id}: ${state}, ${numbers.join(', ')}${why}`;
}

/** A line at the bottom of the terminal that is rewritten. On anything but a terminal it shows nothing. */
export interface StatusLine {
  /** @param text makes the line for a terminal with this many columns */
  show(text: (columns: number) => string): void;
  /** Removes the line, so that other lines can be printed. */
  hide(): void;
}

const ERASE_LINE = '\r\u001b[2K';

export function createStatusLine(stream: NodeJS.WriteStream): StatusLine {
  if (!stream.isTTY) return { show() {}, hide() {} };
  let isShown = false;
  return {
    show(text) {
      stream.write(ERASE_LINE + text(stream.columns || 80));
      isShown = true;
    },
    hide() {
      if (isShown) stream.write(ERASE_LINE);
      isShown = false;
    },
  };
}
