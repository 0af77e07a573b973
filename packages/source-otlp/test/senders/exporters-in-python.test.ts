import { describeDeliveringSender } from './delivering-sender.ts';
import { describeProgram } from './describe-program.ts';
import { pythonProgram, pythonUnavailable } from './python-program.ts';
import { describeSecuredSender } from './secured-sender.ts';

describeProgram('exporters in Python', { unavailable: pythonUnavailable, make: pythonProgram }, (program) => {
  describeDeliveringSender(program);
  describeSecuredSender(program);
});
