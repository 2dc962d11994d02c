import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` serves the API; only the development server asks it. */
const service = process.env.SLUICE_DEV_SERVICE ?? 'http://127.0.0.1:8080';

/** What the service writes into the page when it answers, for the development server. */
const placeholders: Plugin = {
  name: 'placeholders',
  apply: 'serve',
  transformIndexHtml: (html) => html.replaceAll('__BASE_PATH__', '').replaceAll('__NONCE__', ''),
};

/** Fails the build if a component of Mantine is used whose styles are not in `theme/mantine.css` or `theme/mantine-radio.css`. */
const mantineStyles: Plugin = {
  name: 'mantine-styles',
  apply: 'build',
  generateBundle(_options, bundle) {
    const imported = ['mantine.css', 'mantine-radio.css']
      .map((file) => readFileSync(join(import.meta.dirname, 'src/theme', file), 'utf8'))
      .join('');
    const modules = Object.values(bundle).flatMap((chunk) =>
      chunk.type === 'chunk' ? Object.keys(chunk.modules) : [],
    );
    const missing = modules
      .map((module) => /@mantine\/core\/.*\/(\w+)\.module\.[\w.]+$/.exec(module)?.[1])
      .filter((name) => name !== undefined && !imported.includes(`/${name}.layer.css"`));
    if (missing.length > 0) this.error(`theme/mantine.css lacks the styles of ${missing.join(', ')}`);
  },
};

/** Fails the build if modules of the app would be evaluated with main.tsx, before the language is set: the page would stay blank. */
const languageFirst: Plugin = {
  name: 'language-first',
  apply: 'build',
  generateBundle(_options, bundle) {
    const files = new Set<string>();
    const add = (file: string): void => {
      const chunk = bundle[file];
      if (chunk?.type !== 'chunk' || files.has(file)) return;
      files.add(file);
      chunk.imports.forEach(add);
      const early = Object.keys(chunk.modules).find((module) => /\/src\/(?!main\.tsx|i18n\/)/.test(module));
      if (early !== undefined) this.error(`${early} would be evaluated before the language is set`);
    };
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk' && chunk.isEntry) add(chunk.fileName);
  },
};

/** Lets the page load the modules of the app at once: main.tsx imports them only when the language is set. */
const preloadApp: Plugin = {
  name: 'preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const scripts = new Set<string>();
      const styles = new Set<string>();
      const add = (file: string): void => {
        const chunk = bundle[file];
        if (chunk?.type !== 'chunk' || scripts.has(file)) return;
        scripts.add(file);
        for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
        chunk.imports.forEach(add);
      };
      const app = Object.values(bundle).find(
        (chunk) => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('/src/app/start.tsx'),
      );
      if (app !== undefined) add(app.fileName);
      const link = (rel: string, file: string) => ({
        tag: 'link',
        attrs: { rel, crossorigin: true, href: `./${file}`, nonce: '__NONCE__' },
      });
      return [
        ...[...scripts].map((file) => link('modulepreload', file)),
        ...[...styles].map((file) => link('stylesheet', file)),
      ];
    },
  },
};

/** What the first page does not show: menus, choices and dialogs. */
const MENUS =
  /@floating-ui|\/components\/(?:Popover|Menu|Combobox|Select|Autocomplete|Modal|ModalBase|Drawer|ScrollArea|Overlay|FocusTrap|Textarea|Switch|Checkbox)\/|use-focus-trap|use-focus-return|use-click-outside|\/InlineInput\/|\/utils\/Floating\/|\/ui\/(?:row-menu|export-menu|dialog)\./;

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the same files work behind any path prefix; the service makes those of index.html absolute.
  base: './',
  publicDir: false,
  plugins: [
    lingui({
      configPath: join(import.meta.dirname, 'lingui.config.ts'),
      // English has no catalog: its texts stay in the source.
      macroTransform: {
        macro: {
          descriptorFields: 'message',
          runtimeModules: { Trans: [join(import.meta.dirname, 'src/i18n/trans.tsx'), 'Trans'] },
        },
      },
    }),
    react(),
    placeholders,
    mantineStyles,
    languageFirst,
    preloadApp,
  ],
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 2048,
    target: 'es2023',
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Without groups, each module that two pages share becomes a file, and the first page loads sixty. The group `base`
        // has the small modules that many pages need, `shared` the others, apart by the pages that need them.
        codeSplitting: {
          groups: [
            // What main.tsx needs before any module of the app may be evaluated.
            {
              name: 'language',
              priority: 4,
              test: /@lingui\/core|vite\/preload-helper|\/src\/i18n\/languages\./,
            },
            // With the router, whose classes would be in one of two files that need each other, and one small module that only the
            // first pages and the playground share.
            {
              name: 'react',
              priority: 3,
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core))\/|\/Box\/get-style-object\//,
            },
            // Of the first page too. As a part of `shared`, it would bring the other modules there along.
            { name: 'header', priority: 3, test: /\/ui\/page-header\./ },
            // Of many pages, but not of the first.
            { name: 'form', priority: 2, test: /@mantine\/form|klona/ },
            { name: 'menu', test: MENUS },
            // The page of sign-in needs it, and nothing else of `shared`.
            { name: 'password', test: /\/PasswordInput\// },
            // Small parts of pages are not for all: with them come the fields that they use.
            {
              name: 'base',
              priority: 1,
              minShareCount: 4,
              maxModuleSize: 6_000,
              test: (module) => !module.includes('/src/pages/') && !MENUS.test(module),
            },
            {
              name: 'shared',
              minShareCount: 4,
              entriesAware: true,
              entriesAwareMergeThreshold: 120_000,
              // They would be merged with small modules that the first page needs.
              test: /^(?!.*(?:NumberInput|react-number-format|\/Select\/))/,
            },
          ],
        },
        // The names of groups would have all pages in them.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The service takes unsafe calls from its own origin only.
    proxy: Object.fromEntries(
      ['/api', '/docs'].map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: service } },
      ]),
    ),
  },
});
