import { readGuides } from '../../helpers/guides.ts';
import { testExamples } from './examples.ts';

testExamples(readGuides('guides'), { hasAnswers: false });
