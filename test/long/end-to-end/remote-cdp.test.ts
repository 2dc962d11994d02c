import { describeRemoteBrowser } from './remote-browser-cases.ts';

describeRemoteBrowser('cdp');
