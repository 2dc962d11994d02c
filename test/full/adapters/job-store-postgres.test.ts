import { jobStoreContract } from '../../contracts/job-store.ts';
import { openTestStore } from '../../helpers/postgres-store.ts';

jobStoreContract('PostgreSQL', openTestStore);
