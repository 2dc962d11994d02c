import { SMALL_BYTES } from '../../base/memory-budget.ts';
import { deadlineUnder } from '../../base/time.ts';
import { sleep } from '../../base/wait.ts';
import { dispositionFileName, isAttachment, safeFileName } from '../../content/charset/file-name.ts';
import { sniffUnknown } from '../../content/charset/mime-sniffing.ts';
import { extractContentType } from '../../content/charset/mime-type.ts';
import {
  type DownloadedFile,
  MAX_DOWNLOADS,
  MAX_FILE_BYTES,
  MAX_FILES_BYTES,
  MAX_UNSTORED_FILES_BYTES,
} from '../../domain/files.ts';
import type { Task } from '../../domain/task.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import { pausedResponseHeaders, type RequestPausedEvent } from '../engine/cdp-session.ts';
import type { FileSaver, SavedFile } from '../engine/file-saver.ts';
import { byteString, withoutUserinfo } from './response.ts';

/** How long a browser may take to begin a download, after a click or after the response. */
const BEGIN_MS = 200;
const POLL_MS = 20;
/** The end of the time of a scrape that is kept back for delivering what was saved. */
const RESERVE_MS = 500;
const MIB = 2 ** 20;

/** What all files of a scrape may have together. */
export const filesLimit = ({ router }: Task): number =>
  router.retain === 'full' ? MAX_FILES_BYTES : MAX_UNSTORED_FILES_BYTES;

/** What the response with a file says about it. */
interface FileFacts {
  /** null: it has no content type. */
  readonly type: string | null;
  /** null: it does not name the file. */
  readonly name: string | null;
}

/** The requests for files, from a page and its frames, and what their responses say. */
export class DownloadRequests {
  /** By URL without credentials. */
  readonly facts = new Map<string, FileFacts>();
  /** Requests whose download has not begun yet, and until when it is waited for; infinite: the response has not come. */
  readonly #awaited = new Map<string, number>();

  /** A request has no `networkId` if a page asks for a file (`<a download>`). @param event of `Fetch.requestPaused` */
  onPaused(event: RequestPausedEvent): void {
    const { requestId, redirectedRequestId, networkId, responseStatusCode, responseErrorReason } = event;
    const isAnswered = responseStatusCode !== undefined || responseErrorReason !== undefined;
    if (responseStatusCode !== undefined) this.#setFacts(event);
    if (networkId !== undefined) return;
    if (redirectedRequestId !== undefined) this.#awaited.delete(redirectedRequestId);
    this.#awaited.set(requestId, isAnswered ? performance.now() + BEGIN_MS : Number.POSITIVE_INFINITY);
  }

  #setFacts(event: RequestPausedEvent): void {
    const headers = pausedResponseHeaders(event).map(([name, value]) => [name, byteString(value)] as const);
    if (event.networkId !== undefined && !isAttachment(headers)) return;
    const types = headers.filter(([name]) => name === 'content-type').map(([, value]) => value);
    const type = extractContentType(types)?.essence ?? null;
    this.facts.set(withoutUserinfo(event.request.url), { type, name: dispositionFileName(headers) });
  }

  get isAwaited(): boolean {
    return [...this.#awaited.values()].some((until) => until > performance.now());
  }

  /** A download has begun. */
  begun(): void {
    const [requestId] = this.#awaited.keys();
    if (requestId !== undefined) this.#awaited.delete(requestId);
  }
}

/** The files that a page saves while it stays shown. */
export class Downloads {
  readonly #saver: FileSaver;
  readonly #requests: DownloadRequests;
  readonly #isForbidden: (url: string) => boolean;
  readonly #maxTotalBytes: number;
  /** Why a file is not delivered, by its URL without credentials. */
  readonly #reasons = new Map<string, string>();
  readonly #delivered = new Set<string>();

  constructor(
    saver: FileSaver,
    requests: DownloadRequests,
    isForbidden: (url: string) => boolean,
    maxTotalBytes: number,
  ) {
    this.#saver = saver;
    this.#requests = requests;
    this.#isForbidden = isForbidden;
    this.#maxTotalBytes = maxTotalBytes;
    saver.onBegin = (file) => {
      requests.begun();
      this.#check(file);
    };
    saver.onProgress = (file) => this.#check(file);
  }

