import { openPostgres } from '../../../src/adapters/postgres/postgres.ts';
import { createExperienceLog } from '../../../src/adapters/store/postgres/experience-log.ts';
import { migratePostgres } from '../../../src/adapters/store/postgres/migrate.ts';
import { afterwards } from '../../adapters/temp.ts';
import { experienceLogContract } from '../../contracts/experience-log.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';

if (noPostgres === false)
  experienceLogContract('PostgreSQL', async (t, count) => {
    const options = { url: await testDatabase(), directUrl: null, readUrl: null };
    await migratePostgres(options);
    return Array.from({ length: count }, () => {
      const postgres = openPostgres(options);
      afterwards(t, () => postgres.close());
      return createExperienceLog(postgres);
    });
  });
