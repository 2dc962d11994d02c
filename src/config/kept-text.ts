import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A text in a file only its owner can read. What fails is thrown. */
export interface KeptText {
  /** null: nothing is kept. */
  read(): string | null;
  /** null: nothing is to be kept any more. */
  write(text: string | null): void;
}

export function keptText(file: string): KeptText {
  return {
    read() {
      try {
        return readFileSync(file, 'utf8').trim();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    write(text) {
      if (text === null) {
        rmSync(file, { force: true });
        return;
      }
      // Whole under another name first: the process may be killed, and the disk be full.
      const made = `${file}.${process.pid}`;
      try {
        writeFileSync(made, text, { mode: 0o600 });
        renameSync(made, file);
      } finally {
        rmSync(made, { force: true });
      }
    },
  };
}