  /** Ends a download that may not be delivered. */
  #check(file: SavedFile): void {
    const { files } = this.#saver;
    if (file.state === 'failed') return;
    if (files.indexOf(file) >= MAX_DOWNLOADS) this.#cancel(file, `a page may save ${MAX_DOWNLOADS} files`);
    else if (this.#isForbidden(file.url)) this.#cancel(file, 'its domain is not allowed');
    else if (file.size > MAX_FILE_BYTES) this.#cancel(file, `it is larger than ${MAX_FILE_BYTES / MIB} MiB`);
    else if (this.#keptBytes() > this.#maxTotalBytes) this.#cancel(file, this.#tooMuch());
  }

  /** Bytes of all files that are not given up. */
  #keptBytes(): number {
    return this.#saver.files.reduce((sum, { size, state }) => sum + (state === 'failed' ? 0 : size), 0);
  }

  #cancel(file: SavedFile, reason: string): void {
    this.#reasons.set(withoutUserinfo(file.url), reason);
    this.#saver.cancel(file);
  }

  readonly #tooMuch = (): string =>
    `all files together would have more than ${this.#maxTotalBytes / MIB} MiB`;

  /** The files that are not delivered, by their URLs, and why. @param started URLs of all downloads that are known */
  refused(started: Iterable<string>): ReadonlyMap<string, string> {
    const refused = new Map(this.#reasons);
    for (const url of started)
      if (!this.#delivered.has(url) && !refused.has(url)) refused.set(url, 'it was not received');
    return refused;
  }

  /**
   * Waits for files that are being saved, until shortly before the deadline, and reads those that are complete. Never rejects.
   * @param total bytes of all files of the scrape so far
   * @param since when the last action ended that may have saved a file, by `performance.now()`
   */
  async collect(
    { deadline, reservation }: FetchRequest,
    total: { bytes: number },
    since: number,
    signal: AbortSignal,
  ): Promise<readonly DownloadedFile[]> {
    using time = deadlineUnder(Math.max(0, deadline.remaining() - RESERVE_MS), signal);
    const { files } = this.#saver;
    await sleep(Math.max(0, since + BEGIN_MS - performance.now()), time.signal);
    while (
      (this.#requests.isAwaited || files.some(({ state }) => state === 'saving')) &&
      !time.signal.aborted
    )
      await sleep(POLL_MS, time.signal);
    const delivered: DownloadedFile[] = [];
    for (const file of [...files]) {
      if (file.state === 'saving') this.#cancel(file, 'it was not received in time');
      if (file.state !== 'saved') continue;
      const from = withoutUserinfo(file.url);
      const bytes = await this.#read(file, { reservation, signal, total });
      if (typeof bytes === 'string') {
        this.#reasons.set(from, bytes);
        continue;
      }
      this.#delivered.add(from);
      const facts = this.#requests.facts.get(from);
      delivered.push({
        bytes,
        // Browsers know no names beyond ASCII where the locale of the system is not UTF-8.
        name: facts?.name ?? safeFileName(file.name) ?? 'download',
        type: facts?.type ?? sniffUnknown(bytes, true),
        from,
      });
    }
    return delivered;
  }

  /** The bytes of a file, or why they cannot be delivered. */
  async #read(
    file: SavedFile,
    {
      reservation,
      signal,
      total,
    }: Pick<FetchRequest, 'reservation'> & {
      readonly signal: AbortSignal;
      readonly total: { bytes: number };
    },
  ): Promise<Uint8Array | string> {
    const size = await this.#saver.sizeOnDisk(file);
    if (size === null) return 'it cannot be read';
    if (size > MAX_FILE_BYTES) return `it is larger than ${MAX_FILE_BYTES / MIB} MiB`;
    if (total.bytes + size > this.#maxTotalBytes) return this.#tooMuch();
    const release = size > SMALL_BYTES ? await reservation.reserveTemporarily(size, signal) : () => {};
    if (release === null) return 'the request timed out while it waited for memory';
    try {
      const bytes = await this.#saver.read(file, size);
      if (bytes === null) return 'it cannot be read';
      total.bytes += size;
      reservation.countUnreserved(size);
      reservation.adopt(bytes);
      return bytes;
    } finally {
      release();
    }
  }

  /** Never rejects. */
  stop(): Promise<void> {
    return this.#saver.stop();
  }
}
