// The services that tests of this process start store their data in PostgreSQL. Imported here, so that the server that they share
// is stopped at the end of the file, not of a test.
import './postgres.ts';

process.env.TEST_DATABASE = 'postgres';
