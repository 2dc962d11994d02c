import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Paths of the scripts that generate committed files, found by name: generate-*.ts and dump-*.ts. With `--check` each of
 * them writes nothing, and fails if the committed file differs from what it would write.
 */
export function generators(): readonly string[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => /^(generate|dump)-[a-z-]+\.ts$/.test(name))
    .sort()
    .map((name) => join(import.meta.dirname, name));
}
