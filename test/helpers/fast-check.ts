/**
 * fast-check with one seed, so that a run says something about the code and not about its luck. `npm run test:long`
 * (LONG=1) draws another seed each time; what it finds becomes an example of its test.
 */
import fc from 'fast-check';

if (process.env.LONG !== '1') fc.configureGlobal({ seed: 20261125 });

export default fc;
