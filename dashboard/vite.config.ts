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

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the same files work behind any path prefix; the service makes those of index.html absolute.
  base: './',
  publicDir: false,
  plugins: [react(), placeholders],
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 2048,
    target: 'es2023',
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
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
