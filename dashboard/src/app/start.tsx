import '../theme/mantine.css';
import '../theme/global.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api/client.ts';
import { cssVariables } from '../theme/css-variables.ts';
import { colorSchemeManager, theme } from '../theme/theme.ts';
import { ChunkLoadError } from './lazy.ts';
import { STYLE_NONCE } from './page-config.ts';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { signInLink } from './urls.ts';

interface AppProps {
  readonly queries: QueryClient;
  readonly router: ReturnType<typeof createAppRouter>;
}

function App({ queries, router }: AppProps) {
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        getStyleNonce={() => STYLE_NONCE}
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}

/** Renders the dashboard. The language must be set. */
export function start(): void {
  // Read by react-remove-scroll (drawers, dialogs), whose styles the browser would refuse otherwise.
  Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });

  const queries = createQueryClient(() => {
    const { status, location } = router.state;
    // While a page is being opened, its `beforeLoad` redirects to sign-in.
    if (status === 'pending' || location.pathname === '/sign-in' || location.pathname === '/set-up') return;
    void router.navigate({ ...signInLink(location), replace: true }).then(() => queries.clear());
  });
  const router = createAppRouter(queries);

  createRoot(document.getElementById('root')!, {
    // Refusals of the service are shown on the page. Only our own bugs are written to the console.
    onCaughtError: (error) => {
      if (!(error instanceof ApiError || error instanceof ChunkLoadError)) console.error(error);
    },
  }).render(
    <StrictMode>
      <App queries={queries} router={router} />
    </StrictMode>,
  );
}
