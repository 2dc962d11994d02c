import { profileLeaks } from './profile-leak-cases.ts';

profileLeaks('the store');
profileLeaks('S3');
