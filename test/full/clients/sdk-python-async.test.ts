import { pythonContract } from '../../helpers/python-sdk.ts';

pythonContract('async');
