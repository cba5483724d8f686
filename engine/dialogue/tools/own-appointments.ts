// `find_own_appointments`, `move_own_appointment` and `cancel_own_appointment`: of the number that calls, or by the
// reference that a caller was told. An id that a model invents finds nothing: it is looked for among the caller's own.
import { workingAt } from '../../../db/domain/booking/free-times.ts';
import type { OwnAppointment } from '../../../db/rules/rebooking.ts';
import { durationService, nearest, timeFault, unknownStaff, wantedResources } from './appointments.ts';
import { badTime, isoLocal, parseTime, refused, textOrNull } from './times.ts';
import { object, type Tool, type ToolContext, type ToolResult, text } from './tool.ts';

const WHICH = {
  appointmentId: text('Of find_own_appointments; left out where the caller has one only'),
  reference: text('Six digits that the caller was told when they booked; only if they call from another number'),
};

const referenceIn = (args: Record<string, unknown>): string | null =>
  textOrNull(args.reference)?.replace(/\D/g, '') || null;

const shown = ({ business }: ToolContext, { id, service, startsAt, resource }: OwnAppointment) => ({
  appointmentId: id,
  service,
  ...(resource === null ? {} : { staff: resource }),
  startsAt: isoLocal(startsAt, business.timezone),
});

const NONE = {
  ok: false,
  error: 'not_found',
  message:
    'No appointment ahead is known for this number. It may be under another one: ask for the reference, six digits.',
};

/** The one that is meant; a result: none, or several. */
async function chosen(args: Record<string, unknown>, context: ToolContext): Promise<OwnAppointment | ToolResult> {
  const own = await context.ownAppointments(referenceIn(args));
  if (own === 'too_many') return refused('too_many', 'No more references are tried in this call.');
  const wanted = textOrNull(args.appointmentId);
  const [only, ...others] = wanted === null ? own : own.filter(({ id }) => id === wanted);
  if (only !== undefined && others.length === 0) return only;
  if (own.length === 0) return { result: NONE };
  const message = 'Ask which of these is meant, and name it by appointmentId.';
  return { result: { ok: false, error: 'which_one', message, appointments: own.map((each) => shown(context, each)) } };
}

async function find(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const own = await context.ownAppointments(referenceIn(args));
  if (own === 'too_many') return refused('too_many', 'No more references are tried in this call.');
  if (own.length === 0) return { result: NONE };
  return { result: { ok: true, appointments: own.map((each) => shown(context, each)) } };
}

async function move(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { business, nowMs } = context;
  const starts = parseTime(args.startsAt, business.timezone);
  if (!starts) return badTime('startsAt', args.startsAt);
  const own = await chosen(args, context);
  if ('result' in own) return own;
  const wanted = wantedResources(business, args.staff ?? own.resource) ?? wantedResources(business, args.staff);
  if (!wanted) return unknownStaff(business, args.staff);
  const startsAtMs = starts.toMillis();
  const endsAtMs = startsAtMs + (own.endsAt - own.startsAt);
  const fault = timeFault(startsAtMs, nowMs);
  if (fault) return fault;
  const service = durationService(own.service, own.endsAt - own.startsAt);
  const working = workingAt(business, wanted, startsAtMs, endsAtMs);
  const instead = () => nearest(startsAtMs, service, wanted, context);
  if (working.length === 0)
    return refused('closed', 'The business is not open for the whole of that time.', await instead());
  const candidates = working.map((resource) => resource?.name ?? null);
  const answer = await context.change({
    appointmentId: own.id,
    reference: referenceIn(args),
    to: { startsAtMs, endsAtMs, candidates },
  });
  if (answer.changed)
    return { result: { ok: true, ...shown(context, { ...own, startsAt: startsAtMs, resource: answer.resource }) } };
  if (answer.reason === 'taken') return refused('taken', 'That time is taken.', await instead());
  return notChanged(answer.reason);
}

async function cancel(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const own = await chosen(args, context);
  if ('result' in own) return own;
  const answer = await context.change({ appointmentId: own.id, reference: referenceIn(args), to: null });
  return answer.changed ? { result: { ok: true, ...shown(context, own) } } : notChanged(answer.reason);
}

const notChanged = (reason: 'not_found' | 'taken' | 'too_many'): ToolResult =>
  reason === 'too_many'
    ? refused('too_many', 'No more appointments can be changed in this call.')
    : refused('not_found', 'It has just been changed by somebody else: look for it again.');

async function confirm(_args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { remindsOf } = context;
  if (remindsOf !== null && (await context.confirm(remindsOf))) return { result: { ok: true } };
  return refused('not_found', 'It has just been changed by somebody else: look for it again.');
}

const CONFIRM: Tool['definition'] = {
  name: 'confirm_appointment',
  description:
    'This call reminds the person of the appointment that the greeting named. Once they have said that they will ' +
    'come, confirm it with this, and say goodbye. If they cannot come, ask whether to move or to cancel it.',
  parameters: object({}),
};

export const OWN_APPOINTMENT_TOOLS: readonly Tool[] = [
  { definition: CONFIRM, offered: ({ isReminder }) => (isReminder ? CONFIRM : null), run: confirm },
  {
    definition: {
      name: 'find_own_appointments',
      description: 'Appointments ahead of this caller, by the number that calls.',
      parameters: object({ reference: WHICH.reference }),
    },
    run: find,
  },
  {
    definition: {
      name: 'move_own_appointment',
      description: 'Move an appointment of this caller to a time that they have agreed to.',
      parameters: object({ ...WHICH, startsAt: text('New start, ISO-8601 in the business timezone') }, ['startsAt']),
    },
    run: move,
  },
  {
    definition: {
      name: 'cancel_own_appointment',
      description: 'Cancel an appointment of this caller, once they have said yes to cancelling it.',
      parameters: object(WHICH),
    },
    run: cancel,
  },
];
