import { describeProgram } from '@levada/test-peers/programs';
import { describeDeliveringSender } from './delivering-sender.ts';
import { javaProgram, javaUnavailable } from './java-program.ts';
import { describeSecuredSender } from './secured-sender.ts';

describeProgram('exporters in Java', { unavailable: javaUnavailable, make: javaProgram }, (program) => {
  describeDeliveringSender(program);
  describeSecuredSender(program);
});
