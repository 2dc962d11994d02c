import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { HOUR_S, MINUTE_S, type SampleKind, type SampleValues } from '../../src/domain/samples.ts';
import type { SampleRow } from '../../src/ports/samples.ts';
import type { Service } from '../helpers/service.ts';

/** Creates two pools and two vendors, and measurements of them and of the system over ninety days. Needs prices. */
export async function seedPoolsAndVendors(service: Service): Promise<void> {
  const create = async (path: string, body: object) => {
    const { status, text } = await service.api('POST', path, { body });
    if (status !== 201) throw new Error(`POST ${path}: ${text}`);
  };
  await create('/api/v1/proxies/pools/', {
    name: 'own-racks',
    type: 'datacenter',
    proxies: ['192.0.2.10', '192.0.2.11', '192.0.2.12'].map((host, index) => ({
      url: `http://sluice:secret@${host}:3128`,
      country: index === 2 ? 'FR' : 'DE',
    })),
    countries: ['DE', 'FR'],
    concurrency_per_proxy: 20,
  });
  await create('/api/v1/proxies/pools/', {
    name: 'homes',
    type: 'residential',
    template: 'http://customer-me-cc-{country}-sessid-{session}:secret@gate.example:7777',
    countries: ['DE', 'FR', 'US'],
    price_per_gb: 4.5,
  });
  await create('/api/v1/vendors/', {
    name: 'zyte',
    kind: 'zyte',
    key: 'secret',
    auto: true,
    price: { per_success: 0.0012 },
    daily_cap: 5,
  });
  await create('/api/v1/vendors/', { name: 'walls', kind: 'scrapingbee', key: 'secret' });
  const now = Date.now();
  const rows: SampleRow[] = [];
  const add = (step: number, at: number) => {
    const put = (kind: SampleKind, name: string, values: SampleValues) =>
      rows.push({ step, at, kind, name, replica: step === MINUTE_S ? 'one' : '', values });
    // More by day than by night, and never quite the same.
    const day = 1 + 0.7 * Math.sin((at / 86_400_000) * 2 * Math.PI) + 0.2 * Math.sin(at / 4_300_000);
    const scale = (day * step) / 60;
    const trouble = Math.sin(at / 9_000_000) > 0.9;
    const attempts = Math.round(14 * scale);
    const failed = Math.round(attempts * (trouble ? 0.3 : 0.01));
    const blocked = Math.round(attempts * 0.04);
    put('pool', 'own-racks', {
      attempts,
      ok: attempts - failed - Math.round(attempts * 0.02),
      failed,
      blocked,
      bytes: attempts * 61_000,
      healthy: trouble ? 2 : 3,
      proxies: 3,
    });
    const few = Math.round(attempts / 5);
    put('pool', 'homes', {
      attempts: few,
      ok: few,
      failed: 0,
      blocked: 0,
      bytes: few * 84_000,
      cost: Math.round(few * 84_000 * 0.0045),
      healthy: 1,
      proxies: 1,
    });
    const asked = Math.round(2 * scale);
    put('vendor', 'zyte', {
      requests: asked,
      ok: asked - Math.round(asked * 0.05),
      failed: Math.round(asked * 0.05),
      cost: asked * 1_200,
      left_alone: trouble ? 1 : 0,
    });
    put('system', '', {
      replicas: 1,
      requests: Math.round(9 * day),
      slots_used: Math.round(3 * day),
      slots_total: 6,
      slots_waiting: trouble ? 4 : 0,
      rss_bytes: 310e6 + 60e6 * day,
      memory_bytes: 40e6 * day,
      memory_limit_bytes: 512e6,
      storage_bytes: 3.1e9 - (now - at) / 9,
      storage_limit_bytes: 4e9,
      disk_free_bytes: 41e9 + (now - at) / 9,
      disk_share: 0.7 - (now - at) / 90e9,
      machine_memory_share: 0.4 + 0.1 * day,
      jobs_queued: trouble ? 900 : Math.round(30 * day),
      event_loop_delay_ms: 11 + 4 * day,
    });
  };
  // The last minutes are measured by the service itself.
  const last = (step: number) => Math.floor(now / (step * 1000)) * step * 1000 - 2 * step * 1000;
  for (let index = 0; index < 24 * 60; index++) add(MINUTE_S, last(MINUTE_S) - index * MINUTE_S * 1000);
  for (let index = 0; index < 90 * 24; index++) add(HOUR_S, last(HOUR_S) - index * HOUR_S * 1000);
  const store = await openSqliteStore({ file: join(service.dataDir, 'sluice.db'), durability: 'normal' });
  try {
    await store.samples.put(rows);
  } finally {
    await store.close();
  }
}
