import './theme/mantine-door.css';
import './theme/fonts.css';
import './theme/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client.ts';
import { App } from './app/app.tsx';
import { PartMissing } from './app/load-part.ts';
import { createQueryClient } from './app/query-client.ts';
import { createAppRouter } from './app/router.tsx';
import { STYLE_NONCE } from './app/served.ts';
import { signInFor } from './pages/sign-in/place-of.ts';

// Read by react-remove-scroll (drawers, dialogs), whose styles the browser would refuse otherwise.
Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });

const queries = createQueryClient(() => {
  const { status, location } = router.state;
  // While a page is being opened, its guard sees to it.
  if (status === 'pending' || location.pathname === '/sign-in' || location.pathname === '/set-up') return;
  void router.navigate({ ...signInFor(location), replace: true }).then(() => queries.clear());
});
const router = createAppRouter(queries);

createRoot(document.getElementById('root')!, {
  // What the service refuses is shown on the page; only our own bugs belong to the console.
  onCaughtError: (error) => {
    if (!(error instanceof ApiError || error instanceof PartMissing)) console.error(error);
  },
}).render(
  <StrictMode>
    <App queries={queries} router={router} />
  </StrictMode>,
);
