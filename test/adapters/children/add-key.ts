/** Another process that writes a user and a key, as the command line does while the service runs. */
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { key, user } from '../../contracts/samples.ts';

const store = await openSqliteStore({ file: process.argv[2]!, durability: 'normal' });
await store.accounts.insertUser(user());
await store.accounts.insertKey(key());
await store.close();
