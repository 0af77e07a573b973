import { describeOptionProblems } from '@levada/test-peers/option-problems';
import { otlpSource, otlpSourceConnector } from '../src/index.ts';

describeOptionProblems({
  factory: otlpSource,
  name: 'otlpSource',
  keys: otlpSourceConnector.config.keys,
  sound: {},
  soundConfig: {},
});
