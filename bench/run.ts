/**
 * `npm run bench [-- name [flags]]`. Every benchmark is a file beside this one; a new one adds its line below.
 * Load, target and service are separate processes. Compare figures only with others of the same run.
 */
const BENCHMARKS: Record<string, () => Promise<(flags: readonly string[]) => Promise<void>>> = {
  throughput: async () => (await import('./throughput.ts')).throughput,
  against: async () => (await import('./against.ts')).against,
  tests: async () => (await import('./tests.ts')).tests,
  quick: async () => (await import('./throughput.ts')).quick,
  memory: async () => (await import('./memory.ts')).memory,
  history: async () => (await import('./history.ts')).history,
  start: async () => (await import('./start.ts')).start,
  assess: async () => (await import('./assess.ts')).assessing,
  browser: async () => (await import('./browser.ts')).browser,
  impersonate: async () => (await import('./impersonate.ts')).impersonate,
  proxies: async () => (await import('./proxies.ts')).proxies,
  routing: async () => (await import('./routing.ts')).routing,
  reading: async () => (await import('./reading.ts')).reading,
  crawl: async () => (await import('./crawl.ts')).crawl,
  jobs: async () => (await import('./jobs.ts')).jobs,
  'proxy-port': async () => (await import('./proxy-port.ts')).proxyPort,
  cost: async () => (await import('./cost.ts')).cost,
  hostile: async () => (await import('./hostile.ts')).hostile,
  datasets: async () => (await import('./datasets.ts')).datasets,
  profile: async () => (await import('./profile.ts')).profile,
};

const words = process.argv.slice(2);
const name = words.find((word) => !word.startsWith('-')) ?? 'throughput';
const flags = words.filter((word) => word !== name);
const load = BENCHMARKS[name];
if (load === undefined) {
  console.error(`There is no benchmark "${name}". The benchmarks: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    await (await load())(flags);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
