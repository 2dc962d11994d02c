import { alertStoreContract } from '../contracts/alert-store.ts';
import { datasetStoreContract } from '../contracts/dataset-store.ts';
import { jobItemsContract } from '../contracts/job-items.ts';
import { jobStoreContract } from '../contracts/job-store.ts';
import { monitorStoreContract } from '../contracts/monitor-store.ts';
import { notificationStoreContract } from '../contracts/notification-store.ts';
import { scheduleStoreContract } from '../contracts/schedule-store.ts';
import { webhookStoreContract } from '../contracts/webhook-store.ts';
import { useSqlite } from './open-sqlite.ts';

const open = useSqlite();
jobStoreContract('SQLite', open);
jobItemsContract('SQLite', open);
webhookStoreContract('SQLite', open);
monitorStoreContract('SQLite', open);
scheduleStoreContract('SQLite', open);
datasetStoreContract('SQLite', open);
alertStoreContract('SQLite', open);
notificationStoreContract('SQLite', open);
