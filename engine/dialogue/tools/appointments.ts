// `check_availability` and `schedule_appointment`: they use the business's opening hours, the service's duration and
// existing bookings; the database refuses a double booking.
import { DAY_MS } from '../../../db/domain/hours/durations.ts';
import { openIntervals } from '../../../db/domain/hours/opening-times.ts';
import type { DialogueBusiness } from '../../../models/llm/llm.ts';
import { freeSlots } from './free-slots.ts';
import { badTime, isoLocal, parseTime, refused, textOrNull } from './times.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const DEFAULT_DURATION_MIN = 30;
const STEP_MS = 15 * 60_000;
const SLOTS_OFFERED = 6;
const SEARCH_DAYS = 14;
/** Nobody books further ahead by phone; this rejects a misheard year. */
const BOOK_AHEAD_DAYS = 366;

interface Service {
  name: string;
  durationMs: number;
}

/** The named service; without a name the only one, or one of default length; null if unknown. */
function serviceByName(business: DialogueBusiness, wanted: unknown): Service | null {
  const toService = (service: { name: string; duration: number | null }): Service => ({
    name: service.name,
    durationMs: (service.duration ?? DEFAULT_DURATION_MIN) * 60_000,
  });
  if (typeof wanted !== 'string' || wanted.trim() === '') {
    const only = business.services.length === 1 ? business.services[0] : undefined;
    return only ? toService(only) : { name: '', durationMs: DEFAULT_DURATION_MIN * 60_000 };
  }
  const key = wanted.trim().toLowerCase();
  const exact = business.services.find((service) => service.name.toLowerCase() === key);
  const found =
    exact ??
    business.services.find(
      (service) => service.name.toLowerCase().includes(key) || key.includes(service.name.toLowerCase()),
    );
  if (found) return toService(found);
  return business.services.length === 0 ? { name: wanted.trim(), durationMs: DEFAULT_DURATION_MIN * 60_000 } : null;
}

const unknownService = (business: DialogueBusiness, wanted: unknown): ToolResult => ({
  result: {
    ok: false,
    error: 'unknown_service',
    message: `There is no service "${String(wanted)}".`,
    services: business.services.map((service) => service.name),
  },
});

export async function checkAvailability(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { business, nowMs } = context;
  const service = serviceByName(business, args.service);
  if (!service) return unknownService(business, args.service);
  const from = parseTime(args.from, business.timezone);
  const to = parseTime(args.to, business.timezone);
  if (args.from !== undefined && !from) return badTime('from', args.from);
  if (args.to !== undefined && !to) return badTime('to', args.to);
  const fromMs = Math.max(nowMs, from?.toMillis() ?? nowMs);
  // A date without a time means the whole day.
  const end = typeof args.to === 'string' && !args.to.includes('T') ? to?.endOf('day') : to;
  const toMs = Math.min(end?.toMillis() ?? fromMs + SEARCH_DAYS * DAY_MS, nowMs + BOOK_AHEAD_DAYS * DAY_MS);
  const open = openIntervals(business.hours, business.timezone, fromMs, toMs);
  const busy = await context.listBooked(fromMs, toMs + DAY_MS);
  const slots = freeSlots(open, busy, {
    fromMs,
    toMs,
    durationMs: service.durationMs,
    stepMs: STEP_MS,
    limit: SLOTS_OFFERED,
  });
  return {
    result: {
      ok: true,
      service: service.name || null,
      durationMinutes: service.durationMs / 60_000,
      timezone: business.timezone,
      slots: slots.map((startMs) => isoLocal(startMs, business.timezone)),
    },
  };
}

export async function scheduleAppointment(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const { business, nowMs } = context;
  const service = serviceByName(business, args.service);
  if (!service) return unknownService(business, args.service);
  const starts = parseTime(args.startsAt, business.timezone);
  if (!starts) return badTime('startsAt', args.startsAt);
  const startsAtMs = starts.toMillis();
  const endsAtMs = startsAtMs + service.durationMs;
  if (startsAtMs <= nowMs) return refused('in_the_past', 'That time has passed.');
  if (startsAtMs > nowMs + BOOK_AHEAD_DAYS * DAY_MS) return refused('too_far_ahead', 'That is more than a year ahead.');
  const open = openIntervals(business.hours, business.timezone, startsAtMs, endsAtMs);
  const isOpen = open.some((interval) => interval.startMs <= startsAtMs && interval.endMs >= endsAtMs);
  if (business.hours.length > 0 && !isOpen) {
    return refused(
      'closed',
      'The business is not open for the whole of that time.',
      await nearest(startsAtMs, service, context),
    );
  }
  const booking = await context.book({
    service: service.name || null,
    startsAtMs,
    endsAtMs,
    name: textOrNull(args.name) ?? context.callerName,
    phone: textOrNull(args.phone) ?? context.callerNumber,
    notes: textOrNull(args.notes),
  });
  if (!booking.booked && booking.reason === 'too_many') {
    return refused('too_many', 'No more appointments can be made in this call.');
  }
  if (!booking.booked) return refused('taken', 'That time is taken.', await nearest(startsAtMs, service, context));
  return {
    result: {
      ok: true,
      appointmentId: booking.appointmentId,
      service: service.name || null,
      startsAt: isoLocal(startsAtMs, business.timezone),
      durationMinutes: service.durationMs / 60_000,
    },
  };
}

/** Free times near a requested one that is not available. */
async function nearest(aroundMs: number, service: Service, context: ToolContext): Promise<string[]> {
  const { business, nowMs } = context;
  const fromMs = Math.max(nowMs, aroundMs - DAY_MS / 2);
  const toMs = fromMs + 7 * DAY_MS;
  const busy = await context.listBooked(fromMs, toMs + DAY_MS);
  const open = openIntervals(business.hours, business.timezone, fromMs, toMs);
  const slots = freeSlots(open, busy, { fromMs, toMs, durationMs: service.durationMs, stepMs: STEP_MS, limit: 200 });
  return slots
    .sort((a, b) => Math.abs(a - aroundMs) - Math.abs(b - aroundMs))
    .slice(0, 3)
    .sort((a, b) => a - b)
    .map((startMs) => isoLocal(startMs, business.timezone));
}
