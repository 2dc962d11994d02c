import { makeSchedule, runScheduleNow, SCHEDULES } from '../end-to-end/scheduling.ts';
import { startMadeSite } from '../helpers/made-site.ts';
import { eventually, type ServiceApi } from '../helpers/service.ts';

interface SeededDataset {
  readonly datasetId: string;
  readonly scheduleId: string;
}

/**
 * A dataset of a shop with the columns `heading` and `stock`, and the schedule that fills it by two runs of three pages: between them,
 * page 1 is sold out, page 2 is gone, and page 4 is new.
 */
export async function seedDataset(service: ServiceApi): Promise<SeededDataset> {
  let run = 1;
  await using shop = await startMadeSite((path) => {
    const stock = path === '/1' && run === 2 ? 'sold out' : 'in stock';
    return `<title>Product</title><h1>Product ${path}</h1><p>${stock}</p>`;
  });
  const jobOf = (paths: readonly string[]) => ({
    kind: 'batch',
    requests: paths.map((path) => ({ url: `${shop.url}${path}` })),
    retries: 0,
    defaults: { scraper: 'http', scraper_options: { extract: { heading: 'h1', stock: 'p' } } },
  });
  const made = await service.api<{ id: string }>('POST', '/api/v1/datasets/', { body: { name: 'Stock' } });
  const datasetId = made.body.id;
  const job = jobOf(['/1', '/2', '/3']);
  const scheduleId = await makeSchedule(service, { name: 'Stock, each night', job, dataset: datasetId });
  const runNow = async (rows: number) => {
    await runScheduleNow(service, scheduleId);
    await eventually(async () => {
      const { body } = await service.api<{ rows: number }>('GET', `/api/v1/datasets/${datasetId}/`);
      return body.rows === rows;
    });
  };
  await runNow(3);
  run = 2;
  await service.api('PATCH', `${SCHEDULES}${scheduleId}/`, { body: { job: jobOf(['/1', '/3', '/4']) } });
  await runNow(6);
  return { datasetId, scheduleId };
}
