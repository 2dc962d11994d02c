import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { colorSchemeManager } from '../theme/color-scheme.ts';
import { cssVariables } from '../theme/css-variables.ts';
import { theme } from '../theme/theme.ts';
import type { createAppRouter } from './router.tsx';
import { STYLE_NONCE } from './served.ts';

interface AppProps {
  readonly queries: QueryClient;
  readonly router: ReturnType<typeof createAppRouter>;
}

export function App({ queries, router }: AppProps) {
  return (
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
  );
}
