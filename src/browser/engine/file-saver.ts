import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import type { PlaywrightPage } from './browser-page.ts';

/** A file that a page of the context saves. */
export interface SavedFile {
  /** Also its name in the folder. */
  readonly guid: string;
  readonly url: string;
  /** As the browser would name it. */
  readonly name: string;
  /** Bytes so far; the whole size, as soon as the browser knows it. */
  size: number;
  state: 'saving' | 'saved' | 'failed';
}

/** The form of the ids that Chromium gives. It is checked, because they become part of a path. */
const GUID = /^[0-9a-f-]{36}$/i;

/** Lets the pages of a context save files, in the folder of the browser. The caller stops it. */
export class FileSaver {
  /** In the order in which they began. */
  readonly files: SavedFile[] = [];
  onBegin: (file: SavedFile) => void = () => {};
  /** Called when more of a file has arrived. */
  onProgress: (file: SavedFile) => void = () => {};
  readonly #session: CDPSession;
  readonly #contextId: string | undefined;
  readonly #folder: string;

  private constructor(session: CDPSession, contextId: string | undefined, folder: string) {
    this.#session = session;
    this.#contextId = contextId;
    this.#folder = folder;
  }

  /** @param folder of the browser, for downloads. Rejects when the browser ends. */
  static async start(
    { context }: PlaywrightPage,
    page: Pick<CDPSession, 'send'>,
    folder: string,
  ): Promise<FileSaver> {
    const { targetInfo } = await page.send('Target.getTargetInfo');
    const session = await context.browser()!.newBrowserCDPSession();
    const saver = new FileSaver(session, targetInfo.browserContextId, folder);
    session.on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      if (!GUID.test(guid)) return;
      const file: SavedFile = { guid, url, name: suggestedFilename, size: 0, state: 'saving' };
      saver.files.push(file);
      saver.onBegin(file);
    });
    session.on('Browser.downloadProgress', ({ guid, totalBytes, receivedBytes, state }) => {
      const file = saver.files.find((one) => one.guid === guid);
      if (file === undefined) return;
      file.size = Math.max(totalBytes, receivedBytes);
      if (state === 'completed') file.state = 'saved';
      else if (state === 'canceled') file.state = 'failed';
      saver.onProgress(file);
    });
    await session.send('Browser.setDownloadBehavior', {
      behavior: 'allowAndName',
      ...saver.#contextOfCommand(),
      downloadPath: folder,
      eventsEnabled: true,
    });
    return saver;
  }

  #contextOfCommand() {
    return this.#contextId === undefined ? {} : { browserContextId: this.#contextId };
  }

  /** Ends a download. Never rejects. */
  cancel(file: SavedFile): void {
    file.state = 'failed';
    this.#session
      .send('Browser.cancelDownload', { guid: file.guid, ...this.#contextOfCommand() })
      .catch(() => {});
  }

  /** Size of a saved file on the disk; null: it cannot be read. */
  async sizeOnDisk(file: SavedFile): Promise<number | null> {
    return await this.#withFile(file, async (handle) => (await handle.stat()).size);
  }

  /** The first `size` bytes of a saved file, in memory of their own; null: it cannot be read, or is shorter. */
  async read(file: SavedFile, size: number): Promise<Uint8Array | null> {
    return await this.#withFile(file, async (handle) => {
      const bytes = new Uint8Array(size);
      let length = 0;
      while (length < size) {
        const { bytesRead } = await handle.read(bytes, length, size - length, length);
        if (bytesRead === 0) return null;
        length += bytesRead;
      }
      return bytes;
    });
  }

  async #withFile<T>(
    { guid }: SavedFile,
    use: (handle: Awaited<ReturnType<typeof open>>) => Promise<T | null>,
  ): Promise<T | null> {
    try {
      // Not through a link: a browser that was taken over could lead to a file of the service.
      await using handle = await open(
        join(this.#folder, guid),
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      );
      return (await handle.stat()).isFile() ? await use(handle) : null;
    } catch {
      return null;
    }
  }

  /** Ends what is still being saved, and removes all files. Never rejects. */
  async stop(): Promise<void> {
    for (const file of this.files) if (file.state === 'saving') this.cancel(file);
    await this.#session.detach().catch(() => {});
    await Promise.all(
      this.files.map(({ guid }) => rm(join(this.#folder, guid), { force: true }).catch(() => {})),
    );
  }
}
