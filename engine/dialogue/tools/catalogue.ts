// The tools offered to a dialogue model, and the function that runs one.

import { messageOf } from '../../../db/domain/unexpected.ts';
import type { ToolDefinition } from '../../../models/llm/llm.ts';
import { checkAvailability, scheduleAppointment, withStaffWish } from './appointments.ts';
import { scheduleCallback } from './callback.ts';
import { collectDigits } from './collect-digits.ts';
import { OWN_APPOINTMENT_TOOLS } from './own-appointments.ts';
import { switchLanguage } from './switch-language.ts';
import { type OfferFacts, object, type Tool, type ToolContext, type ToolResult, text } from './tool.ts';
import { transferCall } from './transfer-call.ts';

const AVAILABILITY: Tool['definition'] = {
  name: 'check_availability',
  description: 'Free appointment times. Without from and to: the next two weeks.',
  parameters: object({
    service: text('Name of the service'),
    from: text('Earliest time, ISO-8601 in the business timezone'),
    to: text('Latest time, ISO-8601 in the business timezone'),
  }),
};

const APPOINTMENT: Tool['definition'] = {
  name: 'schedule_appointment',
  description: 'Book an appointment that the caller has agreed to.',
  parameters: object(
    {
      service: text('Name of the service'),
      startsAt: text('Start, ISO-8601 in the business timezone'),
      name: text('Name of the caller'),
      phone: text('Phone number, E.164; without one the number they call from'),
      notes: text('Anything the business should know'),
    },
    ['startsAt'],
  ),
};

const NO_NUMBER = {
  ok: false,
  error: 'no_number',
  message: 'Their number is not shown here, so nothing was noted: tell them so, and promise nothing.',
};

const TOOLS: readonly Tool[] = [
  transferCall,
  {
    definition: {
      name: 'end_call',
      description: 'Hang up once your goodbye has been heard. Say the goodbye in the same reply.',
      parameters: object({ reason: text('Why, in a few words') }),
    },
    isOfLine: true,
    run: async () => ({ result: { ok: true }, action: { type: 'end-call', by: 'model' } }),
  },
  { definition: AVAILABILITY, offered: withStaffWish(AVAILABILITY), run: checkAvailability },
  { definition: APPOINTMENT, offered: withStaffWish(APPOINTMENT), run: scheduleAppointment },
  ...OWN_APPOINTMENT_TOOLS,
  {
    definition: {
      name: 'schedule_callback',
      description: 'Have this person called again at a time that they have asked for. Say the time in the same reply.',
      parameters: object(
        {
          at: text('When, ISO-8601 in the business timezone'),
          reason: text('What the call will be about, in a few words'),
        },
        ['at'],
      ),
    },
    // It is about a call that there was.
    isOfLine: true,
    run: scheduleCallback,
  },
  {
    definition: {
      name: 'opt_out',
      description: 'The person asks never to be called again. Confirm it and say goodbye.',
      parameters: object({ reason: text('Their words') }),
    },
    run: async (args, context) => {
      const reason = typeof args.reason === 'string' ? args.reason.slice(0, 500) : null;
      return { result: (await context.optOut(reason)) ? { ok: true } : NO_NUMBER };
    },
  },
  {
    definition: {
      name: 'send_digits',
      description: 'Press keys, for example to get through a phone menu.',
      parameters: object({ digits: text('0-9, *, #, and w for a pause of half a second') }, ['digits']),
    },
    isOfLine: true,
    run: async (args, context) => {
      const digits = String(args.digits ?? '');
      if (!/^[0-9*#A-Dw]{1,40}$/.test(digits)) {
        return {
          result: { ok: false, error: 'bad_digits', message: 'digits must be 1 to 40 of 0-9, *, #, A-D and w.' },
        };
      }
      if (await context.sendDigits(digits)) return { result: { ok: true } };
      return { result: { ok: false, error: 'no_keypad', message: 'This line takes no keys: nothing was sent.' } };
    },
  },
  collectDigits,
  switchLanguage,
];

export function toolDefinitions(facts: OfferFacts): ToolDefinition[] {
  return TOOLS.flatMap((tool) => {
    if (facts.isWritten && tool.isOfLine) return [];
    const definition = tool.offered === undefined ? tool.definition : tool.offered(facts);
    return definition === null ? [] : [definition];
  });
}

/** Tools that change nothing. */
export const readsOnly = (name: string): boolean => name === 'check_availability' || name === 'find_own_appointments';

/** Tools that run while the talk goes on. */
export const runsBeside = (name: string): boolean =>
  TOOLS.some((tool) => tool.definition.name === name && tool.isBeside === true);

/** Runs one tool. Never throws: an error becomes a result that the model can talk about. */
export async function runTool(name: string, args: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
  const tool = TOOLS.find((candidate) => candidate.definition.name === name);
  if (!tool) {
    const names = TOOLS.map((candidate) => candidate.definition.name).join(', ');
    return { result: { ok: false, error: 'unknown_tool', message: `There is no tool "${name}"; there are ${names}.` } };
  }
  try {
    return await tool.run(args, context);
  } catch (error) {
    return { result: { ok: false, error: 'failed', message: messageOf(error) } };
  }
}
