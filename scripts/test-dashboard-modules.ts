/**
 * Loaded by scripts/test.ts into test processes that import modules of the dashboard: replaces the macros of Lingui in
 * them, as the bundler does, and sets the language to English.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { i18n } from '@lingui/core';
import { transform } from '@lingui/native-tools';

const folder = join(import.meta.dirname, '../dashboard/src');
/** By the URL of the module. Only .ts: Node runs no JSX. */
const sources = new Map<string, string>();
await Promise.all(
  globSync('**/*.ts', { cwd: folder }).map(async (name) => {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes("'@lingui/core/macro'")) return;
    const { code } = await transform(text, name, {
      sourceMaps: 'inline',
      macro: { descriptorFields: 'message' },
    });
    sources.set(pathToFileURL(file).href, code);
  }),
);
registerHooks({
  load(url, context, next) {
    const source = sources.get(url);
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
i18n.loadAndActivate({ locale: 'en', messages: {} });
