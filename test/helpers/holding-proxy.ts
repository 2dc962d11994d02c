import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can hold all packets back, as a network that is cut: connections stay open, and nothing comes through. */
export interface HoldingProxy extends AsyncDisposable {
  readonly port: number;
  hold(): void;
  release(): void;
}

/** @param port that it listens on; default: any free one */
export async function startHoldingProxy(targetPort: number, port = 0): Promise<HoldingProxy> {
  let isHeld = false;
  const sockets = new Set<Socket>();
  const onConnected = new Set<() => void>();
  const server = createServer({ pauseOnConnect: true }, (caller) => {
    const open = () => {
      onConnected.delete(open);
      const target = connect(targetPort, '127.0.0.1');
      for (const [socket, other] of [
        [caller, target],
        [target, caller],
      ] as const) {
        sockets.add(socket);
        socket.on('data', (data) => other.write(data));
        socket.on('error', () => {});
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        if (isHeld) socket.pause();
        else socket.resume();
      }
    };
    caller.on('error', () => {});
    if (isHeld) onConnected.add(open);
    else open();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    release() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
      for (const open of [...onConnected]) open();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
