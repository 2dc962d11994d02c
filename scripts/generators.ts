import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The scripts that write files from a source elsewhere in the repository, found by name: generate-*.ts and dump-*.ts.
 * Each takes `--check`: then it writes nothing, and fails when what is committed differs.
 */
export function generators(): readonly string[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => /^(generate|dump)-[a-z-]+\.ts$/.test(name))
    .sort()
    .map((name) => join(import.meta.dirname, name));
}
