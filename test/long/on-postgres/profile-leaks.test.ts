// Own process: its services store their data in PostgreSQL.
import '../../helpers/on-postgres.ts';
import { profileLeaks } from '../end-to-end/profile-leak-cases.ts';

profileLeaks('the store');
