import { recordStoreContract } from '../../contracts/record-store.ts';
import { openTestStore } from '../../helpers/postgres-store.ts';

recordStoreContract('PostgreSQL', openTestStore);
