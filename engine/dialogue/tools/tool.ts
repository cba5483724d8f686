// A tool's input and output. A tool returns a result for the history and, if it changes the call itself (transfer,
// goodbye), an action for the conductor to perform.

import type { Taken } from '../../../db/domain/booking/resources.ts';
import type { BuiltInTool } from '../../../db/domain/built-in-tools.ts';
import type { SecretWish } from '../../../db/domain/secret-digits.ts';
import type { OwnAppointment } from '../../../db/rules/rebooking.ts';
import type { DialogueBusiness, ToolDefinition } from '../../../models/llm/llm.ts';

/** A number that the caller keys in, and nobody reads. */
export type SecretAnswer =
  /** The reference stands for it in the arguments of another tool, once. */
  | { ok: true; reference: string; digits: number }
  | { ok: false; error: 'nothing_keyed' | 'too_short' | 'wrong_check_digit' | 'busy' | 'over'; message: string };

export interface BookingWish {
  service: string | null;
  startsAtMs: number;
  endsAtMs: number;
  /** Resources that may be booked then, the first free one is; null: the business without a name. */
  candidates: ReadonlyArray<string | null>;
  name: string | null;
  phone: string | null;
  notes: string | null;
}

interface AppointmentChangeWish {
  appointmentId: string;
  reference: string | null;
  /** Null: it is cancelled. */
  to: Pick<BookingWish, 'startsAtMs' | 'endsAtMs' | 'candidates'> | null;
}

type AppointmentChangeAnswer =
  | { changed: true; resource: string | null }
  | { changed: false; reason: 'not_found' | 'taken' | 'too_many' };

/** `nextAtMs`: the first time after the one asked for at which the person may be called; null: there is none. */
type CallbackAnswer =
  | { scheduled: true; callId: string }
  | { scheduled: false; reason: 'past' | 'too_far' | 'too_many' | 'not_allowed' }
  | { scheduled: false; reason: 'outside_window'; nextAtMs: number | null };

/** `resource`: the one that was free; absent in what an engine of an earlier release wrote. */
type BookingAnswer =
  | { booked: true; appointmentId: string; resource?: string | null; reference?: string }
  | { booked: false; reason: 'taken' | 'too_many' };

/** `language`: the one that is spoken from now on, BCP 47. */
export type LanguageAnswer =
  | { ok: true; language: string }
  | { ok: false; error: 'unknown_language' | 'no_voice' | 'no_recogniser' | 'over'; message: string };

/** The parts of a call that a tool may use. */
export interface ToolContext {
  business: DialogueBusiness;
  callerNumber: string | null;
  callerName: string | null;
  /** In whose national form the caller says a number, ISO 3166-1 alpha-2; null: it is not known. */
  country: string | null;
  nowMs: number;
  listTaken(fromMs: number, toMs: number): Promise<Taken[]>;
  book(wish: BookingWish): Promise<BookingAnswer>;
  /** Appointments ahead of the number that calls, or the one with this reference; 'too_many': too many were wrong. */
  ownAppointments(reference: string | null): Promise<readonly OwnAppointment[] | 'too_many'>;
  /** Moves one of them, or cancels it. */
  change(wish: AppointmentChangeWish): Promise<AppointmentChangeAnswer>;
  /** On a call that reminds of it: they come. False: this call reminds of no such appointment. */
  confirm(appointmentId: string): Promise<boolean>;
  /** The appointment that this call reminds of; null: it is no such call. */
  remindsOf: string | null;
  /** Schedules a call of this agent's to the other side. */
  callBack(wish: { atMs: number; reason: string | null }): Promise<CallbackAnswer>;
  /** False: their number is not shown, and nothing was noted. */
  optOut(reason: string | null): Promise<boolean>;
  /** The caller keys it in; only a reference to it comes back. */
  collectDigits(wish: SecretWish): Promise<SecretAnswer>;
  /** The call goes on in another of the agent's languages. */
  switchLanguage(language: string): Promise<LanguageAnswer>;
  /** Sends DTMF; false if the other end does not support it. */
  sendDigits(digits: string): Promise<boolean>;
}

/** Whom the caller is to be handed to, and why. */
export interface HandoverWish {
  /** The name of a destination; null: whoever is first. */
  destination: string | null;
  /** In the model's words; null: it did not say. */
  reason: string | null;
}

/**
 * An action that the call performs once the sentence that belongs to it was heard. A reason given by the model stays in
 * its tool call; only the engine's own causes become reasons of the end.
 */
export type ToolAction =
  | { type: 'end-call'; by: 'model' }
  | { type: 'end-call'; by: 'engine'; cause: 'idle' | 'model_failure' }
  /** `wish`: to one of the destinations; `target` is for a release that knows none. */
  | { type: 'transfer'; target: string; wish?: HandoverWish };

export interface ToolResult {
  result: unknown;
  action?: ToolAction;
}

/** Facts that decide whether a tool is offered. */
export interface OfferFacts {
  business: DialogueBusiness;
  /** Further languages that the call may go on in, BCP 47. */
  languages: readonly string[];
  /** The call reminds of an appointment. */
  isReminder: boolean;
  /** The agent writes; absent: it speaks. */
  isWritten?: boolean;
  /** Wall clock. */
  nowMs: number;
}

export interface Tool {
  definition: ToolDefinition & { name: BuiltInTool };
  /** As it is offered now; null: not at all. Absent: always, as defined. */
  offered?(facts: OfferFacts): ToolDefinition | null;
  /** Not offered to an agent that writes: it is about the line. */
  isOfLine?: boolean;
  /** It runs while the talk goes on, and its result comes as a note. */
  isBeside?: boolean;
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult>;
}

export const text = (description: string) => ({ type: 'string', description });

/** The schema of a tool's arguments. */
export const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
