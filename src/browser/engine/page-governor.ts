/**
 * Keeps pages that disturb others from slowing those down. What can be done depends on the operating system: there is one
 * for Linux, and one that does nothing.
 */
export interface PageGovernor {
  /** Whether pages of this user and host belong in a browser of their own, apart from all other pages. */
  isQuarantined(userId: string, host: string): boolean;
  /** A page of this user and host has disturbed others. @returns false when that was known already */
  quarantine(userId: string, host: string): boolean;
  /** Gives all processes of a browser a lower priority than other browsers have. @param pid of its main process */
  lowerBrowser(pid: number): void;
  /**
   * Lowers the priority of pages that use the CPU for long, until it is disposed.
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
