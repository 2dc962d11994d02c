/**
 * Limits how much pages that disturb others slow them down. The means depend on the operating system: `LinuxPageGovernor` is
 * for Linux, `NO_PAGE_GOVERNOR` does nothing.
 */
export interface PageGovernor {
  /** Whether pages of this user and host belong in the separate browser for pages that disturb others. */
  isQuarantined(userId: string, host: string): boolean;
  /** Call it when a page of this user and host has disturbed others. @returns false: they were quarantined already */
  quarantine(userId: string, host: string): boolean;
  /** Gives all processes of a browser a lower priority than other browsers have. @param pid of its main process */
  lowerBrowser(pid: number): void;
  /**
   * Lowers the priority of pages that use the CPU for long. Ends when the result is disposed.
   * @param pid of the browser's main process
   * @param onSaturated called repeatedly while such pages use all processors
   */
  watchPages(pid: number, onSaturated: () => void): Disposable;
}

/** For operating systems other than Linux. */
export const NO_PAGE_GOVERNOR: PageGovernor = {
  isQuarantined: () => false,
  quarantine: () => false,
  lowerBrowser: () => {},
  watchPages: () => ({ [Symbol.dispose]() {} }),
};
