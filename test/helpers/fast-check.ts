/**
 * fast-check with a fixed seed, so that every run tests the same values. With LONG=1 (`npm run test:long`) each run has
 * another seed; add a value that fails to the examples of its test.
 */
import fc from 'fast-check';

if (process.env.LONG !== '1') fc.configureGlobal({ seed: 20261125 });

export default fc;
