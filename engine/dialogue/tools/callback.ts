// `schedule_callback`: the person asks to be called again at another time.
import { badTime, isoLocal, parseTime, refused, textOrNull } from './times.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const MESSAGES = {
  past: 'That time has passed.',
  too_far: 'That is too far ahead.',
  too_many: 'No more calls can be scheduled.',
  not_allowed: 'This person cannot be called back from here; offer to take a message.',
} as const;

export async function scheduleCallback(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { business, callerNumber } = context;
  if (callerNumber === null) return refused('no_number', 'This call shows no number that could be called back.');
  const at = parseTime(args.at, business.timezone);
  if (!at) return badTime('at', args.at);
  const answer = await context.callBack({ atMs: at.toMillis(), reason: textOrNull(args.reason) });
  if (answer.scheduled) return { result: { ok: true, at: isoLocal(at.toMillis(), business.timezone) } };
  if (answer.reason !== 'outside_window') return refused(answer.reason, MESSAGES[answer.reason]);
  const { nextAtMs } = answer;
  return refused(
    'outside_hours',
    'Nobody is called at that hour where this number is.',
    nextAtMs === null ? [] : [isoLocal(nextAtMs, business.timezone)],
  );
}
