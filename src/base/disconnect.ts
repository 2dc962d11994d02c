import type { Writable } from 'node:stream';
import { CLIENT_DISCONNECTED } from './time.ts';

/** A signal that aborts when the client disconnects before it has got the whole response. @param response of node:http */
export function disconnectSignal(response: Writable): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort(CLIENT_DISCONNECTED);
  };
  if (response.closed) onClose();
  else response.once('close', onClose);
  return controller.signal;
}
