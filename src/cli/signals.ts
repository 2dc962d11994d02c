/** The next SIGTERM or SIGINT. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals = ['SIGTERM', 'SIGINT'] as const;
    const on = (signal: NodeJS.Signals) => {
      for (const one of signals) process.off(one, on);
      resolve(signal);
    };
    for (const one of signals) process.on(one, on);
  });
}

/** Does it at each SIGHUP, which would otherwise end the process, until it is disposed of. */
export function onHangUp(work: () => void): Disposable {
  process.on('SIGHUP', work);
  return { [Symbol.dispose]: () => process.off('SIGHUP', work) };
}
