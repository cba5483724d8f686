// `check_availability` and `schedule_appointment`: they use the business's opening hours, the service's duration and
// existing bookings; the database refuses a double booking.
import {
  BOOK_AHEAD_DAYS,
  DEFAULT_DURATION_MIN,
  freeTimes,
  staffOf,
  timeFaultOf,
  type Wanted,
  workingAt,
} from '../../../db/domain/booking/free-times.ts';
import { resourceNamed } from '../../../db/domain/booking/resources.ts';
import { DAY_MS, MINUTE_MS } from '../../../db/domain/hours/durations.ts';
import { readNumber } from '../../../db/domain/numbers/phone.ts';
import type { DialogueBusiness } from '../../../models/llm/llm.ts';
import { badTime, isoLocal, parseTime, refused, textOrNull } from './times.ts';
import { object, type Tool, type ToolContext, type ToolResult } from './tool.ts';

const SLOTS_OFFERED = 6;
const SEARCH_DAYS = 14;

interface Service {
  name: string;
  durationMs: number;
}

/** The named service; without a name the only one, or one of default length; null if unknown. */
function serviceByName(business: DialogueBusiness, wanted: unknown): Service | null {
  const toService = (service: { name: string; duration: number | null }): Service => ({
    name: service.name,
    durationMs: (service.duration ?? DEFAULT_DURATION_MIN) * MINUTE_MS,
  });
  if (typeof wanted !== 'string' || wanted.trim() === '') {
    const only = business.services.length === 1 ? business.services[0] : undefined;
    return only ? toService(only) : { name: '', durationMs: DEFAULT_DURATION_MIN * MINUTE_MS };
  }
  const key = wanted.trim().toLowerCase();
  const exact = business.services.find((service) => service.name.toLowerCase() === key);
  const found =
    exact ??
    business.services.find(
      (service) => service.name.toLowerCase().includes(key) || key.includes(service.name.toLowerCase()),
    );
  if (found) return toService(found);
  return business.services.length === 0 ? { name: wanted.trim(), durationMs: DEFAULT_DURATION_MIN * MINUTE_MS } : null;
}

const unknownService = (business: DialogueBusiness, wanted: unknown): ToolResult => ({
  result: {
    ok: false,
    error: 'unknown_service',
    message: `There is no service "${String(wanted)}".`,
    services: business.services.map((service) => service.name),
  },
});

/** The service of an appointment that has a length already. */
export const durationService = (name: string | null, durationMs: number): Service => ({ name: name ?? '', durationMs });

/** As models write it in place of leaving it out. */
const ANYBODY = /^(any|anybody|anyone|no preference)$/i;

/** Null: the business has nobody of that name. */
export function wantedResources(business: DialogueBusiness, staff: unknown): Wanted | null {
  const all = staffOf(business);
  if (all.length === 0) return [null];
  if (typeof staff !== 'string' || staff.trim() === '') return all;
  const named = resourceNamed(all, staff);
  if (named !== null) return [named];
  return ANYBODY.test(staff.trim()) ? all : null;
}

export const unknownStaff = (business: DialogueBusiness, wanted: unknown): ToolResult => ({
  result: {
    ok: false,
    error: 'unknown_staff',
    message: `There is nobody called "${String(wanted)}".`,
    staff: staffOf(business).map(({ name }) => name),
  },
});

type Search = Parameters<typeof freeTimes>[2];

const freeFor = ({ durationMs }: Service, wanted: Wanted, search: Search, context: ToolContext): Promise<number[]> =>
  freeTimes(context.business, { durationMs, wanted, listTaken: context.listTaken }, search);

export async function checkAvailability(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { business, nowMs } = context;
  const service = serviceByName(business, args.service);
  if (!service) return unknownService(business, args.service);
  const wanted = wantedResources(business, args.staff);
  if (!wanted) return unknownStaff(business, args.staff);
  const from = parseTime(args.from, business.timezone);
  const to = parseTime(args.to, business.timezone);
  if (args.from !== undefined && !from) return badTime('from', args.from);
  if (args.to !== undefined && !to) return badTime('to', args.to);
  const fromMs = Math.max(nowMs, from?.toMillis() ?? nowMs);
  // A date without a time means the whole day.
  const end = typeof args.to === 'string' && !args.to.includes('T') ? to?.endOf('day') : to;
  const toMs = Math.min(end?.toMillis() ?? fromMs + SEARCH_DAYS * DAY_MS, nowMs + BOOK_AHEAD_DAYS * DAY_MS);
  const slots = await freeFor(service, wanted, { fromMs, toMs, limit: SLOTS_OFFERED }, context);
  return {
    result: {
      ok: true,
      service: service.name || null,
      ...withStaff(wanted.length === 1 ? (wanted[0]?.name ?? null) : null),
      durationMinutes: service.durationMs / MINUTE_MS,
      timezone: business.timezone,
      slots: slots.map((startMs) => isoLocal(startMs, business.timezone)),
    },
  };
}

