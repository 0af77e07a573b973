import { describeDeliveringSender } from './delivering-sender.ts';
import { describeProgram } from './describe-program.ts';
import { goProgram, goUnavailable } from './go-program.ts';
import { describeSecuredSender } from './secured-sender.ts';

describeProgram('exporters in Go', { unavailable: goUnavailable, make: goProgram }, (program) => {
  describeDeliveringSender(program);
  describeSecuredSender(program);
});
