// The command that follows calls as they come: each new one, its words, and how it ended.
import { ApiError } from '../../typescript/api-error.ts';
import type { Call } from '../../typescript/types.ts';
import type { Command, Run } from '../command.ts';
import { FILTERS, filters } from './list.ts';
import { clock, parties, spoken, status } from './texts.ts';

const LOOK_EVERY_MS = 1_000;
const AWAY_MS = 5_000;
const CALLS_MAX = 50;
const ENDED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'VOICEMAIL']);

export const tail: Command = {
  name: 'calls tail',
  about: 'Shows calls as they come, with their words, until you end it (Ctrl-C), or one call until its end.',
  args: [{ name: 'ID', about: 'this call alone', isOptional: true }],
  options: FILTERS,
  examples: [
    'voicectl calls tail',
    'voicectl calls tail --business "Rivera Dental"',
    'voicectl calls tail call_01h…',
    'voicectl calls tail --json | jq -r .text',
  ],
  async run(run) {
    const { client, args, surroundings } = run;
    if (args.ID !== undefined) return void (await follow(run, await client.calls.get(args.ID)));
    const query = await filters(run);
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
    const known = new Set<string>();
    const begun = new Date(surroundings.now()).toISOString();
    for (let isFirst = true; ; isFirst = false) {
      const { data } = await looked(run, () => client.calls.list({ ...given, limit: CALLS_MAX }));
      for (const call of data.toReversed()) {
        const isOld = isFirst && ENDED.has(call.status) && call.startedAt < begun;
        if (known.has(call.id) || call.status === 'SCHEDULED') continue;
        known.add(call.id);
        if (isOld) continue;
        // One that fails tells so, and the others go on.
        void follow(run, call).catch((fault: Error) => run.output.note(`${call.id}: ${fault.message}`));
      }
      await surroundings.pause(LOOK_EVERY_MS);
    }
  },
};

/** A service that is away for a while is waited for. */
export async function looked<T>({ output, surroundings }: Run, look: () => PromiseLike<T>): Promise<T> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await look();
    } catch (fault) {
      const isAway = fault instanceof ApiError && (fault.status === 0 || fault.status >= 500);
      if (!isAway) throw fault;
      if (!isTold) output.note(`${fault.message}; waiting for it`);
      await surroundings.pause(AWAY_MS);
    }
  }
}

/** Until its end; the words of several calls stand between each other, each with the call's last letters. */
export async function follow({ client, output }: Run, call: Call): Promise<Call['status']> {
  let last = call.status;
  const mark = output.style('dim', call.id.slice(-4));
  output.line(`${mark}  ${output.style('bold', parties(call))}  ${status(output, call)}`);
  for await (const event of client.call(call.id).events()) {
    output.jsonLine({ callId: call.id, ...event });
    if (event.type === 'transcript') output.line(`${mark} ${spoken(output, event)}`);
    if (event.type !== 'ended') continue;
    last = event.status;
    const length = event.durationSeconds === undefined ? '' : ` after ${clock(event.durationSeconds)}`;
    output.line(`${mark}  ${status(output, event)}${length}`);
  }
  return last;
}
