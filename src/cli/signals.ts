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