const withStaff = (staff: string | null | undefined) => (staff == null ? {} : { staff });

export async function scheduleAppointment(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { business, nowMs } = context;
  const service = serviceByName(business, args.service);
  if (!service) return unknownService(business, args.service);
  const wanted = wantedResources(business, args.staff);
  if (!wanted) return unknownStaff(business, args.staff);
  const starts = parseTime(args.startsAt, business.timezone);
  if (!starts) return badTime('startsAt', args.startsAt);
  const startsAtMs = starts.toMillis();
  const endsAtMs = startsAtMs + service.durationMs;
  const fault = timeFault(startsAtMs, nowMs);
  if (fault) return fault;
  const working = workingAt(business, wanted, startsAtMs, endsAtMs);
  if (working.length === 0) {
    return refused(
      'closed',
      'The business is not open for the whole of that time.',
      await nearest(startsAtMs, service, wanted, context),
    );
  }
  const phone = phoneFor(textOrNull(args.phone), context);
  const booking = await context.book({
    service: service.name || null,
    startsAtMs,
    endsAtMs,
    candidates: working.map((resource) => resource?.name ?? null),
    name: textOrNull(args.name) ?? context.callerName,
    phone,
    notes: textOrNull(args.notes),
  });
  if (!booking.booked && booking.reason === 'too_many') {
    return refused('too_many', 'No more appointments can be made in this call.');
  }
  if (!booking.booked)
    return refused('taken', 'That time is taken.', await nearest(startsAtMs, service, wanted, context));
  return {
    result: {
      ok: true,
      appointmentId: booking.appointmentId,
      service: service.name || null,
      ...withStaff(booking.resource),
      startsAt: isoLocal(startsAtMs, business.timezone),
      durationMinutes: service.durationMs / MINUTE_MS,
      ...referenceFor(booking.reference, phone, context),
    },
  };
}

/** Lists and rules know numbers in E.164 only. A named one that is none is that of the call, if it shows any. */
function phoneFor(named: string | null, { callerNumber, country }: ToolContext): string | null {
  if (named === null || named === callerNumber) return callerNumber;
  return readNumber(named, country ?? undefined) ?? callerNumber;
}

/** The number that calls is proof enough; without it the caller needs the reference to change the appointment. */
function referenceFor(reference: string | undefined, phone: string | null, { callerNumber }: ToolContext) {
  const isProved = callerNumber !== null && phone === callerNumber;
  return isProved || reference === undefined ? {} : { reference };
}

export function timeFault(startsAtMs: number, nowMs: number): ToolResult | null {
  const fault = timeFaultOf(startsAtMs, nowMs);
  if (fault === null) return null;
  return refused(fault, fault === 'in_the_past' ? 'That time has passed.' : 'That is more than a year ahead.');
}

/** Free times near a requested one that is not available. */
export async function nearest(
  aroundMs: number,
  service: Service,
  wanted: Wanted,
  context: ToolContext,
): Promise<string[]> {
  const { business, nowMs } = context;
  const fromMs = Math.max(nowMs, aroundMs - DAY_MS / 2);
  const slots = await freeFor(service, wanted, { fromMs, toMs: fromMs + 7 * DAY_MS, limit: 200 }, context);
  return slots
    .sort((a, b) => Math.abs(a - aroundMs) - Math.abs(b - aroundMs))
    .slice(0, 3)
    .sort((a, b) => a - b)
    .map((startMs) => isoLocal(startMs, business.timezone));
}

const STAFF_HELP = 'With whom. Ask the caller where they named nobody; left out where anybody will do';

/** The tool with a wish for a certain person, where the business names some. */
export const withStaffWish =
  (definition: Tool['definition']): NonNullable<Tool['offered']> =>
  ({ business }) => {
    const names = staffOf(business).map(({ name }) => name);
    if (names.length === 0) return definition;
    const { properties, required } = definition.parameters as { properties: object; required: string[] };
    const staff = { type: 'string', enum: names, description: STAFF_HELP };
    return { ...definition, parameters: object({ ...properties, staff }, required) };
  };
