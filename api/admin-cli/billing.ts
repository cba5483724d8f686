// Runs the daily billing job for a given day; paid items are not charged again.
import { runBilling } from '../billing/monthly.ts';
import { type Command, CommandFailed, print, readArguments, UsageError } from './command.ts';

export const billingRun: Command = {
  name: 'billing run',
  usage: `billing run [--at DATE]
  charges what is due on DATE (YYYY-MM-DD or an ISO-8601 time, UTC; default now)`,
  async run(args, context) {
    const { values } = readArguments(args, { at: { type: 'string' } });
    const atMs = values.at === undefined ? context.now() : Date.parse(String(values.at));
    if (Number.isNaN(atMs)) throw new UsageError(`"${String(values.at)}" is not a date`);
    const run = await runBilling(context, atMs);
    print(`charged ${run.charged}, failed ${run.failed}, numbers suspended ${run.suspended}`);
    if (!run.complete) throw new CommandFailed('The payment provider did not answer: run it again');
  },
};
